import { webpFrames } from '../../animation.ts';
import { ImageBytes } from '../../bytes.ts';
import { type Header, isAnimation } from '../../memory.ts';
import type { ImageLimits } from '../../types.ts';
import { sharp } from './sharp.ts';
import { sharpInput, tooLong, withDecodeErrors } from './sharp-input.ts';

interface Trial {
  input: string;
  header: Header;
  /** The size with the orientation applied. */
  width: number;
  height: number;
  limits: ImageLimits;
}

/** Decodes a probed image and discards its pixels (decision 045). */
export async function decodeForTrial({ input, header, width, height, limits }: Trial): Promise<void> {
  if (isAnimation(header) && header.format === 'webp') return decodeFrames(input, limits);
  const reduced = (side: number) => Math.max(1, Math.round(side / 8));
  const image = sharp(input, { ...sharpInput(limits), pages: isAnimation(header) ? -1 : 1 });
  const trial = image.autoOrient().resize(reduced(width), reduced(height), { fit: 'fill' });
  await withDecodeErrors(() => trial.timeout({ seconds: limits.decodeSeconds }).raw().toBuffer());
}

/** A WebP is always decoded as a whole; libwebp reduces it while it decodes. */
async function decodeFrames(path: string, limits: ImageLimits): Promise<void> {
  const end = performance.now() + limits.decodeSeconds * 1000;
  await using file = await ImageBytes.open(path);
  for await (const frame of webpFrames(file)) {
    const seconds = Math.ceil((end - performance.now()) / 1000);
    if (seconds < 1) throw tooLong();
    const image = sharp(frame, sharpInput(limits)).resize(1, 1, { fit: 'fill' }).timeout({ seconds });
    await withDecodeErrors(() => image.raw().toBuffer());
  }
}
