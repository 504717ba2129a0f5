import { DamagedImageError } from './errors.ts';
import type { PictureLimits, Probe, WebFormat } from './types.ts';

export async function probe(file: string, _format: WebFormat, limits: PictureLimits): Promise<Probe> {
  const { default: sharp } = await import('sharp');
  try {
    const meta = await sharp(file, { limitInputPixels: limits.pixels }).metadata();
    const { width, height } = meta.autoOrient;
    return { width, height, frames: meta.pages ?? 1, animated: (meta.pages ?? 1) > 1, hasAlpha: meta.hasAlpha };
  } catch (error) {
    throw new DamagedImageError(undefined, { cause: error });
  }
}
