import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { DamagedImageError } from '#server/platform/imaging/errors.ts';
import { type StripPlan, UnfinishedImageError } from '#server/platform/imaging/metadata/plan.ts';
import { planStrip, writeStripped } from '#server/platform/imaging/plan-strip.ts';
import type { WebFormat } from '#server/platform/imaging/types.ts';
import { animatedAvif } from '#test/helpers/pictures/avif-sequence.ts';
import { animatedGif, animatedWebp, avif, gif, image, photoJpeg, png, webp } from '#test/helpers/pictures/images.ts';
import { PLANTERS, type Planter } from '#test/helpers/pictures/planted.ts';
import { apng } from '#test/helpers/pictures/private-metadata.ts';
import { pick, type Random, random } from '#test/helpers/random.ts';

const small = { width: 61, height: 45 };
const grey = () => image(small).greyscale().toColourspace('b-w');

/** Pictures of every kind that a format has. */
const BASES: Record<WebFormat, (() => Promise<Buffer>)[]> = {
  jpeg: [
    () => photoJpeg(small),
    () => photoJpeg({ ...small, progressive: true }),
    () => photoJpeg({ ...small, icc: 'cmyk', orientation: 6 }),
    () => photoJpeg({ ...small, icc: 'p3', progressive: true }),
    () => grey().jpeg().toBuffer(),
    () => image(small).jpeg({ chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer(),
    () => withRestarts(),
  ],
  png: [
    () => png(small),
    () => png({ ...small, alpha: true }),
    () => image(small).png({ palette: true, colours: 7 }).toBuffer(),
    () => image(small).png({ progressive: true }).toBuffer(),
    () => grey().png().toBuffer(),
    () => image(small).toColourspace('rgb16').png().toBuffer(),
    apng,
  ],
  gif: [() => gif(small), () => animatedGif(), () => gif({ width: 3, height: 2 })],
  webp: [
    () => webp(small),
    () => webp({ ...small, alpha: true }),
    () => image(small).webp({ lossless: true }).toBuffer(),
    () => animatedWebp(),
  ],
  avif: [
    () => avif(small),
    () => avif({ ...small, alpha: true }),
    () => animatedAvif(),
    () => image(small).withMetadata({ orientation: 6 }).avif({ effort: 0 }).toBuffer(),
  ],
};

async function withRestarts(): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises');
  return readFile('test/fixtures/inputs/restarts.jpg');
}

async function strip(file: Buffer, format: WebFormat): Promise<Buffer> {
  await using bytes = await ImageBytes.open(file);
  try {
    return await assembled(file, await planStrip(bytes, format));
  } catch (error) {
    // As an upload does.
    if (error instanceof UnfinishedImageError) return strip(await assembled(file, { pieces: error.whole }), format);
    throw error;
  }
}

async function assembled(file: Buffer, plan: Pick<StripPlan, 'pieces'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  await writeStripped({ path: '', bytes: file }, plan, { write: async (part) => void parts.push(Buffer.from(part)) });
  return Buffer.concat(parts);
}

/** All pixels as a decoder sees them that forgives what follows them. */
const pixelsOf = (file: Buffer) =>
  sharp(file.includes('ftypavis') ? asStill(file) : file, { pages: -1, failOn: 'none' })
    .autoOrient()
    .raw()
    .toBuffer();

/** Sharp knows no brand for sequences. */
function asStill(file: Buffer): Buffer {
  const still = Buffer.from(file);
  still.write('avif', 8, 'latin1');
  return still;
}

/** Letters, of any length, or text in other scripts, or numbers as programs write them. */
function secretOf(next: Random): Buffer {
  const letters = Array.from({ length: 12 + next(40) }, () => String.fromCharCode(97 + next(26))).join('');
  return Buffer.from(
    pick(next, [letters, letters.toUpperCase(), `${letters.slice(0, 6)}北京市朝阳区${letters.slice(6, 12)}`, `\0\0\0${letters}\0\0`]),
  );
}

const ROUNDS = 8;

describe.each(Object.keys(PLANTERS) as WebFormat[])('a secret in a %s', (format) => {
  it.each(Object.keys(PLANTERS[format]))('is removed from %s, and no pixel with it', async (place) => {
    const plant = (PLANTERS[format] as Record<string, Planter>)[place] as Planter;
    const next = random(place.length * 31);
    let planted = 0;
    for (const [index, make] of BASES[format].entries()) {
      const base = await make();
      const expected = await pixelsOf(base);
      for (let round = 0; round < ROUNDS; round++) {
        const secret = secretOf(next);
        const word = secret.toString('latin1').replaceAll('\0', '');
        const file = plant(base, secret, next);
        if (!file) break;
        planted++;
        const what = `picture ${index}, round ${round}`;
        // Places for eight bytes hold the first ones.
        expect(file.includes(secret.subarray(0, 4)), what).toBe(true);
        const stripped = await strip(file, format);
        for (let at = 0; at + 6 <= word.length; at++)
          expect(stripped.includes(Buffer.from(word.slice(at, at + 6), 'latin1')), `${what}, ${at}`).toBe(false);
        expect((await pixelsOf(stripped)).equals(expected), what).toBe(true);
        expect((await strip(stripped, format)).equals(stripped), what).toBe(true);
      }
    }
    expect(planted).toBeGreaterThan(0);
  });
});

it('is never removed with a part of the picture: several of them at once', async () => {
  const next = random(4711);
  for (const format of Object.keys(PLANTERS) as WebFormat[]) {
    const planters = Object.values(PLANTERS[format] as Record<string, Planter>);
    for (let round = 0; round < 60; round++) {
      const base = await pick(next, BASES[format])();
      let file = base;
      for (let count = 1 + next(5); count > 0; count--) file = pick(next, planters)(file, secretOf(next), next) ?? file;
      const stripped = await strip(file, format).catch((error: unknown) => error);
      if (stripped instanceof DamagedImageError) continue;
      expect((await pixelsOf(stripped as Buffer)).equals(await pixelsOf(base)), `${format}, round ${round}`).toBe(true);
    }
  }
});
