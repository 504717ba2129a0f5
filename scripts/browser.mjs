// A Chromium for the browser tests and the Electron double: an installed one, else Playwright's, else Debian's package, else a clear failure.
// Prints what it will install first, and how to avoid that.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Chromium's headless shell comes first: without a browser's own interface it takes about half the CPU time. */
const CANDIDATES = {
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
  ],
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
  win32: [
    join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
    join(process.env['PROGRAMFILES(X86)'] ?? 'C:\\Program Files (x86)', 'Microsoft\\Edge\\Application\\msedge.exe'),
  ],
};
const ALTERNATIVE = 'To use another browser, press Ctrl-C and set CHROMIUM_PATH to its program.';

const installed = () => [process.env.CHROMIUM_PATH, ...(CANDIDATES[process.platform] ?? [])].find((path) => path && existsSync(path));

async function playwrights() {
  const { chromium } = await import('playwright');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  console.error(`The browser tests need Chromium or Chrome. Downloading Playwright’s Chromium into its cache. ${ALTERNATIVE}`);
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
  const run = spawnSync(process.execPath, [cli, 'install', 'chromium'], { timeout: 180_000, stdio: 'pipe' });
  return run.status === 0 && existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

function debians() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  const install = (...packages) => {
    console.error(`The browser tests need Chromium or Chrome. Installing it: apt-get install ${packages.join(' ')}. ${ALTERNATIVE}`);
    return apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  };
  if (!apt('update', '-qq')) return undefined;
  const packages = ['chromium', 'fonts-liberation'];
  // Not every system that has the browser also packages its shell.
  return install(...packages, 'chromium-headless-shell') || install(...packages) ? installed() : undefined;
}

/** The path of a Chromium or Chrome. Exits with a message if there is none and none can be installed. */
export async function ensureBrowser() {
  const browser = installed() ?? debians() ?? (await playwrights());
  if (browser) return browser;
  console.error('The browser tests need Chromium or Chrome. Install one, or set CHROMIUM_PATH to its program.');
  process.exit(1);
}
