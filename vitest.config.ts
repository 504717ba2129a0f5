import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import type { Alias, Plugin } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { themeStylesheet } from './renderer/theme/theme-css.ts';
import { CHROMIUM_ARGUMENTS } from './test/helpers/programs/chromium.ts';
import FailedTests from './test/helpers/programs/failed-tests.ts';
import { WINDOW } from './test/helpers/screen/screens.ts';
import { commands, packagesOfPages, pictures } from './test/helpers/screen/vite.ts';
import { PREACT } from './vite.light.config.ts';

const FAST_ARGON2 = { '@node-rs/argon2': join(import.meta.dirname, 'test/helpers/programs/fast-argon2.ts') };

/** Tests of the database's file, or on one that was prepared. */
const ON_FILES = [
  'test/server/data-folder.test.ts',
  'test/server/platform/db/sqlite/*',
  'test/server/platform/db/check-rows.test.ts',
  'test/server/platform/db/migrate.test.ts',
  'test/server/core/albums/open-images.test.ts',
  'test/server/core/deletion/deletion.test.ts',
  'test/server/features/backup/**',
  'test/server/features/verify/**',
  'test/server/features/migrate/**',
  'test/server/features/**/*-plan.test.ts',
];

/** Tests of what a service does only on a database of its own (decision 088). */
const ON_OWN_DATABASES = ['test/server/features/delivery/from-memory.test.ts', 'test/server/platform/storage/blobs.test.ts'];

/**
 * What only `npm run test:all` runs: thousands of mutated or unusual files, decoders and programs that are killed, databases that are damaged in
 * every place, rare faults of imports and uploads, full disks, recognised text, the development loop, and the installation of Electron.
 */
const SLOW = [
  'test/cli/postgres.test.ts',
  'test/cli/{import,upload}/faults.test.ts',
  'test/main/base/system/end-with-app.test.ts',
  'test/main/service/{decoders,server-launch}.test.ts',
  'test/scripts/dev.test.ts',
  'test/scripts/electron/*.test.ts',
  'test/scripts/test/leftovers.test.ts',
  'test/server/features/backup/{hostile,rollback,trial-restore}.test.ts',
  'test/server/features/upload/{disk-full,same-pixels}.test.ts',
  'test/server/platform/db/check-rows.test.ts',
  'test/server/platform/imaging/colour/shown.test.ts',
  'test/server/platform/imaging/decoder-kills.test.ts',
  'test/server/platform/imaging/metadata/{fuzz,planted}.test.ts',
  'test/server/platform/imaging/{recognizer,time}.test.ts',
];

/** The same inside other files: tests and repetitions that ask for `PIXDOCK_TEST_SLOW`. */
const PARTLY_SLOW = globSync('test/**/*.test.ts').filter((path) => readFileSync(path, 'utf8').includes('PIXDOCK_TEST_SLOW'));

/** The same on the build: processes that are killed, other programs, and the commands of the guides. */
const SLOW_BUILT = [
  'test/cli/import/{migrate,resume}.built.test.ts',
  'test/clients/*.built.test.ts',
  'test/docs/*.built.test.ts',
  'test/main/watcher/folder-kills.built.test.ts',
  'test/packages/npm-package.built.test.ts',
  'test/server/features/backup/restart.built.test.ts',
  'test/server/features/upload/{bad-files,crash,durability,memory}.built.test.ts',
];

/** What `npm run test:all` runs on PostgreSQL and S3: the database itself, and features that depend on either. */
const ESSENTIAL_ON_POSTGRES = [
  'test/server/platform/db/**/*.test.ts',
  'test/server/core/accounts/sign-in.test.ts',
  'test/server/features/admin/images.test.ts',
  'test/server/features/admin/users/users.test.ts',
  'test/server/features/albums/*.test.ts',
  'test/server/features/delivery/original.test.ts',
  'test/server/features/gallery/expiry.test.ts',
  'test/server/features/requests/*.test.ts',
  'test/server/features/sent/*.test.ts',
  'test/server/features/upload/replace.test.ts',
  'test/server/features/upload/upload.test.ts',
];

