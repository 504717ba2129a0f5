import { RequestError } from '../http/errors.ts';
import type { ConvertedExt, SniffedFormat, WebFormat } from '../pictures/types.ts';

/** How a format is served: the extension of its links and its media type. */
export interface ServedFormat {
  ext: ConvertedExt;
  mime: string;
}

const SERVED = {
  jpeg: { ext: 'jpg', mime: 'image/jpeg' },
  png: { ext: 'png', mime: 'image/png' },
  gif: { ext: 'gif', mime: 'image/gif' },
  webp: { ext: 'webp', mime: 'image/webp' },
  avif: { ext: 'avif', mime: 'image/avif' },
} as const satisfies Record<WebFormat, ServedFormat>;

export function servedAs(format: WebFormat): ServedFormat {
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

/** Formats that are accepted but never served: they are encoded as another one. */
export type ForeignFormat = 'heic' | 'heif' | 'bmp' | 'tiff';

/**
 * Checks what the bytes are against what the group may upload.
 * @throws RequestError `ext_not_allowed`
 */
export function requireAllowed(format: SniffedFormat | undefined, allowed: readonly string[]): WebFormat | ForeignFormat {
  const known = `Allowed are: ${allowed.join(', ')}.`;
  if (!format)
    throw new RequestError('ext_not_allowed', `This file is no picture that can be stored here. ${known}`, { allowed_exts: allowed });
  const names = SAME_FORMAT[format] ?? [format];
  if (format !== 'svg' && names.some((name) => allowed.includes(name))) return format;
  throw new RequestError('ext_not_allowed', `${format.toUpperCase()} pictures are not allowed here. ${known}`, { allowed_exts: allowed });
}
