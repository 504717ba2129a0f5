import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { toAscii } from '../../scripts/ascii-source.ts';

it('escapes every character beyond ASCII without changing the program', () => {
  const sources = [
    "'“图片” 😀'",
    String.raw`'\’ \\’ \\\’ \n é'`,
    '`… \\n 图`',
    "/^[😀é–]+$/u.test('é😀–')",
    String.raw`/\\é|é/.exec('é')[0]`,
    "(() => { /* – */ const größe = 'ß'; return größe; })()",
  ];
  for (const source of sources) {
    const escaped = toAscii(source);
    expect(Buffer.byteLength(escaped)).toBe(escaped.length);
    expect(runInThisContext(escaped)).toEqual(runInThisContext(source));
  }
});

it('leaves other characters and escapes as they are', () => {
  const source = String.raw`const text = '\u00e9\\u00e9\'';`;
  expect(toAscii(source)).toBe(source);
});
