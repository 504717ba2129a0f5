// Measures the first load of pages in Chromium, with nothing cached: what a film of it shows, the first picture, bytes on the wire and long
// tasks, on this computer, as on a phone, and over a slow connection. Then what users do in the gallery most, on this computer (`--part use`).
// `--before <folder>` measures another build as well, in turns with this one; `--part <name>` and `--connection <name>` only those.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright';
import { untilQuiet } from '../test/e2e/quiet.ts';
import { CHROMIUM_ARGUMENTS } from '../test/helpers/programs/chromium.ts';
import { type Film, startFilm } from './support/film.ts';
import { repeatPictures } from './support/library.ts';
import { median } from './support/load.ts';
import { openWorkshop, type Workshop } from './support/programs.ts';
import { photo, variant } from './support/samples.ts';
import { type BenchService, startService } from './support/service.ts';

const FILES = 60;
/** A library that takes a while to scroll through. */
const PICTURES = 1_600;
/** Widths of thumbnails that pages ask for; made beforehand, as in a library that was looked at before. */
const WIDTHS = [240, 400, 480, 1600];
const KB = 1000;
/** The name of every 40th picture, to search for. */
const WORD = 'harbour';
/** Turns of the wheel, each of 120 px and about a frame after the last. */
const TURNS = 100;
/** How often pictures are opened, each with a step to the next one. */
const OPENINGS = 3;

type Network = { offline: boolean; latency: number; downloadThroughput: number; uploadThroughput: number };
const network = (download: number, upload: number, latency: number): Network => ({
  offline: false,
  latency,
  downloadThroughput: download / 8,
  uploadThroughput: upload / 8,
});

const DESK = { viewport: { width: 1440, height: 900 } };

/** Ways to load pages. Rates are in bit/s, latencies in ms; the phone has a processor four times as slow. */
const PROFILES = {
  loopback: { screen: DESK, network: undefined, slowdown: 1 },
  phone: {
    screen: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
    network: network(1_600_000, 750_000, 150),
    slowdown: 4,
  },
  slow: { screen: DESK, network: network(400_000, 400_000, 400), slowdown: 1 },
} as const satisfies Record<string, { screen: BrowserContextOptions; network: Network | undefined; slowdown: number }>;
type Profile = keyof typeof PROFILES;

interface Target {
  firstPixel?: number;
  picture?: number;
}

interface Place {
  name: string;
  path: (of: Build) => string;
  signedIn: boolean;
  /** What is there once the page has loaded, as a CSS selector. For pictures, once their bytes are shown. */
  shows: string;
  scripts?: number;
  requests?: number;
  targets: Partial<Record<Profile, Target>>;
}

const PLACES: Place[] = [
  {
    name: 'gallery',
    path: () => '/',
    signedIn: true,
    shows: '[data-picture] img',
    scripts: 200 * KB,
    requests: 25,
    targets: { phone: { firstPixel: 1500 }, slow: { firstPixel: 1500, picture: 6000 } },
  },
  { name: 'administration', path: () => '/admin/users', signedIn: true, shows: 'main h1', targets: { slow: { firstPixel: 1500 } } },
  {
    name: 'share page',
    path: ({ key }) => `/s/${key}`,
    signedIn: false,
    shows: 'main img',
    targets: { phone: { firstPixel: 1500 }, slow: { firstPixel: 1500, picture: 4000 } },
  },
  { name: 'sign-in', path: () => '/sign-in', signedIn: false, shows: 'form', targets: { slow: { firstPixel: 2000 } } },
];

