import { type ExtOf, editedAs, extOf, FORMATS, type FormatWith, formatOf } from '#api/formats.ts';

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
