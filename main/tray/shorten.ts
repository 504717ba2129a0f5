import { charactersOf } from '#api/plain-text.ts';

/** Maximum characters of a label: menus don't wrap. */
const LABEL_LIMIT = 80;

/** Shortens in the middle, since names often differ at the end. Ampersands are doubled: one would mark an access key. */
export function shorten(label: string) {
  const characters = charactersOf(label);
  const half = Math.floor(LABEL_LIMIT / 2);
  const short = characters.length <= LABEL_LIMIT ? label : [...characters.slice(0, half), '…', ...characters.slice(-half + 1)].join('');
  return short.replaceAll('&', '&&');
}
