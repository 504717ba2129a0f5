import { expect, it } from 'vitest';
import { loadSharp } from '#server/platform/imaging/sharp.ts';
import { tinyPng } from '#test/helpers/tiny-png.ts';

// If each load blocks all decoders for a moment, about one in a hundred concurrent uploads is reported as damaged.
it("doesn't disturb running decodes when loading the decoder", async () => {
  let next = 0;
  const rejected: unknown[] = [];
  const lane = async () => {
    while (next < 3000) {
      const sharp = await loadSharp();
      const decoding = sharp(tinyPng(next++)).raw().toBuffer();
      await decoding.catch((error: unknown) => rejected.push(error));
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  expect(rejected).toEqual([]);
});

it("rejects formats that aren't needed", async () => {
  const sharp = await loadSharp();
  await expect(sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')).metadata()).rejects.toThrow();
  await expect(sharp(Buffer.from('%PDF-1.4')).metadata()).rejects.toThrow();
});
