// A Chromium for the browser tests and the Electron double: Debian's headless shell, which root installs if it's missing, else an installed
// browser, else Playwright's, else a clear failure.
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

const firstOf = (paths) => paths.find((path) => path && existsSync(path));
/** The browsers to test in even where another could be installed: the user's choice and the shell. */
const preferred = () => firstOf([process.env.CHROMIUM_PATH, CANDIDATES.linux[0]]);
const installed = () => preferred() ?? firstOf(CANDIDATES[process.platform] ?? []);

async function playwrights() {
  const { chromium } = await import('playwright');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  console.error(`The browser tests need Chromium or Chrome. Downloading Playwright’s Chromium into its cache. ${ALTERNATIVE}`);
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
  const run = spawnSync(process.execPath, [cli, 'install', 'chromium'], { timeout: 180_000, stdio: 'pipe' });
  return run.status === 0 && existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** Installs Debian's packages: the shell, and a browser where there is none. */
function debians(found) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  const install = (...packages) => {
    const reason = found
      ? `The browser tests take half as long in Chromium’s headless shell as in ${found}.`
      : 'The browser tests need Chromium or Chrome.';
    console.error(`${reason} Installing it: apt-get install ${packages.join(' ')}. ${ALTERNATIVE}`);
    return apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  };
  if (!apt('update', '-qq')) return undefined;
  // Not every system that has the browser also packages its shell.
  const shell = 'chromium-headless-shell';
  const browser = ['chromium', 'fonts-liberation'];
  return (found ? install(shell) : install(...browser, shell) || install(...browser)) ? installed() : undefined;
}

/** The path of a Chromium or Chrome. Exits with a message if there is none and none can be installed. */
export async function ensureBrowser() {
  const found = installed();
  const browser = preferred() ?? debians(found) ?? found ?? (await playwrights());
  if (browser) return browser;
  console.error('The browser tests need Chromium or Chrome. Install one, or set CHROMIUM_PATH to its program.');
  process.exit(1);
}
