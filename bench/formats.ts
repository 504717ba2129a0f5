// Measures JPEG, WebP and AVIF thumbnails of 960 px: bytes, and the time until the first one is there. Then limits what WebP and AVIF may
// take on the disk, requests every width of many pictures in both, and watches the folder. `--pictures <folder>` takes those of the first
// part from there; `--part compare` and `--part fill` run one of them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { type Service, startService } from '#server/boot/server.ts';
import { median } from './support/load.ts';
import { record } from './support/results.ts';
import { photo, screenshot, variant } from './support/samples.ts';

const { pictures, part } = parseArgs({ options: { pictures: { type: 'string' }, part: { type: 'string' } } }).values;

const WIDTH = 960;
const COUNT = 20;
const MB = 1e6;
const BOUND = 20 * MB;
/** Pictures of the second part, most of which share their pixels but not their bytes. */
const MANY = 200;
const AT_ONCE = 4;
const LOOK_MS = 10;
const OWNER = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench' };

type Format = 'jpg' | 'webp' | 'avif';

const folder = mkdtempSync(join(tmpdir(), 'pixdock-bench-'));
const config = { host: '127.0.0.1', port: 0, dataDir: folder, trustProxy: [], allowedHosts: [], webRoot: folder, logLevel: 'error' };
const service = await startService(config, { maxOptionalBytes: BOUND });
try {
  const upload = await signIn(service);
  if (part !== 'fill') await compare(upload);
  if (part !== 'compare') await fill(upload);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}

/** Creates the owner; returns a function that uploads a picture and returns the start of its thumbnails' addresses. */
async function signIn({ url, setupCode }: Service) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/setup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...OWNER, setup_code: setupCode }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return async (bytes: Buffer): Promise<string> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'picture');
    const uploaded = await fetch(`${url}/api/v1/upload`, { method: 'POST', headers: { cookie }, body: form });
    if (!uploaded.ok) throw new Error(await uploaded.text());
    return `${url}/t/${((await uploaded.json()) as { data: { key: string } }).data.key}`;
  };
}

type Upload = Awaited<ReturnType<typeof signIn>>;

/** Bytes and milliseconds of the first thumbnail in each format, one after the other. */
async function compare(upload: Upload) {
  const figures: Record<Format, { bytes: number; ms: number }[]> = { jpg: [], webp: [], avif: [] };
  for (const bytes of await samples()) {
    const start = await upload(bytes);
    for (const format of ['jpg', 'webp', 'avif'] as const) figures[format].push(await made(start, WIDTH, format));
  }
  const of = (format: Format, name: 'bytes' | 'ms') => figures[format].map((figure) => figure[name]);
  console.log(`${figures.jpg.length} pictures, ${WIDTH} px, medians:`);
  for (const format of ['jpg', 'webp', 'avif'] as const) {
    const [bytes, ms] = [of(format, 'bytes'), of(format, 'ms')];
    const sum = bytes.reduce((total, one) => total + one, 0);
    console.log(
      `${format}: ${(median(bytes) / 1000).toFixed(1)} KB, all ${(sum / MB).toFixed(2)} MB, ${median(ms).toFixed(0)} ms (${Math.min(...ms).toFixed(0)}–${Math.max(...ms).toFixed(0)})`,
    );
    if (format === 'jpg') continue;
    const ratios = bytes.map((one, index) => one / (figures.jpg[index]?.bytes ?? 0));
    record({ row: `${format} 960 px, bytes vs. JPEG`, value: median(ratios), values: ratios, unit: 'x', better: 'less' });
  }
}

/** Requests a thumbnail until it is there: a WebP stands in for an AVIF that is still being made. */
async function made(start: string, width: number, format: Format): Promise<{ bytes: number; ms: number }> {
  const begun = performance.now();
  for (;;) {
    const response = await fetch(`${start}.${format}?w=${width}`);
    const { byteLength: bytes } = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    if (format === 'jpg' || response.headers.get('content-type') === `image/${format}`) return { bytes, ms: performance.now() - begun };
    await delay(LOOK_MS);
  }
}

/** Requests all widths of many pictures in both formats, and watches what they take. */
async function fill(upload: Upload) {
  const bases = await Promise.all(Array.from({ length: 8 }, async () => (await photo(480, 320)).jpeg({ quality: 88 }).toBuffer()));
  const watch = watchFolder(join(folder, 'thumbs/formats'));
  const begun = performance.now();
  let [sum, requests, number] = [0, 0, 0];
  const worker = async () => {
    while (number < MANY) {
      const index = number++;
      const start = await upload(variant(bases[index % bases.length] as Buffer, index));
      for (const width of THUMBNAIL_WIDTHS)
        for (const format of ['webp', 'avif'] as const) {
          const { bytes } = await made(start, width, format);
          sum += bytes;
          requests++;
        }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { max, last, looks } = await watch.stop();
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `${MANY} pictures, ${requests} thumbnails of ${(sum / MB).toFixed(1)} MB in ${seconds.toFixed(0)} s; bound ${BOUND / MB} MB, largest ${max} bytes in ${looks} looks, at the end ${last}`,
  );
  record({ row: 'largest size of the folder', value: max / MB, values: [max / MB], unit: 'MB', target: BOUND / MB, better: 'less' });
  if (max > BOUND) process.exitCode = 1;
}

/** Adds up the files of a folder again and again. */
function watchFolder(path: string) {
  mkdirSync(path, { recursive: true });
  let [max, last, looks, stopped] = [0, 0, 0, false];
  const look = () => {
    last = readdirSync(path, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => sum + (entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0),
      0,
    );
    max = Math.max(max, last);
    looks++;
  };
  const running = (async () => {
    while (!stopped) {
      look();
      await delay(LOOK_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      look();
      return { max, last, looks };
    },
  };
}

/** Photos and screenshots of different sizes. */
async function samples(): Promise<Buffer[]> {
  if (pictures) return readdirSync(pictures).map((name) => readFileSync(join(pictures, name)));
  const result: Buffer[] = [];
  for (let index = 0; index < COUNT; index++) {
    const [width, height] = [1600 + 160 * index, 1200 + 80 * index];
    result.push(await (index % 4 === 3 ? screenshot(width, height).png() : (await photo(width, height)).jpeg({ quality: 90 })).toBuffer());
  }
  return result;
}
