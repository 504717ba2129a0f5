import { writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sniff } from '#server/platform/imaging/sniff.ts';
import { colourFixture, colourSamples, coloursIn, RECORDED, type Recorded, withNclx } from '#test/helpers/pictures/colours.ts';
import { convertFile } from '#test/helpers/pictures/inspected.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

type Format = Parameters<typeof convertFile>[1];

const samples = await colourSamples();
const recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as Recorded;

/** Of 255, on average. */
const MAX_DIFFERENCE = 3;

describe('every colour that Chromium knows', () => {
  it('is shown as Chromium shows it', async () => {
    expect(samples.map(({ name }) => name)).toEqual(Object.keys(recorded.colours));
    const rows: { name: string; mean: number; most: number }[] = [];
    for (const { name, file } of samples) {
      const picture = await toPng(file, sniff(file) as Format);
      rows.push({ name, ...(await difference(picture, name)) });
    }
    // Vitest hides the output of tests that pass.
    writeSync(1, `${rows.map(({ name, mean, most }) => `${name.padEnd(52)} ${mean.toFixed(2)}  ${most}`).join('\n')}\n`);
    expect(rows.filter(({ mean }) => mean > MAX_DIFFERENCE)).toEqual([]);
  });
});

/** Chromium shows no HEIC, but an AVIF with the same numbers and codes. */
describe('a HEIC is shown like an AVIF', () => {
  it.each([
    [1, 13],
    [1, 8],
    [9, 1],
    [9, 16],
    [9, 18],
    [12, 13],
  ])('with nclx %i/%i', async (primaries, transfer) => {
    const picture = await toPng(withNclx(colourFixture('deep.heic'), primaries, transfer), 'heic');
    expect((await difference(picture, `AVIF, nclx ${primaries}/${transfer}, 10 bits`)).mean).toBeLessThan(MAX_DIFFERENCE);
  });

  it('with all shades of 10 bits where they are needed', async () => {
    const { data, info } = await sharp(await toPng(colourFixture('ramp.heic'), 'heic'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const shades = new Set(Array.from({ length: info.width }, (_, x) => data[x * info.channels]));
    // PQ has 148 steps of 8 bits up to a diffuse white.
    expect(shades.size).toBeGreaterThan(220);
  });

  it('in grey of limited range', async () => {
    const picture = await toPng(withNclx(colourFixture('grey-limited.heic'), 9, 16), 'heic');
    expect((await difference(picture, 'AVIF, nclx 9/16, grey, 8 bits, limited range')).mean).toBeLessThan(MAX_DIFFERENCE);
  });
});

/** From what Chromium shows, of 255. */
async function difference(picture: Buffer, name: string): Promise<{ mean: number; most: number }> {
  const expected = Buffer.from(recorded.colours[name] ?? '', 'base64');
  const differences = [...(await coloursIn(picture))].map((value, i) => Math.abs(value - (expected[i] ?? 0)));
  return { mean: differences.reduce((sum, value) => sum + value, 0) / differences.length, most: Math.max(...differences) };
}

async function toPng(file: Buffer, format: Format): Promise<Buffer> {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, 'in'), join(folder, 'out')];
  await writeFile(from, file);
  await convertFile(from, format, { to: 'png', quality: 90 }, to);
  return readFile(to);
}
