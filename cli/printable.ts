import type { TokenScope } from '#api/auth/tokens.ts';
import { LINK_FORMATS, linkOf } from '#api/sharing/link-formats.ts';
import { fillTemplate, type Templated } from '#api/sharing/link-template.ts';
import { reachOf } from '#api/sharing/reach.ts';
import { opens } from '#texts/en/shell/common.ts';

const NAMES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes a file name or a foreign message safe for a terminal, on one line: control characters become escapes. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (char) => NAMES[char] ?? `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

/** What tokens may do. */
export const SCOPE_NAMES: Record<TokenScope, string> = {
  full: 'full access',
  upload: 'upload only',
  device: 'uploads and what is sent to you',
  metrics: 'metrics only',
};

/** Names and values below each other, for users. */
export const formatFields = (fields: readonly [name: string, value: string][]): string =>
  fields.map(([name, value]) => `${name.padEnd(8)}  ${printable(value)}`).join('\n');

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A file size for users, in steps of 1024 like limits and the web application. */
export function formatBytes(bytes: number): string {
  let power = 0;
  // Rounded first, so that nothing is “1024.0 KB”. Rates have fractions of bytes.
  let shown = Math.round(bytes).toString();
  while (Number(shown) >= 1024 && power < UNITS.length - 1) {
    power++;
    shown = (bytes / 1024 ** power).toFixed(1);
  }
  return `${shown} ${shown === '1' ? 'byte' : UNITS[power]}`;
}

/** A duration for users. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** The values of `--format`. */
export const PRINTED_FORMATS = [...LINK_FORMATS, 'json'] as const;
export type PrintedFormat = (typeof PRINTED_FORMATS)[number];

/** What to print for each picture: a format, or a template in its place. */
export interface PrintedLink {
  format?: PrintedFormat;
  template?: string;
}

/**
 * One line about a picture; `json` is all that the service says of it.
 * @param name the file's, where the response has none
 */
export function formatLink({ format = 'url', template }: PrintedLink, image: Templated, name?: string): string {
  if (template !== undefined) return oneLine(fillTemplate(template, { ...(name !== undefined && { name }), ...image }));
  return format === 'json' ? JSON.stringify(image) : oneLine(linkOf(image, format));
}

function oneLine(text: string) {
  return text.replace(/[\r\n]+/g, ' ');
}

/**
 * Who can open links, in the words of the pages.
 * @param server the address of the server that made them
 */
export function whoCanOpen(link: string, server: string): string {
  const reach = reachOf(link);
  return reach === 'computer' && reachOf(server) !== 'computer' ? 'Only the computer that runs Pixdock' : opens[reach];
}
