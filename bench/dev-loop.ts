// Measures how soon a saved change is visible under `npm run dev`: in a response through Vite, and in a page open in Chromium.
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { type DevCopy, startDevCopy } from '../test/helpers/programs/source-copy.ts';
import { median } from './support/load.ts';

const ROUNDS = 5;
const LIMIT_MS = 60_000;
const POLL_MS = 5;
/** Pause between two changes: file watchers merge events that are milliseconds apart. */
const PAUSE_MS = 500;

/** A kind of change: how round `n` is saved, and how its effect is seen. */
interface Change {
  name: string;
  save(copy: DevCopy, round: number): void;
  seen(copy: DevCopy, page: Page, round: number): Promise<unknown>;
}

const CHANGES: Change[] = [
  {
    name: 'server/: a response of the service',
    save: (copy, round) =>
      copy.edit('server/boot/app.ts', /app\.disable\('x-powered-by'\);.*/, `app.disable('x-powered-by'); ${headerMiddleware(round)}`),
    seen: (copy, _page, round) => untilHeader(`${copy.url}/api/v1/config`, String(round)),
  },
  {
    name: 'renderer/: a component',
    save: (copy, round) => copy.edit('renderer/features/auth/auth-frame.tsx', /\{children\}.*/, `{children}<p>Component ${round}</p>`),
    seen: (_copy, page, round) => page.getByText(`Component ${round}`, { exact: true }).waitFor({ timeout: LIMIT_MS }),
  },
  {
    name: 'renderer/: a text',
    save: (copy, round) => copy.edit('texts/en/shell/common.ts', /tagline: .*/, `tagline: 'Text ${round}',`),
    seen: (_copy, page, round) => page.getByText(`Text ${round}`, { exact: true }).waitFor({ timeout: LIMIT_MS }),
  },
  {
    name: 'renderer/: a style sheet',
    save: (copy, round) =>
      copy.edit('renderer/features/auth/auth-frame.module.css', /(\n\/\* round.*)?$/, `\n/* round */ body { outline-offset: ${round}px }`),
    seen: (_copy, page, round) => page.waitForFunction((px) => getComputedStyle(document.body).outlineOffset === px, `${round}px`),
  },
];

const headerMiddleware = (round: number) =>
  `app.use((_request, response, next) => { response.setHeader('X-Round', '${round}'); next(); });`;

async function untilHeader(url: string, wanted: string) {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.headers.get('x-round') === wanted) return;
    if (performance.now() > deadline) throw new Error(`${url} never returned the change.`);
    await delay(POLL_MS);
  }
}

const begun = performance.now();
await using copy = await startDevCopy(['--demo']);
console.log(`start with --demo: ${Math.round(performance.now() - begun)} ms`);
await using browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
page.setDefaultTimeout(LIMIT_MS);
const opened = performance.now();
await page.goto(`${copy.url}/sign-in`);
await page.getByRole('heading', { level: 1 }).waitFor({ timeout: LIMIT_MS });
console.log(`first page, nothing cached: ${Math.round(performance.now() - opened)} ms`);

for (const { name, save, seen } of CHANGES) {
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const saved = performance.now();
    save(copy, round);
    await seen(copy, page, round);
    times.push(performance.now() - saved);
    await delay(PAUSE_MS);
  }
  const [least, most] = [Math.min(...times), Math.max(...times)];
  console.log(`${name}: ${Math.round(median(times))} ms (${Math.round(least)} to ${Math.round(most)})`);
}
