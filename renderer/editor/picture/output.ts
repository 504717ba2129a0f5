/** A format that a canvas can be saved as. */
export interface OutputFormat {
  readonly ext: 'png' | 'jpg' | 'webp';
  readonly mime: 'image/png' | 'image/jpeg' | 'image/webp';
}

const PNG = { ext: 'png', mime: 'image/png' } as const;
const JPEG = { ext: 'jpg', mime: 'image/jpeg' } as const;
const WEBP = { ext: 'webp', mime: 'image/webp' } as const;

/** The quality of lossy formats, from 0 to 1. */
export const QUALITY = 0.93;

/**
 * The formats to save an edited picture as, the best first: its own where a canvas can write it. Browsers write no AVIF, and not all
 * of them WebP.
 * @param ext the picture's extension
 * @param allowed the extensions that the user may upload; undefined until known
 */
export function outputFormats(ext: string, isTransparent: boolean, allowed: readonly string[] | undefined): OutputFormat[] {
  const own = { jpg: JPEG, png: PNG, gif: PNG, webp: WEBP, avif: WEBP }[ext] ?? PNG;
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
