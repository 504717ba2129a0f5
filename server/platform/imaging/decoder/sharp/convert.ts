import type { Sharp } from 'sharp';
import { isHdr } from '../../colour/description.ts';
import type { ForeignColours } from '../../colour/icc/colours.ts';
import { profileOf } from '../../colour/profile.ts';
import type { Rights } from '../../metadata/rights.ts';
import type { Converted, ConvertOptions, ImageLimits } from '../../types.ts';
import type { Files } from '../files.ts';
import { decodeGrid, type GridJob } from '../threads/grid.ts';
import type { DecodeJob } from '../threads/job.ts';
import { decodeInThread } from '../threads/thread.ts';
import { openPicture, withDecodeErrors } from './open.ts';
import { sharp } from './sharp.ts';

interface Conversion {
  options: ConvertOptions;
  limits: ImageLimits;
  /** Encodes an AVIF fast and with less memory, and a JPEG fast and a fortieth larger; other formats have one way. */
  fast: boolean;
}

/**
 * Converts an image of any format that sharp reads.
 * @param animated whether the frames of an animation stay
 */
export async function convert({ animated, ...rest }: Conversion & { animated: boolean }, { picture, store }: Files): Promise<Converted> {
  const { image } = await openPicture(picture, { limits: rest.limits, pages: animated ? -1 : 1 });
  return encodeTo(store, image, rest);
}

interface ForeignConversion extends Conversion {
  job: Omit<DecodeJob, 'source' | 'icc'> | Omit<GridJob, 'source' | 'icc'>;
  colours: ForeignColours;
}

/** The same for a format that sharp doesn't read. */
export async function convertForeign({ job, colours, ...rest }: ForeignConversion, { picture, store }: Files): Promise<Converted> {
  const { description, icc = description && profileOf(description, 3) } = colours;
  const whole = { source: picture, isDeep: description !== undefined && isHdr(description), ...(icc && { icc }) };
  const tiff = await ('grid' in job ? decodeGrid({ ...job, ...whole }) : decodeInThread({ ...job, ...whole }));
  const encodeIt = async () => {
    const { image } = await openPicture(tiff, rest);
    const { ifTransparent } = rest.options;
    const to = ifTransparent && (await image.metadata()).hasAlpha ? ifTransparent : rest.options.to;
    return encodeTo(store, image, { ...rest, options: { ...rest.options, to } });
  };
  const converted = await ('grid' in job && rest.options.to === 'jpg' ? inThreads(job.threads, encodeIt) : encodeIt());
  // The collector would keep it until the process counts as worn.
  tiff.buffer.transfer(0);
  return converted;
}

/** Lets libvips convert colours in several threads. The process has no other picture meanwhile. */
async function inThreads<T>(threads: number, work: () => Promise<T>): Promise<T> {
  const usual = sharp.concurrency();
  sharp.concurrency(threads);
  try {
    return await work();
  } finally {
    sharp.concurrency(usual);
  }
}

async function encodeTo(store: Files['store'], image: Sharp, { options, fast }: Conversion): Promise<Converted> {
  const encoded = encode(image, options, fast);
  const { data, info } = await withDecodeErrors(() => encoded.toBuffer({ resolveWithObject: true }));
  store(data);
  const height = info.pageHeight ?? info.height;
  return { to: options.to, width: info.width, height, size: info.size, animated: (info.pages ?? 1) > 1 };
}

/** Scales and encodes an image that is already upright. */
function encode(image: Sharp, { to, maxSide, quality, keepMetadata, rights = {} }: ConvertOptions, fast: boolean): Sharp {
  let result = maxSide ? image.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }) : image;
  if (keepMetadata) result = result.keepExif().keepXmp();
  else if (rights.artist || rights.copyright) result = result.withExif({ IFD0: placeholders(rights) });
  switch (to) {
    case 'jpg':
      return result.flatten({ background: 'white' }).jpeg({ quality, optimiseCoding: !fast });
    case 'png':
      return result.png();
    case 'webp':
      return result.webp({ quality });
    case 'gif':
      return result.gif();
    case 'avif':
      return result.avif(fast ? { quality, effort: 0, chromaSubsampling: '4:2:0' } : { quality });
  }
}

/** libvips writes ASCII only, so here are as many letters as the rights have bytes in UTF-8. */
function placeholders({ artist, copyright }: Rights): Record<string, string> {
  const letters = (text: string) => 'x'.repeat(Buffer.byteLength(text));
  return { ...(artist && { Artist: letters(artist) }), ...(copyright && { Copyright: letters(copyright) }) };
}
