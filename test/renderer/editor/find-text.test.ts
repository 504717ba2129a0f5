import { expect, it } from 'vitest';
import type { TextLine } from '#api/images/text.ts';
import { findText } from '#renderer/editor/cover-text/find.ts';

const size = { width: 800, height: 600 };

/** A line whose words are 10 pixels wide per character, in a row. */
function lineOf(text: string, y = 100): TextLine {
  let at = 0;
  const words = text.split(' ').map((word) => {
    const box: TextLine['box'] = [at * 10, y, word.length * 10, 20];
    at += word.length + 1;
    return { text: word, box };
  });
  return { text, box: [0, y, text.length * 10, 20], words };
}

const found = (text: string, typed = '') => findText([lineOf(text)], typed, size).map(({ kind, text: part }) => [kind, part]);

it.each([
  ['Write to ann.lee+work@mail.example.org today', [['email', 'ann.lee+work@mail.example.org']]],
  [
    'Call +49 30 1234567 or (030) 123-4567',
    [
      ['phone', '+49 30 1234567'],
      ['phone', '(030) 123-4567'],
    ],
  ],
  ['手机 138 0013 8000 请拨打', [['phone', '138 0013 8000']]],
  ['Card 4111 1111 1111 1111 exp 12/29', [['card', '4111 1111 1111 1111']]],
  ['token ghp_16C7e42F292c6912E7710c838347Ae178B4a', [['token', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a']]],
  ['key 9f86d081884c7d659a2feaa0c55ad015', [['token', '9f86d081884c7d659a2feaa0c55ad015']]],
  ['密钥9f86d081884c7d659a2feaa0c55ad015', [['token', '9f86d081884c7d659a2feaa0c55ad015']]],
])('finds what others shouldn’t see in “%s”', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

it.each(['2026-11-27 10:15', '27.11.2026', 'version 1.2.34.5678', '192.168.100.200', '1234567', 'internationalisation2', 'Order 48213'])(
  'leaves “%s” alone',
  (text) => {
    expect(found(text)).toEqual([]);
  },
);

it('finds every occurrence of a typed word, whatever its case', () => {
  expect(found('Project Falcon and falcons', 'falcon')).toEqual([
    ['typed', 'Falcon'],
    ['typed', 'falcon'],
  ]);
  expect(found('nothing', '  ')).toEqual([]);
});

it('covers the typed word where a letter before it is longer in lower case', () => {
  const [word] = findText([lineOf('İİİİİİ ann bob')], 'bob', size);
  expect(word).toMatchObject({ text: 'bob', rect: { x: 105, width: 40 } });
});

it.each(['a', 'a.', 'a-', 'a ', '1-', '@a.', 'a@a', 'a@b.c ', 'sk-'])(
  // In time that grew with the square of the length, the longest took 38 s.
  'looks through 50,000 characters of “%s” in time',
  (part) => {
    const text = part.repeat(50_000 / part.length);
    for (const found of findText([lineOf(text)], 'a', size)) expect(text).toContain(found.text);
  },
);

it('covers whole words with a margin, inside the picture', () => {
  const [number] = findText([lineOf('Call +49 30 1234567', 590)], '', size);
  // From the beginning of “+49” to the end of the line, 5 pixels around it, and no further than the lower edge.
  expect(number?.rect).toEqual({ x: 45, y: 585, width: 150, height: 15 });
  const [part] = findText([lineOf('Falcons')], 'alco', size);
  expect(part?.rect).toEqual({ x: 0, y: 95, width: 75, height: 30 });
});

it('covers the line where its words aren’t known', () => {
  const { words: _, ...line } = lineOf('a@b.example', 0);
  expect(findText([line], '', size)[0]?.rect).toEqual({ x: 0, y: 0, width: 115, height: 25 });
});
