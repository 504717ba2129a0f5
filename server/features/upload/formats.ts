import { extOf, FORMATS, type FormatWith, hasTrait } from '#api/formats.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { ConvertedExt, SniffedFormat, WebFormat } from '#server/platform/imaging/types.ts';

/** Formats that are stored. SVG stays as uploaded, where a group allows it. */
export type StoredFormat = FormatWith<'shown'>;

/** How a format is served: the extension of its links and its media type. */
export function servedAs<F extends StoredFormat>(format: F) {
  return { ext: extOf(format), mime: FORMATS[format].types[0] };
}

/** The format behind a link's extension. */
export function formatOfExt(ext: ConvertedExt): WebFormat {
  return ext === 'jpg' ? 'jpeg' : ext;
}

/**
 * Checks the format of the bytes against the formats that the group may upload.
 * @throws RequestError `ext_not_allowed`
 */
export function requireAllowed(format: SniffedFormat | undefined, allowed: readonly string[]): SniffedFormat {
  const known = `Allowed formats: ${allowed.join(', ')}.`;
  if (!format)
    throw new RequestError('ext_not_allowed', `This file is damaged or isn’t in a supported format. ${known}`, { allowed_exts: allowed });
  if (FORMATS[format].allowedAs.some((name) => allowed.includes(name))) return format;
  throw new RequestError(
    'ext_not_allowed',
    `${FORMATS[format].label} ${hasTrait(format, 'video') ? 'videos' : 'pictures'} aren’t allowed here. ${known}`,
    { allowed_exts: allowed },
  );
}
