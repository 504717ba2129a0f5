import { join } from 'node:path';
import { defineConfig } from 'playwright/test';
import { CHROMIUM_ARGUMENTS } from './test/helpers/programs/chromium.ts';
import { unpacked } from './test/packages/places.ts';

/**
 * Scenarios in which something is recorded or played before the app starts, or whose first page may not call the app: a package loads nothing
 * before its own code. They run on the double, and on Electron without a package.
 */
const NOT_IN_PACKAGES = {
  files: ['**/capture.e2e.ts', '**/failing-service.e2e.ts', '**/first-launch.e2e.ts', '**/hostile.e2e.ts', '**/lan.e2e.ts'],
  titles: /shortcut|a taken port|leaves full screen|a template of one’s own/,
};

const CHROMIUM = {
  browserName: 'chromium' as const,
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH,
    args: [...CHROMIUM_ARGUMENTS, '--host-resolver-rules=MAP pixdock.test 127.0.0.1'],
  },
};

/** web: the built application in Chromium; pages: pictures of every page (`npm run pages`), and documents: those of README.md and the guides; desktop: the main process on the Electron double, run from the project's folder; hostile: its essential scenarios on a double that behaves as badly as Electron ever does; packaged: all of them in a package; electron: the same on the real thing. */
export default defineConfig({
  // The slowest scenarios take half a minute on a quiet machine.
  timeout: 180_000,
  // The unit tests run at the same time.
  workers: 2,
  reporter: [['list'], ['./test/helpers/programs/failed-tests.ts']],
  forbidOnly: true,
  // Listed as unstable at the end of `npm test` (decision 103).
  retries: 1,
  // The workflows keep them. Traces change what the page does: Playwright loads files again whose bytes it lacks, also where the page mustn't.
  use: { screenshot: process.env.CI ? 'only-on-failure' : 'off' },
  projects: [
    {
      name: 'web',
      testDir: 'test/e2e',
      testMatch: '**/*.e2e.ts',
      use: CHROMIUM,
    },
    { name: 'pages', testDir: 'test/pages', testMatch: '{desktop,web}.pages.ts', use: CHROMIUM, metadata: { electron: 'double' } },
    { name: 'documents', testDir: 'test/pages', testMatch: 'documents.pages.ts', use: CHROMIUM, metadata: { electron: 'double' } },
    { name: 'desktop', testDir: 'test/desktop', testMatch: '**/*.e2e.ts', metadata: { electron: 'double' } },
    {
      name: 'hostile',
      testDir: 'test/desktop',
      testMatch: '**/*.e2e.ts',
      grep: /@essential/,
      metadata: { electron: 'double', hostile: 'all' },
    },
    // Packages the build with the double in Electron's place; then all scenarios on the double, started as users start it.
    { name: 'packaging', testDir: 'test/packages', testMatch: 'package.setup.ts' },
    {
      name: 'packaged',
      testDir: 'test',
      testMatch: ['desktop/*.e2e.ts', 'packages/*.e2e.ts'],
      dependencies: ['packaging'],
      metadata: { electron: 'double', program: join(unpacked(process.arch), 'pixdock-desktop') },
    },
    // On a package that is installed on this computer, made with `npm run package -- --inspectable`.
    {
      name: 'installed',
      testDir: 'test/desktop',
      testMatch: '**/*.e2e.ts',
      testIgnore: NOT_IN_PACKAGES.files,
      grepInvert: NOT_IN_PACKAGES.titles,
      metadata: { electron: 'real', program: process.env.PIXDOCK_INSTALLED },
    },
    { name: 'packages', testDir: 'test/packages', testMatch: '*.check.ts' },
    {
      name: 'electron',
      testDir: 'test/desktop',
      testMatch: '**/*.e2e.ts',
      testIgnore: '**/hostile.e2e.ts',
      metadata: { electron: 'real' },
    },
  ],
});
