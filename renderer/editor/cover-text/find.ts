import type { TextLine } from '#api/images/text.ts';
import { clamp, type Rect, type Size } from '#renderer/editor/geometry.ts';

/** What others mostly shouldn't see. */
export const FINDINGS = ['email', 'phone', 'card', 'token', 'typed'] as const;
export type FindingKind = (typeof FINDINGS)[number];

/** A piece of text, and where it is in the picture. */
export interface Finding {
  kind: FindingKind;
  text: string;
  /** In pixels of the upright picture. */
  rect: Rect;
}

interface Range {
  kind: FindingKind;
  from: number;
  to: number;
}

// Tried only where a run of its characters begins, or the time would grow with the square of a line's length. So is what looks like a token.
const EMAIL = /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+\s?@\s?[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu;
/** Digits in groups, as phone and card numbers are written. */
const NUMBER = /(?<![\p{L}\d])\+?\(?\d(?:[\s().\-–/]{0,2}\d){6,22}(?![\p{L}\d])/gu;
/** Secrets that begin with the name of what they are for, and long ones that mix letters and digits. */
const TOKEN =
  /(?:(?<![\p{L}\d])(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abp]|pxd|npm|AKIA|ASIA|AIza|eyJ)[_-]?[A-Za-z0-9_.-]{12,}|(?<![A-Za-z0-9_-])(?=(?:[A-Za-z_-]*\d){2})(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,})/gu;

const PHONE_DIGITS = { least: 8, most: 15 };
const CARD_DIGITS = { least: 13, most: 19 };

/** The e-mail addresses, phone and card numbers and tokens in the text of a picture, and everything that contains what the user has typed. */
export function findText(lines: readonly TextLine[], typed: string, size: Size): Finding[] {
  return lines.flatMap((line) => toFindings(line, rangesIn(line.text, typed), size));
}

function rangesIn(text: string, typed: string): Range[] {
  const found: Range[] = [];
  const taken = new Uint8Array(text.length);
  const add = (kind: FindingKind, from: number, to: number) => {
    if (taken.subarray(from, to).includes(1)) return;
    taken.fill(1, from, to);
    found.push({ kind, from, to });
  };
  for (const { index, 0: match } of text.matchAll(EMAIL)) add('email', index, index + match.length);
  for (const { index, 0: match } of text.matchAll(TOKEN)) add('token', index, index + match.length);
  for (const { index, 0: match } of text.matchAll(NUMBER)) {
    const kind = kindOfNumber(match);
    if (kind) add(kind, index, index + match.length);
  }
  const [searched, word] = [lowerCase(text), lowerCase(typed.trim())];
  if (word !== '')
    for (let at = searched.indexOf(word); at >= 0; at = searched.indexOf(word, at + word.length)) add('typed', at, at + word.length);
  return found.sort((one, other) => one.from - other.from);
}

/** In lower case, with every character in the place that it had: that of “İ” is two characters. */
const lowerCase = (text: string) =>
  Array.from(text, (character) => {
    const lower = character.toLowerCase();
    return lower.length === character.length ? lower : character;
  }).join('');

function kindOfNumber(match: string): 'card' | 'phone' | undefined {
  const digits = match.replace(/\D/g, '');
  if (digits.length >= CARD_DIGITS.least && digits.length <= CARD_DIGITS.most && hasCheckDigit(digits)) return 'card';
  if (isDate(match) || digits.length < PHONE_DIGITS.least || digits.length > PHONE_DIGITS.most) return undefined;
  return match.startsWith('+') || /[\s().\-–/]/.test(match) || /^[01]/.test(digits) ? 'phone' : undefined;
}

/** Dates and times, versions and addresses of the internet protocol have as many digits. */
const isDate = (match: string) =>
  /^(19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}/.test(match) ||
  /^\d{1,2}[-./]\d{1,2}[-./](19|20)\d\d/.test(match) ||
  /^\d+(\.\d+){2,}$/.test(match);

/** The check of payment cards (ISO/IEC 7812, Luhn). */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/**
 * Whole words are covered: a part that was left visible might say enough.
 * @param ranges in their order, apart from each other
 */
function toFindings({ text, box, words = [] }: TextLine, ranges: readonly Range[], size: Size): Finding[] {
  if (ranges.length === 0) return [];
  let at = 0;
  const placed = words.flatMap((word) => {
    const from = text.indexOf(word.text, at);
    if (from < 0) return [];
    at = from + word.text.length;
    return [{ from, to: at, box: word.box }];
  });
  let first = 0;
  return ranges.map(({ kind, from, to }) => {
    while ((placed[first]?.to ?? Infinity) <= from) first++;
    let after = first;
    while ((placed[after]?.from ?? Infinity) < to) after++;
    const boxes = placed.slice(first, after).map((word) => word.box);
    return { kind, text: text.slice(from, to), rect: around(boxes.length > 0 ? boxes : [box], size) };
  });
}

/** A box around others with a margin, since letters reach beyond what is recognised of them. */
function around(boxes: readonly TextLine['box'][], size: Size): Rect {
  const height = Math.max(...boxes.map((box) => box[3]));
  const margin = Math.ceil(2 + height * 0.15);
  const left = clamp(Math.min(...boxes.map(([x]) => x)) - margin, 0, size.width - 1);
  const top = clamp(Math.min(...boxes.map(([, y]) => y)) - margin, 0, size.height - 1);
  const right = clamp(Math.max(...boxes.map(([x, , width]) => x + width)) + margin, left + 1, size.width);
  const bottom = clamp(Math.max(...boxes.map(([, y, , tall]) => y + tall)) + margin, top + 1, size.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