/** What one load took, in milliseconds since the navigation began and bytes on the wire, with the heads of the responses. */
interface Load extends Film {
  /** The first picture, or what the page shows instead. */
  shown: number;
  /** The longest task of the page's main thread, and the sum of all that take more than 50 ms. */
  longest: number;
  long: number;
  /** Until the first picture was asked for, itself excluded. */
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

/** A build with a service of its own. */
interface Build {
  name: 'before' | 'now';
  service: BenchService;
  /** Of a shared picture. */
  key: string;
}

const { before, part, connection, rounds } = parseArgs({
  options: {
    before: { type: 'string' },
    part: { type: 'string', multiple: true },
    connection: { type: 'string', multiple: true, default: Object.keys(PROFILES) },
    rounds: { type: 'string', default: '3' },
  },
}).values;
const wantedProfiles = (Object.keys(PROFILES) as Profile[]).filter((name) => connection.includes(name));
const isWanted = (name: string) => !part || part.includes(name);
await using firstShop = openWorkshop();
await using secondShop = openWorkshop();
const builds = [...(before ? [await openBuild(firstShop, 'before', before)] : []), await openBuild(secondShop, 'now')];
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: CHROMIUM_ARGUMENTS,
});

console.log(
  '| Page | Connection | Build | First pixel | Blank after that | Speed Index | First picture or content | Scripts | Styles | Data | Pictures | Requests before the first picture | Longest task; all over 50 ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|',
);
for (const place of PLACES.filter(({ name }) => isWanted(name)))
  for (const profile of wantedProfiles) {
    const loads = new Map<Build, Load[]>(builds.map((build) => [build, []]));
    for (let round = 0; round < Number(rounds); round++)
      for (const [build, done] of loads) done.push(await loadOnce(browser, build, profile, place));
    for (const [{ name }, done] of loads) reportLoads(place, profile, name, done);
  }

if (isWanted('use')) {
  const all = new Map<Build, Visit[]>(builds.map((build) => [build, []]));
  for (let round = 0; round < Number(rounds); round++) for (const [build, done] of all) done.push(await visitOnce(browser, build));
  reportVisits(all);
}

async function openBuild(workshop: Workshop, name: Build['name'], dist?: string): Promise<Build> {
  const service = await startService(workshop, { pin: false, ...(dist && { dist }) });
  const jpeg = await (await photo(1600, 1200)).jpeg({ quality: 80 }).toBuffer();
  const keys: string[] = [];
  for (let number = 0; number < FILES; number++) keys.push((await service.upload(variant(jpeg, number))).key);
  for (const key of keys) for (const width of WIDTHS) await (await fetch(`${service.url}/t/${key}.jpg?w=${width}`)).arrayBuffer();
  await repeatPictures(join(workshop.folder, 'data/pixdock.db'), PICTURES, (index) => (index % 40 === 0 ? { name: `${WORD}.jpg` } : {}));
  return { name, service, key: keys[0] as string };
}

interface Opened extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  devtools: CDPSession;
}

