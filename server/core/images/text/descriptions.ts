/** Control characters except for line breaks, and those that change the text direction. */
const DECEPTIVE = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A title or an alternative text as it is stored: one line, without control characters. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ');
}

/** A caption as it is stored: lines without control characters, at most one of them empty in a row. */
export function cleanText(text: string): string {
  const lines = text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n').replace(/\t/g, ' ');
  return lines
    .replace(DECEPTIVE, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
