import { randomText } from './secret-text.ts';

/** Letters and digits that aren't mistaken for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const GROUP_LENGTH = 4;

/** A random code to be read and typed by a person: `groups` of four characters, such as `K7QM-3XWD-9RTF`. */
export function newReadableCode(groups: number): string {
  return Array.from({ length: groups }, () => randomText(GROUP_LENGTH, ALPHABET)).join('-');
}

/** Makes the same kind of code from random bytes, at least four per group. */
export function readableCodeOf(bytes: Buffer, groups: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  const base = BigInt(ALPHABET.length);
  const letter = () => {
    const index = Number(rest % base);
    rest /= base;
    return ALPHABET[index];
  };
  return Array.from({ length: groups }, () => Array.from({ length: GROUP_LENGTH }, letter).join('')).join('-');
}

/** A typed code without what people add or change: case, dashes and spaces don't matter. */
export function normalCode(typed: string): string {
  return typed.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

/** A typed code as it was shown. */
export function shownCode(typed: string): string {
  return (normalCode(typed).match(/.{1,4}/g) ?? []).join('-');
}
