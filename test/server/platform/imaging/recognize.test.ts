import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { DamagedImageError } from '#server/platform/imaging/errors.ts';
import { recognizeText } from '#server/platform/imaging/recognize.ts';
import type { RecognizedText } from '#server/platform/imaging/types.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** Starting a process and loading the languages takes longer on a busy machine, the more so as the process has a low priority. */
const TIMEOUT_MS = 300_000;

const fixture = (name: string) => join(import.meta.dirname, '../../../fixtures/text', `${name}.png`);

function textIn(input: string): Promise<RecognizedText> {
  return recognizeText(input, { languages: ['eng', 'chi_sim'] }, unbounded);
}

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'picture');
  await writeFile(path, bytes);
  return path;
}

const textsOf = ({ lines }: RecognizedText) => lines.map(({ text }) => text);

it('reads English, with the place of each word', { timeout: TIMEOUT_MS }, async () => {
  const { lines } = await textIn(fixture('english'));
  expect(textsOf({ lines })).toEqual(['The upload failed after three attempts', 'Check your network connection']);
  const [first] = lines;
  expect(first?.words.map(({ text }) => text)).toEqual(['The', 'upload', 'failed', 'after', 'three', 'attempts']);
  const [x = 0, y = 0, width = 0, height = 0] = first?.box ?? [];
  // Drawn at 16, 16 in letters of 16 px.
  expect(Math.abs(x - 16) + Math.abs(y - 18)).toBeLessThan(6);
  expect(height).toBeLessThan(24);
  for (const { box } of first?.words ?? []) {
    expect(box.every(Number.isInteger)).toBe(true);
    expect(box[0] >= x && box[0] + box[2] <= x + width).toBe(true);
  }
});

it('reads Chinese without spaces, and white on coloured buttons', { timeout: TIMEOUT_MS }, async () => {
  expect(textsOf(await textIn(fixture('chinese')))).toEqual(['上传失败，请检查网络连接', '知道链接的任何人都可以查看']);
  expect(textsOf(await textIn(fixture('buttons')))).toEqual(['Save changes', 'Delete album']);
});

it('reads what is turned, with boxes in the picture as it is', { timeout: TIMEOUT_MS }, async () => {
  const upright = (await textIn(fixture('english'))).lines[0]?.box ?? [];
  const [x = 0, y = 0, width = 0, height = 0] = upright;
  const { lines } = await textIn(await fileOf(await sharp(fixture('english')).rotate(90).png().toBuffer()));
  expect(textsOf({ lines })).toEqual(expect.arrayContaining(['The upload failed after three attempts']));
  const turned = lines.find(({ text }) => text.startsWith('The upload'))?.box ?? [];
  // The picture is 96 px high, and so many wide after the turn.
  expect(turned).toEqual([96 - y - height, x, height, width]);
});

it('finds nothing in a photo', { timeout: TIMEOUT_MS }, async () => {
  expect(await textIn(await fileOf(await photoJpeg()))).toEqual({ lines: [] });
});

it('rejects a damaged picture', { timeout: TIMEOUT_MS }, async () => {
  const bytes = (await readFile(fixture('english'))).subarray(0, 20);
  await expect(textIn(await fileOf(bytes))).rejects.toBeInstanceOf(DamagedImageError);
});
