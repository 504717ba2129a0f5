/** Text that users write for others, in the form that is stored and shown: it can't deceive or disturb its readers. Uses no schemas, so that every program can import it. */

const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;
/** Sequences that control a terminal, with their letters, which mean nothing alone (ECMA-48): to set colours and the like, for strings such as titles, others. */
const ESCAPE_SEQUENCES = sequences('\u001b', '\u0007');
/** Directions, soft hyphens, fillers, zero-width spaces and the like; not what joins letters or emoji, chooses their form, or draws flags. */
const INVISIBLE =
  /(?!\p{Join_Control}|\p{Variation_Selector}|[\u{e0000}-\u{e007f}])\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}/gu;
/** Letters of tags, which hide whole texts, except in the flags of England and the like. */
const TAGS = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;
const CONTROLS = /[^\P{Cc}\n]/gu;
/** Something to see: more than joiners, accents and blanks. */
const VISIBLE = /[^\s\u2800\p{Join_Control}\p{Mark}]/u;

function sequences(esc: string, bell: string): RegExp {
  const colours = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
  const strings = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${bell}${esc}\u009c]*(?:${bell}|${esc}\\\\|\u009c)?`;
  return new RegExp(`${colours}|${strings}|${esc}[ -/]*[0-~]`, 'g');
}

/** A text of several lines as it is stored: without control characters and what is invisible, with at most one empty line in a row. */
export function cleanText(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(TAGS, '$1')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(LINE_BREAKS, '\n')
    .replace(/\t/g, ' ')
    .replace(CONTROLS, '')
    .normalize('NFC')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return VISIBLE.test(clean) ? clean : '';
}

/** The same where one line is meant, such as a name or a title. */
export const cleanLine = (text: string): string =>
  cleanText(text)
    .replace(/[\s\u2800]+/g, ' ')
    .trim();

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const bytes = new TextEncoder();

/** The characters of a text as people see them. */
export const charactersOf = (text: string): string[] => Array.from(segments.segment(text), ({ segment }) => segment);

/** Bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => bytes.encode(text).length;

/**
 * The beginning of a text, cut between characters as people see them: an emoji of several parts, or a letter with its accents, stays whole.
 * @param sizeOf what `max` counts; by default the units of strings, as limits of the contract do
 */
export function cutText(text: string, max: number, sizeOf: (part: string) => number = (part) => part.length): string {
  if (sizeOf(text) <= max) return text;
  let end = 0;
  let size = 0;
  for (const { segment, index } of segments.segment(text)) {
    size += sizeOf(segment);
    if (size > max) return end > 0 ? text.slice(0, end) : cutInside(segment, max, sizeOf);
    end = index + segment.length;
  }
  return text;
}

/** The end of a text after an ellipsis, cut between characters. Of a path, it says more than the beginning. */
export function cutStart(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = charactersOf(text);
  for (let { length } = text; length >= max; ) length -= kept.shift()?.length ?? length;
  return `…${kept.join('').trim()}`;
}

/** Any number of accents may belong to one letter. */
function cutInside(character: string, max: number, sizeOf: (part: string) => number): string {
  let cut = '';
  let size = 0;
  for (const part of character) {
    size += sizeOf(part);
    if (size > max) break;
    cut += part;
  }
  return cut;
}
