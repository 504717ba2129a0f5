const MAX_CHARACTERS = 255;
/** What is read of a name, from its end: normalising many accents of one letter takes quadratic time. */
const MAX_READ = 4_000;

/** Control characters and those that change the text direction, which can disguise a name. */
const DECEPTIVE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A display name from a client's file name: without folders and control characters, of limited length. */
export function displayName(sent: string | undefined, fallback: string): string {
  const last = (sent ?? '').slice(-MAX_READ).split(/[\\/]/).at(-1) ?? '';
  const name = last.toWellFormed().normalize('NFC').replace(DECEPTIVE, '').trim();
  return shorten(name) || fallback;
}

/** Cuts between characters and keeps the extension. */
function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const [extension = ''] = /\.[A-Za-z0-9]{1,5}$/.exec(name) ?? [];
  return characters.slice(0, MAX_CHARACTERS - extension.length).join('') + extension;
}