/** A page of a browser without a cache. */
async function open(from: Browser, { service }: Build, profile: Profile, signedIn: boolean): Promise<Opened> {
  const { screen, network: conditions, slowdown } = PROFILES[profile];
  const context = await from.newContext(screen);
  if (signedIn) {
    const [name = '', value = ''] = service.cookie.split('=');
    await context.addCookies([{ name, value, url: service.url }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  if (conditions) await devtools.send('Network.emulateNetworkConditions', conditions);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return { page, context, devtools, [Symbol.asyncDispose]: () => context.close() };
}

async function loadOnce(from: Browser, build: Build, profile: Profile, { path, signedIn, shows }: Place): Promise<Load> {
  await using opened = await open(from, build, profile, signedIn);
  const { page, devtools } = opened;
  const count = counting(devtools);
  await page.addInitScript(watch, shows);
  const stop = await startFilm(devtools);
  await page.goto(build.service.url + path(build), { waitUntil: 'commit' });
  await page.waitForFunction(() => (window as Watched).benchShown !== undefined);
  const early = count();
  const { start, ...figures } = await page.evaluate(() => {
    const tasks = (window as Watched).benchTasks ?? [];
    return {
      start: performance.timeOrigin,
      shown: (window as Watched).benchShown ?? Number.NaN,
      longest: Math.max(0, ...tasks),
      long: tasks.reduce((sum, task) => sum + task, 0),
    };
  });
  if (profile === 'loopback') await untilQuiet(page);
  // The picture's own frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return { ...figures, ...(await stop(start)), requests: early.requests, bytes: profile === 'loopback' ? count().bytes : early.bytes };
}

type Watched = Window & { benchShown?: number; benchTasks?: number[]; benchTimed?: Promise<number>; benchFrames?: number[] };

/** Runs in the page before its own scripts: notes long tasks, and when something is shown. */
function watch(selector: string): void {
  const watched = window as Watched;
  watched.benchTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.benchTasks?.push(duration);
  }).observe({ type: 'longtask' });
  const note = () => {
    watched.benchShown ??= performance.now();
  };
  // The image may be replaced by a larger one at once.
  document.addEventListener('load', ({ target }) => target instanceof HTMLImageElement && target.matches(selector) && note(), true);
  const look = () => {
    const found = document.querySelector(selector);
    if (found && !(found instanceof HTMLImageElement)) note();
    else if (watched.benchShown === undefined) requestAnimationFrame(look);
  };
  look();
}

/** Counts requests and bytes from now on. */
function counting(devtools: CDPSession): () => Pick<Load, 'requests' | 'bytes'> {
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
  return () => ({ requests, bytes: { ...bytes } });
}

/** What one visit to the gallery took, in milliseconds. */
interface Visit {
  /** From the press to the picture, larger than its thumbnail. */
  opening: number;
  next: number;
  /** Between frames while the wheel turns. */
  frames: number[];
  /** From the last key to the pictures found. */
  search: number;
}

async function visitOnce(from: Browser, build: Build): Promise<Visit> {
  await using opened = await open(from, build, 'loopback', true);
  const { page } = opened;
  await page.goto(build.service.url);
  await page.locator('[data-picture] img').first().waitFor();
  // What is loaded once the page is idle is there.
  await untilQuiet(page);
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/viewer-/.test(name)));
  const [openings, nexts]: [number[], number[]] = [[], []];
  for (let number = 0; number < OPENINGS; number++) {
    const tile = page.locator('[data-picture]').nth(number * 2);
    openings.push(await timed(page, 'click', isShown, () => tile.click()));
    nexts.push(await timed(page, 'keydown', isShown, () => page.keyboard.press('ArrowRight')));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const frames = await turnWheel(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('combobox').first().click();
  await page.keyboard.type(WORD.slice(0, -1), { delay: 60 });
  const search = await timed(page, 'keydown', isFound, () => page.keyboard.type(WORD.slice(-1)), WORD);
  return { opening: median(openings), next: median(nexts), frames, search };
}

/** Milliseconds from the next event of that kind to the frame in which `holds` is true. It wasn't before: it gets what it returned then. */
async function timed(
  page: Page,
  event: 'click' | 'keydown',
  holds: (word: string, before: string) => string,
  act: () => Promise<void>,
  word = '',
): Promise<number> {
  await page.evaluate(
    ([kind, source, sought]) => {
      const look = new Function(`return ${source}`)() as typeof holds;
      const before = look(sought, '');
      (window as Watched).benchTimed = new Promise((resolve) => {
        window.addEventListener(
          kind,
          ({ timeStamp }) => {
            const check = () => (look(sought, before) ? resolve(performance.now() - timeStamp) : requestAnimationFrame(check));
            requestAnimationFrame(check);
          },
          { capture: true, once: true },
        );
      });
    },
    [event, holds.toString(), word] as const,
  );
  await act();
  return page.evaluate(() => (window as Watched).benchTimed as Promise<number>);
}

/** Runs in the page: the address of the picture that the viewer shows in its middle, unless it is the one from before. */
function isShown(_word: string, before: string): string {
  const shown = [...document.querySelectorAll<HTMLImageElement>('[role="dialog"] img, dialog img')].find((image) => {
    const { left, right, top, bottom } = image.getBoundingClientRect();
    return image.complete && image.naturalWidth >= 800 && left < 500 && right > 500 && top < 450 && bottom > 450;
  });
  return shown && shown.currentSrc !== before ? shown.currentSrc : '';
}

/** Runs in the page: whether only pictures of that name are there, and those on the screen have their thumbnails. */
function isFound(word: string): string {
  const tiles = [...document.querySelectorAll<HTMLElement>('[data-picture]')];
  const there = tiles.every((tile) => {
    const image = tile.querySelector('img');
    const { top } = tile.getBoundingClientRect();
    return tile.ariaLabel?.includes(word) && (top > window.innerHeight || (image?.complete && image.naturalWidth > 0));
  });
  return tiles.length > 5 && there ? word : '';
}

/** Turns the wheel over the gallery; returns the times between frames. */
async function turnWheel(page: Page): Promise<number[]> {
  await page.mouse.move(700, 500);
  await page.evaluate(() => {
    const gaps: number[] = [];
    (window as Watched).benchFrames = gaps;
    let last: number | undefined;
    const note = (now: number) => {
      if (last !== undefined) gaps.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  for (let turn = 0; turn < TURNS; turn++) await page.mouse.wheel(0, 120);
  return page.evaluate(() => (window as Watched).benchFrames ?? []);
}

function reportVisits(all: ReadonlyMap<Build, readonly Visit[]>): void {
  console.log(
    '\n| Build | Opening a picture | The next one | Frames while the wheel turns: p95; over 50 ms | Search, after the last key |\n|---|---|---|---|---|',
  );
  for (const [{ name }, done] of all) {
    const frames = done.flatMap((use) => use.frames).sort((one, other) => one - other);
    const late = frames.filter((gap) => gap > 50).length;
    console.log(
      `| ${[
        name,
        `${spread(done.map(({ opening }) => opening))} ms`,
        `${spread(done.map(({ next }) => next))} ms`,
        `${Math.round(frames[Math.floor(frames.length * 0.95)] ?? 0)} ms; ${late} of ${frames.length}`,
        `${spread(done.map(({ search }) => search))} ms`,
      ].join(' | ')} |`,
    );
  }
}

/** The median and the range. */
function spread(values: number[]): string {
  const shown = values.map(Math.round);
  return values.length > 1 ? `${median(shown)} (${Math.min(...shown)}–${Math.max(...shown)})` : String(shown[0]);
}

function reportLoads({ name, scripts, requests, targets }: Place, profile: Profile, build: Build['name'], loads: readonly Load[]): void {
  const of = (figure: (load: Load) => number) => median(loads.map(figure));
  const within = (text: string, value: number, target: number | undefined) =>
    target === undefined || build === 'before' ? text : `${text} ${value <= target ? '✓' : `**> ${target}**`}`;
  const time = (figure: (load: Load) => number, target?: number) => within(`${spread(loads.map(figure))} ms`, of(figure), target);
  const size = (kind: keyof Load['bytes'], target?: number) => {
    const value = of(({ bytes }) => bytes[kind]);
    return within(`${(value / KB).toFixed(1)} KB`, value, target);
  };
  const before = of((load) => load.requests);
  console.log(
    `| ${[
      name,
      profile,
      build,
      time((load) => load.firstPixel, targets[profile]?.firstPixel),
      time((load) => load.blank, 0),
      time((load) => load.speedIndex),
      time((load) => load.shown, targets[profile]?.picture),
      size('scripts', scripts),
      size('styles'),
      size('data'),
      size('pictures'),
      within(String(before), before, requests),
      `${spread(loads.map((load) => load.longest))}; ${spread(loads.map((load) => load.long))} ms`,
    ].join(' | ')} |`,
  );
}
