import type { MenuItemConstructorOptions } from 'electron';
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

/** A sentence in full: as many lines as it needs, which can't be clicked. */
export function linesOf(sentence: string): MenuItemConstructorOptions[] {
  // Chinese has no spaces, but can be broken anywhere.
  const words = sentence.match(/\S+\s*/g)?.flatMap((word) => word.match(/.{1,40}/gu) ?? []) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.trimEnd().length <= LABEL_LIMIT) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  return lines.map((line) => ({ label: line.trimEnd().replaceAll('&', '&&'), enabled: false }));
}
