// Measures the first load of the gallery, a share page and the sign-in page in Chromium, with nothing cached: requests, bytes on the wire
// and the first paint, on this computer and as on a phone. `--dist <folder>` measures another build.
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContextOptions, type CDPSession, chromium } from 'playwright';
import { untilQuiet } from '../test/e2e/quiet.ts';
import { CHROMIUM_ARGUMENTS } from '../test/helpers/programs/chromium.ts';
import { median } from './support/load.ts';
import { openWorkshop } from './support/programs.ts';
import { photo, variant } from './support/samples.ts';
import { startService } from './support/service.ts';

const ROUNDS = 3;
const PICTURES = 60;
const KB = 1000;

/** A way to load pages. The phone: 1.6 Mbit/s, 150 ms round trip, a processor four times as slow. */
const PROFILES = {
  loopback: { screen: { viewport: { width: 1440, height: 900 } }, network: undefined, slowdown: 1 },
  phone: {
    screen: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
    network: { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
    slowdown: 4,
  },
} as const satisfies Record<string, { screen: BrowserContextOptions; network: object | undefined; slowdown: number }>;

interface Page {
  name: string;
  path: string;
  signedIn: boolean;
  /** What is there once the page has loaded, as a CSS selector. */
  shows: string;
  targets: Targets;
}

/** What one load took. Bytes are those on the wire, with the heads of the responses. */
interface Load {
  /** Milliseconds until the first content was painted. */
  paint: number;
  /** Requests until the first picture was asked for, itself excluded. */
  requests: number;
  bytes: Record<'page' | 'scripts' | 'styles' | 'data' | 'pictures', number>;
}

const KINDS: Record<string, keyof Load['bytes']> = {
  Document: 'page',
  Script: 'scripts',
  Stylesheet: 'styles',
  Fetch: 'data',
  XHR: 'data',
  Image: 'pictures',
};

const { dist } = parseArgs({ options: { dist: { type: 'string' } } }).values;
await using workshop = openWorkshop();
const service = await startService(workshop, { pin: false, ...(dist && { dist }) });
const jpeg = await (await photo(1600, 1200)).jpeg({ quality: 80 }).toBuffer();
const keys: string[] = [];
for (let number = 0; number < PICTURES; number++) keys.push((await service.upload(variant(jpeg, number))).key);
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: CHROMIUM_ARGUMENTS,
});

const pages: Page[] = [
  {
    name: 'gallery',
    path: '/',
    signedIn: true,
    shows: '[data-picture] img',
    targets: { scripts: 200 * KB, styles: 40 * KB, requests: 25, phone: 3500 },
  },
  { name: 'share page', path: `/s/${keys[0]}`, signedIn: false, shows: 'main img', targets: { total: 60 * KB, phone: 2000 } },
  { name: 'sign-in', path: '/sign-in', signedIn: false, shows: 'form', targets: {} },
];

console.log(
  '| Page | Profile | Requests before the first picture | Scripts | Styles | Total without pictures | First paint |\n|---|---|---|---|---|---|---|',
);
for (const of of pages)
  for (const profile of ['loopback', 'phone'] as const) {
    const loads: Load[] = [];
    // The first makes the thumbnails.
    for (let round = 0; round <= ROUNDS; round++) loads.push(await loadOnce(browser, profile, of));
    report(of.name, profile, loads.slice(1), of.targets);
  }

async function loadOnce(from: Browser, profile: keyof typeof PROFILES, { path, signedIn, shows }: Page): Promise<Load> {
  const { screen, network, slowdown } = PROFILES[profile];
  const context = await from.newContext(screen);
  if (signedIn) {
    const [name = '', value = ''] = service.cookie.split('=');
    await context.addCookies([{ name, value, url: service.url }]);
  }
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const count = await counting(devtools);
  if (network) await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  page.setDefaultTimeout(120_000);
  await page.goto(service.url + path, { waitUntil: 'load' });
  await page.locator(shows).first().waitFor();
  await untilQuiet(page);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);
  await context.close();
  return { paint, ...count() };
}

/** Counts requests and bytes from now on. */
async function counting(devtools: CDPSession): Promise<() => Pick<Load, 'requests' | 'bytes'>> {
  const bytes: Load['bytes'] = { page: 0, scripts: 0, styles: 0, data: 0, pictures: 0 };
  const kinds = new Map<string, keyof Load['bytes']>();
  let requests = 0;
  let pictured = false;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    pictured ||= /\/[it]\/\w+\./.test(new URL(request.url).pathname);
    if (!pictured) requests += 1;
  });
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    // The icon of the tab isn't a picture of the page.
    kinds.set(requestId, response.url.endsWith('.svg') ? 'page' : (KINDS[type] ?? 'data'));
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes[kinds.get(requestId) ?? 'data'] += encodedDataLength;
  });
  await devtools.send('Network.enable');
  return () => ({ requests, bytes });
}

interface Targets {
  scripts?: number;
  styles?: number;
  total?: number;
  requests?: number;
  phone?: number;
}

function report(name: string, profile: keyof typeof PROFILES, loads: readonly Load[], targets: Targets): void {
  const of = (figure: (load: Load) => number) => median(loads.map(figure));
  const total = of(({ bytes }) => bytes.page + bytes.scripts + bytes.styles + bytes.data);
  const within = (text: string, value: number, target: number | undefined) =>
    target === undefined ? text : `${text} ${value <= target ? '✓' : `**> ${target >= 10_000 ? `${target / KB} KB` : target}**`}`;
  const size = (value: number, target?: number) => within(`${(value / KB).toFixed(1)} KB`, value, target);
  const requests = of((load) => load.requests);
  const paint = of((load) => load.paint);
  console.log(
    `| ${[
      name,
      profile,
      within(String(requests), requests, targets.requests),
      size(
        of(({ bytes }) => bytes.scripts),
        targets.scripts,
      ),
      size(
        of(({ bytes }) => bytes.styles),
        targets.styles,
      ),
      size(total, targets.total),
      within(`${Math.round(paint)} ms`, paint, profile === 'phone' ? targets.phone : undefined),
    ].join(' | ')} |`,
  );
}
