import { cleanLine, cutText } from '#api/plain-text.ts';

const MAX_CHARACTERS = 255;
/** What is read of a name, from its end: normalising many accents of one letter takes quadratic time. */
const MAX_READ = 4_000;

/** A display name from a client's file name: one line without folders, of limited length. */
export function displayName(sent: string | undefined, fallback: string): string {
  const last = (sent ?? '').slice(-MAX_READ).split(/[\\/]/).at(-1) ?? '';
  // A line break in the name of a file isn't between words.
  return shorten(cleanLine(last.replace(/[\r\n]/g, ''))) || fallback;
}

const countOf = (text: string) => Array.from(text).length;

/** Keeps the extension. */
function shorten(name: string): string {
  if (countOf(name) <= MAX_CHARACTERS) return name;
  const [extension = ''] = /\.[A-Za-z0-9]{1,5}$/.exec(name) ?? [];
  return cutText(name.slice(0, name.length - extension.length), MAX_CHARACTERS - extension.length, countOf) + extension;
}
