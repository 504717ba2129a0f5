import { type ExtOf, editedAs, extOf, FORMATS, type FormatWith, formatOf } from '#api/formats.ts';
import type { Image } from '#api/images/images.ts';
import type { FormFields } from '#api/images/upload.ts';

type CanvasFormat = FormatWith<'canvas'>;
/** A format that a canvas can be saved as. */
export interface OutputFormat {
  readonly ext: ExtOf<CanvasFormat>;
  readonly mime: (typeof FORMATS)[CanvasFormat]['types'][0];
}

const outputOf = (name: CanvasFormat): OutputFormat => ({ ext: extOf(name), mime: FORMATS[name].types[0] });
const OUTPUTS = { jpeg: outputOf('jpeg'), png: outputOf('png'), webp: outputOf('webp') } as const satisfies Record<
  CanvasFormat,
  OutputFormat
>;
const { jpeg: JPEG, png: PNG, webp: WEBP } = OUTPUTS;

/** The quality of lossy formats, from 0 to 1. */
export const QUALITY = 0.93;

/**
 * The formats to save an edited picture as, the best first: its own where a canvas can write it. Not all browsers write WebP.
 * @param ext the picture's extension
 * @param allowed the extensions that the user may upload; undefined until known
 */
export function outputFormats(ext: string, isTransparent: boolean, allowed: readonly string[] | undefined): OutputFormat[] {
  const format = formatOf(ext);
  const own = OUTPUTS[(format && editedAs(format)) ?? 'png'];
  const preferred = [own, ...(isTransparent ? [PNG, WEBP] : own === PNG ? [PNG, WEBP, JPEG] : [JPEG, WEBP, PNG])];
  const possible = preferred.filter((format) => !isTransparent || format !== JPEG);
  const permitted = possible.filter((format) => !allowed || allowed.includes(format.ext));
  // If none is allowed, the service says so.
  return [...new Set(permitted.length > 0 ? permitted : possible)];
}

/** A file name with another extension; `suffix` is put before it. */
export function renamed(name: string, ext: string, suffix = ''): string {
  const known = /^(.+)\.[a-z0-9]{1,5}$/i.exec(name);
  return `${known?.[1] ?? name}${suffix}.${ext}`;
}

/** The settings that a copy takes over. It must not be more open than the original, so a password, which can't be copied, makes it private. */
export function fieldsOfCopy(image: Image, now = Date.now()): FormFields {
  const { title, caption, alt, album_id, tags, taken_at, max_views, expires_at } = image;
  return {
    visibility: image.has_password ? 'private' : image.visibility,
    taken_at,
    ...(title && { title }),
    ...(caption && { caption }),
    ...(alt && { alt }),
    ...(album_id !== null && { album_id }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(max_views > 0 && { max_views: String(max_views) }),
    ...(expires_at && Date.parse(expires_at) > now && { expires_at }),
  };
}
