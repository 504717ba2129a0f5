import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { ApiError } from '#api/client.ts';
import { KNOWN_EXTS } from '#api/formats.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { CHROMIUM_ARGUMENTS } from '#test/helpers/programs/chromium.ts';
import { type SignedIn, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { make, missingPackages, RECIPES, type Recipe, writeSources } from './encoded.ts';

/** Of 255, on average over all pixels. */
const MAX_DIFFERENCE = 3;
/** The thumbnails' ground, on which everything that is transparent is compared. */
const GROUND = '#a8adaf';

/** Differences that stay, and why. */
const KNOWN: readonly { name: RegExp; why: string }[] = [
  { name: /^avif: .*\{alpha.png\}/, why: 'Chromium 156 reads alpha channels as of limited range' },
  { name: /^avif: .*\{colour.png\} \{next.png\}/, why: 'Chromium 156 reads sequences as of limited range' },
  { name: /^tiff: .*floating-point/, why: 'without a profile, libvips takes such numbers for linear light, ImageMagick for sRGB' },
  { name: /^tiff: .*-colorspace CMYK/, why: 'without a profile, libvips takes a usual one, ImageMagick none' },
];

const needed = missingPackages.length > 0 ? ` (needs apt-get install ${[...new Set(missingPackages)].join(' ')})` : '';

describe.runIf(needed === '')(`pictures that other programs write${needed}`, () => {
  it(`are stored, and shown by Chromium as it shows what was sent: ${RECIPES.length}`, { timeout: 1_800_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
    await using web = await startWebServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
    await using service = await startTestService();
    const owner = await setUp(service);
    await allowAll(owner);
    const token = await owner.token('upload');
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '', args: CHROMIUM_ARGUMENTS });
    try {
      await writeSources(folder);
      const page = await browser.newPage();
      // A secure context, in which frames of animations can be decoded one by one.
      await page.goto(web.url);
      const outcomes: Outcome[] = [];
      for (const recipe of RECIPES) {
        const file = make(folder, recipe);
        const upload = (bytes: Buffer) => uploadImage(service, token, bytes, {}, `x.${recipe.ext}`);
        const outcome =
          typeof file === 'string' ? { kind: 'not made', text: file, isFault: false } : await compare(page, recipe, file, folder, upload);
        outcomes.push({ name: recipe.name, ...outcome });
      }
      report(outcomes, browser.version());
      expect(outcomes.filter(({ isFault }) => isFault)).toEqual([]);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  });
});

interface Result {
  kind: string;
  /** The differences, or the reason. */
  text: string;
  isFault: boolean;
}
type Outcome = Result & { name: string };

async function allowAll(owner: SignedIn): Promise<void> {
  for (const { id, kind } of (await owner.client.call(listGroups, { query: {} })).items)
    if (kind === 'owner') await owner.client.call(changeGroup, { params: { id: String(id) }, body: { allowed_exts: [...KNOWN_EXTS] } });
}

const TYPES: Partial<Record<Recipe['ext'], string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
};

/** What Chromium doesn't show may be refused. */
async function compare(
  page: Page,
  recipe: Recipe,
  file: Buffer,
  folder: string,
  upload: (file: Buffer) => Promise<Uploaded>,
): Promise<Result> {
  const sent = await shown(page, file, TYPES[recipe.ext] ?? '');
  const image = await upload(file).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
  if (image instanceof ApiError) return { kind: 'refused', text: image.message, isFault: sent !== undefined };
  const expected = sent ?? (await shown(page, decoded(folder, recipe), 'image/png'));
  const original = await download(page, image.links.url);
  const thumbnail = await download(page, `${image.links.thumbnail_url}?w=960`);
  // A repeat, since some programs write the same for several options, has no size.
  const sizes = [expected, original, thumbnail, image.reused ? expected : image].map((picture) =>
    picture ? `${picture.width} × ${picture.height}` : 'not shown',
  );
  if (!expected || !original || !thumbnail || new Set(sizes).size > 1)
    return { kind: 'of another size', text: `sent, original, thumbnail, response: ${sizes.join(', ')}`, isFault: true };
  const differences = [difference(expected, original), difference(reduced(expected), reduced(thumbnail))];
  const why = differences.some((value) => value > MAX_DIFFERENCE) ? KNOWN.find(({ name }) => name.test(recipe.name))?.why : '';
  return { kind: 'compared', text: `${differences.map((value) => value.toFixed(2)).join('  ')}  ${why ?? ''}`, isFault: why === undefined };
}