/** Tests over HTTP; those that open a service's context look into one process. */
const OVER_HTTP = globSync('test/server/**/*.test.ts').filter((path) =>
  /\b(startTestService|startFileService|startSharing)\(/.test(readFileSync(path, 'utf8')),
);

/** Tests that replace modules, which other files of the same worker would have loaded already, or change what sharp reads or how decoders start there. */
const MOCKING = globSync('test/**/*.test.ts').filter((path) =>
  /\bvi\.mock\(|\/decoder\/sharp\/|\b(decodeHere|launchDecodersBy)\b/.test(readFileSync(path, 'utf8')),
);

const ALSO_SLOW = { PIXDOCK_TEST_SLOW: '1' };
const UNIT = { env: { PIXDOCK_TEST_UNIT: '1' }, alias: FAST_ARGON2 };

interface PageBuild {
  plugins?: Plugin[];
  alias?: Alias[];
  /** Packages that these pages don't load. */
  without?: RegExp;
}

/** Tests of components in Chromium. All files share one page: loading the application costs as much as twenty tests. */
function inPage(name: string, include: string, { plugins = [], alias = [], without = /^$/ }: PageBuild): TestProjectConfiguration {
  // As the pages are built, which takes a third less time than React for development.
  const define = { 'process.env.NODE_ENV': '"production"' };
  return {
    extends: true,
    plugins: [pictures, ...plugins],
    resolve: { alias },
    cacheDir: `.cache/${name}`,
    // Vite warns of Vitest's own code.
    logLevel: 'error',
    define,
    oxc: { jsx: { runtime: 'automatic', development: false } },
    optimizeDeps: {
      noDiscovery: true,
      include: packagesOfPages().filter((name) => !without.test(name)),
      rolldownOptions: { transform: { define } },
    },
    test: {
      name,
      include: [include],
      maxWorkers: 1,
      testTimeout: 60_000,
      expect: { poll: { timeout: 10_000 } },
      browser: {
        enabled: true,
        headless: true,
        viewport: WINDOW,
        commands,
        // Names match as in the scenarios: parts of them, in any case.
        locators: { exact: false },
        screenshotFailures: false,
        traceView: false,
        dependencySourcemaps: false,
        provider: playwright({
          launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: CHROMIUM_ARGUMENTS },
          // No animations; the clipboard is the browser's own.
          contextOptions: { locale: 'en-GB', reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] },
          actionTimeout: 10_000,
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}

const POSTGRES_AND_S3 = ['test/helpers/service/data/postgres-server.ts', 'test/helpers/service/stores/bucket-server.ts'];

/** `unit` needs neither a build nor a browser; `built` starts what is in `dist/`; `npm run test:all` runs what is slow of both; `npm run test:hard` runs `hard`. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Loading the service costs more than most files' tests, so the files of a worker share its modules.
    isolate: false,
    fsModuleCache: true,
    // Decoder threads and the programs that tests start load the same modules again and again.
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '.cache/compiled') },
    // One more than the cores of a small machine, though the scenarios run at the same time: tests wait for processes, disks and clocks.
    maxWorkers: 3,
    reporters: ['default', new FailedTests()],
    // What passing tests log on purpose looks like a fault.
    silent: 'passed-only',
    // The slowest tests take half a minute on a quiet machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest's own second is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // Listed as unstable at the end of `npm test` (decision 103).
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{built,browser,light}.test.ts', 'test/server/platform/db/postgres/*', ...MOCKING, ...SLOW],
          ...UNIT,
        },
      },
      { extends: true, test: { name: 'unit-slow', include: [...SLOW, ...PARTLY_SLOW], ...UNIT, env: { ...UNIT.env, ...ALSO_SLOW } } },
      { extends: true, test: { name: 'unit-mocking', include: MOCKING, isolate: true, env: { PIXDOCK_TEST_UNIT: '1' } } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: process.env.PIXDOCK_TEST_POSTGRES === 'all' ? ['test/server/**/*.test.ts'] : ESSENTIAL_ON_POSTGRES,
          exclude: ['test/**/*.built.test.ts', ...ON_FILES, ...ON_OWN_DATABASES],
          globalSetup: POSTGRES_AND_S3,
          env: { PIXDOCK_TEST_UNIT: '1', PIXDOCK_TEST_POSTGRES: '1', ...ALSO_SLOW },
          alias: FAST_ARGON2,
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: OVER_HTTP,
          exclude: ['test/**/*.built.test.ts', 'test/server/platform/db/**', ...ON_FILES],
          globalSetup: POSTGRES_AND_S3,
          setupFiles: ['test/helpers/service/cluster/not-in-cluster.ts'],
          env: { PIXDOCK_TEST_UNIT: '1', PIXDOCK_TEST_POSTGRES: '1', PIXDOCK_TEST_CLUSTER: '1', ...ALSO_SLOW },
          alias: FAST_ARGON2,
        },
      },
      inPage('components', 'test/**/*.browser.test.ts', { plugins: [themeStylesheet('mantine')] }),
      inPage('light', 'test/**/*.light.test.ts', {
        plugins: [themeStylesheet('plain')],
        without: /mantine|konva|react-router/,
        alias: PREACT,
      }),
      { extends: true, test: { name: 'built', include: ['test/**/*.built.test.ts'], exclude: SLOW_BUILT } },
      { extends: true, test: { name: 'built-slow', include: SLOW_BUILT } },
      { extends: true, test: { name: 'hard', include: ['test/hard/*.hard.ts'], retry: 0 } },
    ],
  },
});
