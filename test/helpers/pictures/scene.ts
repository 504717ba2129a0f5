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
