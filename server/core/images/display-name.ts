const MOST_CHARACTERS = 255;

/** Control characters and those that change the direction of text: they can disguise a name. */
const DECEPTIVE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A display name from what a sender calls a file: without folders and control characters, of sensible length. */
export function displayName(sent: string | undefined, fallback: string): string {
  const last = (sent ?? '').split(/[\\/]/).at(-1) ?? '';
  const name = last.toWellFormed().normalize('NFC').replace(DECEPTIVE, '').trim();
  return shorten(name) || fallback;
}

/** Cuts in the middle of nothing: whole characters, and the extension stays. */
function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MOST_CHARACTERS) return name;
  const [extension = ''] = /\.[A-Za-z0-9]{1,5}$/.exec(name) ?? [];
  return characters.slice(0, MOST_CHARACTERS - extension.length).join('') + extension;
}
