import type { Emblem, EmblemOptions, EmblemVersion, ImageLimits, SniffedFormat } from '../../types.ts';
import type { Files } from '../files.ts';
import { drawInThread } from '../threads/thread.ts';
import { openPicture, withDecodeErrors } from './open.ts';
import { sharp } from './sharp.ts';

const WEBP_QUALITY = 88;
/** Enough pixels to see what disappears on a background. */
const SAMPLE_SIDE = 64;
interface EmblemJob extends EmblemOptions {
  format: SniffedFormat;
  limits: ImageLimits;
}

/** Scales a picture once, and makes all its versions from that: upright, in sRGB, without metadata. */
export async function makeEmblem({ format, side, fit, versions, limits }: EmblemJob, { picture }: Pick<Files, 'picture'>): Promise<Emblem> {
  const source = format === 'svg' ? await drawInThread(picture, side, true) : picture;
  return withDecodeErrors(async () => {
    const { image } = await openPicture(source, { limits });
    const { data, info } = await image
      .resize(side, side, fit === 'square' ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    const encoded = await Promise.all(versions.map((version) => encode(data, version)));
    return { versions: encoded, width: info.width, height: info.height, sample: await sampleOf(data) };
  });
}

async function encode(base: Uint8Array, { side, ground, to }: EmblemVersion): Promise<Uint8Array> {
  const margin = ground ? Math.round(side * 0.08) : 0;
  const inner = side - 2 * margin;
  const background = ground ?? { r: 0, g: 0, b: 0, alpha: 0 };
  let image = sharp(base);
  if (to === 'png')
    image = image
      .resize(inner, inner, { fit: 'contain', background })
      .extend({ top: margin, bottom: margin, left: margin, right: margin, background });
  else image = image.resize(side, side, { fit: 'inside', withoutEnlargement: true });
  if (ground) image = image.flatten({ background: ground });
  return to === 'png' ? image.png({ compressionLevel: 9 }).toBuffer() : image.webp({ quality: WEBP_QUALITY }).toBuffer();
}

/** Red, green, blue and alpha of a small copy. */
async function sampleOf(base: Uint8Array): Promise<Uint8Array> {
  return sharp(base).resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'inside' }).ensureAlpha().raw().toBuffer();
}
