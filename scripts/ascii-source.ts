/**
 * Escapes all non-ASCII characters of a program, in strings, templates and patterns: a single one makes V8 keep the whole
 * file with two bytes per character. Not for `String.raw`.
 */
export function toAscii(code: string): string {
  // A backslash and the next character belong together. Before a non-ASCII character, a backslash has no meaning, unless that one ends a line, which bundled code never does there.
  return code.replace(/\\.|[\u0080-\uffff]/gs, (found) => {
    const unit = found.charCodeAt(found.length - 1);
    return unit < 0x80 ? found : `\\u${unit.toString(16).padStart(4, '0')}`;
  });
}
