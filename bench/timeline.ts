// Measures the timeline of a library of 100,000 pictures in Chromium: one drag to any month, a flight past everything, nodes and memory.
// `--dist <folder>` measures another build.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { repeatPictures } from './support/library.ts';
import { median } from './support/load.ts';
import { openWorkshop } from './support/programs.ts';
import { type BenchService, startService } from './support/service.ts';

const IMAGES = 100_000;
/** Different files; the other pictures repeat them, each with a key of its own. */
const FILES = 240;
const OPENINGS = 5;
const DRAGS = 12;
const FRAMES = 400;
const PIXELS_PER_FRAME = 1_200;
/** Widths of thumbnails that the page asks for at this size; made beforehand, as in a library that was looked at before. */
const WIDTHS = [240, 400, 480];

await using workshop = openWorkshop();
const { dist } = parseArgs({ options: { dist: { type: 'string' } } }).values;
const service = await startService(workshop, { pin: false, ...(dist && { dist }) });
await seed(service, join(workshop.folder, 'data/pixdock.db'));
await using browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
await measure(browser, service);

async function measure(from: Browser, { url, cookie }: BenchService) {
  await report(url, cookie);
  const openings: number[] = [];
  let page: Page;
  for (;;) {
    page = await open(from, url, cookie);
    const started = performance.now();
    await page.goto('/');
    await untilThumbnails(page);
    openings.push(performance.now() - started);
    if (openings.length === OPENINGS) break;
    await page.context().close();
  }
  row('first thumbnails after opening the page', `${Math.round(median(openings))} ms, at most ${Math.round(Math.max(...openings))}`);
  await page.getByRole('slider').waitFor();
  row('height of the page at once', `${await page.evaluate(() => document.documentElement.scrollHeight)} px`);
  const drags = await drag(page);
  row(
    'one drag to a month: thumbnails after stopping',
    `${Math.round(median(drags))} ms, at most ${Math.round(Math.max(...drags))}`,
    '1000 ms',
  );
  const frames = await fly(page);
  row(
    `frames at ${PIXELS_PER_FRAME} px each: p95`,
    `${Math.round(percentile(frames.gaps, 95))} ms, median ${Math.round(median(frames.gaps))}`,
    '33 ms',
  );
  row('screens with placeholders on the way', `${Math.round(frames.covered * 100)} %`);
  row('nodes, at most', `${frames.nodes}`, '1500');
  row('heap after the flight, at most', `${(await heapOf(page)).toFixed(0)} MB`, '100 MB');
}

/** A page of a browser without a cache, signed in as the owner. */
async function open(from: Browser, url: string, cookie: string): Promise<Page> {
  const context = await from.newContext({ viewport: { width: 1440, height: 900 }, baseURL: url });
  const at = cookie.indexOf('=');
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }]);
  return context.newPage();
}

function row(what: string, value: string, target?: string) {
  console.log(`${what}: ${value}${target ? ` (target: ${target})` : ''}`);
}

/** The shape of the library: its size on the wire, and the time that it takes. */
async function report(url: string, cookie: string) {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 7; round++) {
    const started = performance.now();
    const response = await fetch(`${url}/api/v1/images/timeline?time_zone=Europe%2FBerlin`, { headers: { cookie } });
    if (!response.ok) return;
    bytes = (await response.arrayBuffer()).byteLength;
    times.push(performance.now() - started);
  }
  row('timeline of the whole library', `${Math.round(bytes / 1024)} KB, ${Math.round(median(times))} ms`);
}

/** Uploads a few files, has their thumbnails made, and repeats their rows. */
async function seed(into: BenchService, database: string) {
  const keys: string[] = [];
  for (let file = 0; file < FILES; file++) keys.push((await into.upload(await sample(file))).key);
  for (const key of keys)
    for (const width of WIDTHS) {
      const response = await fetch(`${into.url}/t/${key}.jpg?w=${width}`);
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    }
  await repeatPictures(database, IMAGES);
}

/** A photo-like picture: a gradient with shapes, different for each number. */
function sample(number: number): Promise<Buffer> {
  const [width, height] = [
    [900, 600],
    [600, 800],
    [800, 600],
    [960, 540],
    [600, 600],
  ][number % 5] as [number, number];
  const colour = (turn: number) => `hsl(${(number * 47 + turn) % 360} ${40 + (number % 5) * 10}% ${35 + (number % 4) * 12}%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x2="1" y2="1">
    <stop stop-color="${colour(0)}"/><stop offset="1" stop-color="${colour(90)}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="${(number * 97) % width}" cy="${(number * 53) % height}" r="${width / 4}" fill="${colour(190)}"/>
    <text x="20" y="60" font-size="48">${number}</text></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
}

/** Resolves when every picture on the screen shows its thumbnail. */
async function untilThumbnails(page: Page) {
  await page.waitForFunction(
    () => {
      const onScreen = [...document.querySelectorAll<HTMLImageElement>('[data-picture] img')].filter((image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return bottom > 0 && top < window.innerHeight;
      });
      return onScreen.length > 10 && onScreen.every((image) => image.complete && image.naturalWidth > 0);
    },
    undefined,
    { polling: 'raf', timeout: 60_000 },
  );
}

/** Drags the scrubber to months all over the timeline; returns the milliseconds from stopping to thumbnails. */
async function drag(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let number = 1; number <= DRAGS; number++) {
    const box = await page.getByRole('slider').boundingBox();
    if (!box) throw new Error('there is no scrubber');
    const y = (share: number) => box.y + 2 + share * (box.height - 4);
    await page.mouse.move(box.x + box.width / 2, y(((number - 1) * 0.618) % 1));
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, y((number * 0.618) % 1), { steps: 12 });
    const stopped = performance.now();
    await page.mouse.up();
    await untilThumbnails(page);
    times.push(performance.now() - stopped);
  }
  return times;
}

/** Scrolls on in every frame; returns the times between frames, the most nodes, and how many of the screens had placeholders. */
async function fly(page: Page) {
  await page.evaluate(() => window.scrollTo(0, 0));
  await untilThumbnails(page);
  await page.mouse.move(700, 500);
  return page.evaluate(
    async ({ frames, step }) => {
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      /** Whether the middle of the screen shows more than one colour of a placeholder. */
      const isCovered = () => {
        for (const canvas of document.querySelectorAll<HTMLCanvasElement>('[role="group"] canvas')) {
          const { top, bottom, height } = canvas.getBoundingClientRect();
          if (top > 450 || bottom <= 451) continue;
          const line = Math.floor(((450 - top) * canvas.height) / height);
          const pixels = canvas.getContext('2d')?.getImageData(0, line, canvas.width, 1).data ?? [];
          const colours = new Set<string>();
          for (let at = 0; at < pixels.length; at += 40 * 4) colours.add(`${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`);
          return colours.size > 6;
        }
        return false;
      };
      const gaps: number[] = [];
      let [nodes, covered, looked] = [0, 0, 0];
      let last = await frame();
      for (let number = 0; number < frames; number++) {
        window.scrollBy(0, step);
        const now = await frame();
        gaps.push(now - last);
        last = now;
        if (number % 20 !== 10) continue;
        nodes = Math.max(nodes, document.querySelectorAll('*').length);
        covered += Number(isCovered());
        looked += 1;
        // Looking takes time that no user spends.
        last = await frame();
      }
      return { gaps, nodes, covered: covered / looked };
    },
    { frames: FRAMES, step: PIXELS_PER_FRAME },
  );
}

/** Megabytes in use, without garbage. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? 0;
}