/** A picture that Chromium doesn't show, as Debian's programs decode it; empty if they can't. */
function decoded(folder: string, { ext }: Recipe): Buffer {
  const [from, to] = [join(folder, `out.${ext}`), join(folder, 'decoded.png')];
  rmSync(to, { force: true });
  // ImageMagick would write the gamma of sRGB, which isn't the curve of sRGB.
  const options = ['-auto-orient', '-define', 'png:exclude-chunks=gAMA,cHRM'];
  const run = ext === 'heic' ? spawnSync('heif-convert', [from, to]) : spawnSync('convert', [`${from}[0]`, ...options, to]);
  return run.status === 0 ? readFileSync(to) : Buffer.alloc(0);
}

interface Shown {
  width: number;
  height: number;
  /** Red, green, blue and alpha. */
  pixels: Buffer;
}

const difference = (one: Shown, other: Shown) =>
  one.pixels.reduce((sum, value, i) => sum + Math.abs(value - (other.pixels[i] ?? 0)), 0) / ((one.pixels.length * 3) / 4);

/** A quarter of the width and height, so that the noise of compression doesn't count, which palettes with dithering have a lot of. */
function reduced({ width, height, pixels }: Shown): Shown {
  const [columns, rows] = [Math.floor(width / 4), Math.floor(height / 4)];
  const small = Buffer.alloc(4 * columns * rows);
  for (let at = 0; at < small.length; at++) {
    const [x, y, channel] = [Math.floor(at / 4) % columns, Math.floor(at / 4 / columns), at % 4];
    let sum = 0;
    for (let i = 0; i < 16; i++) sum += pixels[4 * ((4 * y + (i >> 2)) * width + 4 * x + (i & 3)) + channel] ?? 0;
    small[at] = Math.round(sum / 16);
  }
  return { width: columns, height: rows, pixels: small };
}

async function download(page: Page, url: string): Promise<Shown | undefined> {
  const response = await fetch(url);
  return shown(page, Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? '');
}

/** What Chromium shows of a picture on the ground, of an animation its first frame. Undefined: nothing. */
async function shown(page: Page, file: Buffer, type: string): Promise<Shown | undefined> {
  const found = await page.evaluate(
    async ({ address, ground, type }) => {
      const image = new Image();
      image.src = address;
      const isShown = await image.decode().then(
        () => true,
        () => false,
      );
      if (!isShown) return undefined;
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.fillStyle = ground;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage((await firstFrame()) ?? image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const url = await new Promise<string>((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result as string);
        reader.readAsDataURL(new Blob([data]));
      });
      return { width: canvas.width, height: canvas.height, data: url.slice(url.indexOf(',') + 1) };

      async function firstFrame() {
        if (!(await ImageDecoder.isTypeSupported(type))) return undefined;
        const decoder = new ImageDecoder({ type, data: await (await fetch(address)).arrayBuffer() });
        await decoder.tracks.ready;
        return decoder.tracks.selectedTrack?.animated ? (await decoder.decode({ frameIndex: 0 })).image : undefined;
      }
    },
    { address: `data:${type};base64,${file.toString('base64')}`, ground: GROUND, type },
  );
  return found && { width: found.width, height: found.height, pixels: Buffer.from(found.data, 'base64') };
}

function report(outcomes: readonly Outcome[], version: string): void {
  const lines = outcomes.map(({ name, kind, text }) => `${name.padEnd(90)} ${kind === 'compared' ? text : `${kind}: ${text}`}`);
  console.log(`Chromium ${version}. Mean difference of the original and of the thumbnail, of 255:\n${lines.join('\n')}`);
  const kinds = Object.entries(Object.groupBy(outcomes, ({ kind }) => kind)).map(([kind, some = []]) => `${some.length} ${kind}`);
  console.log(`${outcomes.length} pictures: ${kinds.join(', ')}; ${outcomes.filter(({ isFault }) => isFault).length} faults`);
}
