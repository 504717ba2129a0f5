import { expect, it } from 'vitest';
import { sharp } from '#server/platform/imaging/decoder/sharp/sharp.ts';

it("rejects formats that aren't needed", async () => {
  await expect(sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')).metadata()).rejects.toThrow();
  await expect(sharp(Buffer.from('%PDF-1.4')).metadata()).rejects.toThrow();
});
