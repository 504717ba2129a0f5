import { API_PREFIX, THUMBNAIL_WIDTHS, VERSION_LENGTH } from '#api/constants.ts';
import { mayBeTransparent } from '#api/formats.ts';
import type { Image } from '#api/images/images.ts';

/** The file to show; its hash, where it is known, makes the address another one for another version of the file. */
type Versioned = Pick<Image, 'key'> & { sha256?: string; deleted_at?: string | null; duration?: number | null; thumbhash?: string | null };

const versionOf = ({ sha256 }: Versioned) => (sha256 === undefined ? [] : [`v=${sha256.slice(0, VERSION_LENGTH)}`]);
const withQuery = (path: string, parts: string[]) => (parts.length > 0 ? `${path}?${parts.join('&')}` : path);

/** The address of the original on the page's own origin. Absolute links are meant for others. */
export const originalSrc = (image: Versioned & Pick<Image, 'ext'>) => withQuery(`/i/${image.key}.${image.ext}`, versionOf(image));

/** The same as a file to save. */
export const downloadHref = (image: Versioned & Pick<Image, 'ext'>) =>
  withQuery(`/i/${image.key}.${image.ext}`, ['download=1', ...versionOf(image)]);

/** The address of the share page on the page's own origin. */
export const shareHref = (key: string) => `/s/${key}`;

/** The address of the page that shows an image: in the trash, only its owner's. */
export const pageHref = ({ key, deleted_at }: Versioned) => (deleted_at ? `/trash?picture=${key}` : shareHref(key));

/** The smallest thumbnail width that fills `side` CSS pixels (of the longer side) on this screen. */
export function thumbnailWidth(side: number, pixelRatio: number): number {
  const pixels = side * Math.min(pixelRatio, 2);
  // Up to a twelfth too few pixels is invisible, and a quarter of the bytes where it saves a step.
  return THUMBNAIL_WIDTHS.find((width) => width * 1.09 >= pixels) ?? 1600;
}

/** The width for slow connections: a thumbnail that looks soft in `side` CSS pixels (of the longer side), and has less than half the bytes. */
export const smallWidth = (side: number) => THUMBNAIL_WIDTHS.find((width) => width * 1.6 >= side) ?? 960;

/** Posters that this page has changed, by the keys of their videos. */
export const newPosters = new Map<string, string>();

/** A video gets another poster without becoming another file. */
function posterVersionOf({ key, thumbhash }: Versioned): string[] {
  const version = newPosters.get(key) ?? thumbhash;
  return version ? [`v=${encodeURIComponent(version)}`] : [];
}

export const thumbnailSrc = (image: Versioned, width: number) =>
  withQuery(image.deleted_at ? `${API_PREFIX}/trash/${image.key}/thumbnail` : `/t/${image.key}.jpg`, [
    `w=${width}`,
    ...(image.deleted_at ? [] : image.duration ? posterVersionOf(image) : versionOf(image)),
  ]);

/** The width of the largest thumbnail. */
export const PREVIEW_WIDTH = 1600;

/**
 * The large preview shown instead of a photograph until the viewer zooms in, and of any image in the trash. Undefined for small images, and for those that may be
 * animated or transparent, which a JPEG can't be, unless they are in the trash.
 */
export function previewOf(image: Versioned & Pick<Image, 'ext' | 'width' | 'height'>) {
  const { ext, width, height, deleted_at } = image;
  const scale = Math.min(1, PREVIEW_WIDTH / Math.max(width, height));
  if (!deleted_at && (mayBeTransparent(ext) || scale === 1)) return undefined;
  return { src: thumbnailSrc(image, PREVIEW_WIDTH), width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** A large still of an image that may be animated or transparent, for while it isn't looked at. */
export function stillOf(image: Versioned & Pick<Image, 'width' | 'height'>) {
  const scale = Math.min(1, PREVIEW_WIDTH / Math.max(image.width, image.height));
  const src = withQuery(`/t/${image.key}.webp`, [`w=${PREVIEW_WIDTH}`, ...versionOf(image)]);
  return { src, width: Math.round(image.width * scale), height: Math.round(image.height * scale) };
}
