import { MIME_OF_EXT } from '#server/core/images/served-types.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { ConvertedExt, SniffedFormat, WebFormat } from '#server/platform/imaging/types.ts';

/** Formats that are stored. SVG stays as uploaded, where a group allows it. */
export type StoredFormat = WebFormat | 'svg';

/** How a format is served: the extension of its links and its media type. */
interface ServedFormat {
  ext: ConvertedExt | 'svg';
  mime: string;
}

const served = <Ext extends ServedFormat['ext']>(ext: Ext) => ({ ext, mime: MIME_OF_EXT[ext] });

const SERVED = {
  jpeg: served('jpg'),
  png: served('png'),
  gif: served('gif'),
  webp: served('webp'),
  avif: served('avif'),
  svg: served('svg'),
} as const satisfies Record<StoredFormat, ServedFormat>;

export function servedAs<F extends StoredFormat>(format: F): (typeof SERVED)[F] {
  return SERVED[format];
}

export function isStoredAsIs(format: WebFormat | ForeignFormat): format is WebFormat {
  return format in SERVED;
}

/** The format behind a link's extension. */
export function formatOfExt(ext: ConvertedExt): WebFormat {
  return ext === 'jpg' ? 'jpeg' : ext;
}

const SAME_FORMAT: Record<string, string[]> = {
  jpeg: ['jpg', 'jpeg'],
  tiff: ['tiff', 'tif'],
  heic: ['heic', 'heif'],
  heif: ['heif', 'heic'],
};

/** Formats that are accepted but never served: they are converted to another one. */
export type ForeignFormat = 'heic' | 'heif' | 'bmp' | 'tiff';

/**
 * Checks the format of the bytes against the formats that the group may upload.
 * @throws RequestError `ext_not_allowed`
 */
export function requireAllowed(format: SniffedFormat | undefined, allowed: readonly string[]): StoredFormat | ForeignFormat {
  const known = `Allowed formats: ${allowed.join(', ')}.`;
  if (!format) throw new RequestError('ext_not_allowed', `This file isn’t a supported picture. ${known}`, { allowed_exts: allowed });
  const names = SAME_FORMAT[format] ?? [format];
  if (names.some((name) => allowed.includes(name))) return format;
  throw new RequestError('ext_not_allowed', `${format.toUpperCase()} pictures aren’t allowed here. ${known}`, { allowed_exts: allowed });
}
