import sharp from 'sharp';

/** A JPEG with shapes and shades all over, unlike those of other seeds. */
export async function scene(seed: number): Promise<Buffer> {
  const shapes = Array.from({ length: 40 }, (_, index) => {
    const next = (step: number) => ((index + 1) * step * (seed + 3)) % 101;
    return `<circle cx="${next(37) * 6}" cy="${next(53) * 4}" r="${10 + next(29)}" fill="rgb(${next(17) * 2},${next(71) * 2},${next(43) * 2})"/>`;
  });
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#9ab"/>${shapes.join('')}</svg>`,
    ),
  )
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** The number of bits that differ between two perceptual hashes. */
export const differentBits = (a: string, b: string): number => (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2).replaceAll('0', '').length;

/** Mean difference per channel (0–255) between two pictures of the same size, as they are displayed. */
export async function averageDifference(one: Buffer | string, other: Buffer | string): Promise<number> {
  const [a, b] = await Promise.all([one, other].map(displayed));
  if (!a || !b || a.info.width !== b.info.width || a.info.height !== b.info.height) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0));
  return sum / a.data.length;
}

/** Mean red, green and blue of the four quarters: top left, top right, bottom left, bottom right. */
export async function patches(file: Buffer | string): Promise<number[][]> {
  const { data } = await sharp(await sharp(file).autoOrient().flatten({ background: 'white' }).png().toBuffer())
    .resize(2, 2, { fit: 'fill', kernel: 'linear' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [0, 3, 6, 9].map((at) => [...data.subarray(at, at + 3)]);
}

function displayed(file: Buffer | string) {
  return sharp(file).autoOrient().flatten({ background: 'white' }).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
}
