import { expect, it } from 'vitest';
import { addressesIn, isOwnLink, nameOfAddress } from '#renderer/upload/sources/addresses.ts';

it('finds web addresses in a text that holds nothing else', () => {
  expect(addressesIn(' https://example.org/a.png\r\nHTTP://example.org/b\n\nhttps://example.org/a.png ')).toEqual([
    'https://example.org/a.png',
    'HTTP://example.org/b',
  ]);
});

it.each([
  '',
  'a text',
  'see https://example.org/a.png',
  'https://example.org/a.png and more',
  'ftp://example.org/a.png',
  'javascript:alert(1)',
  'https://',
  'https://example.org/a\nnotes',
  Array.from({ length: 21 }, (_, index) => `https://example.org/${index}`).join('\n'),
])('finds none in %j', (text) => {
  expect(addressesIn(text)).toBeUndefined();
});

it('knows the links of its own site', () => {
  const own = ['http://127.0.0.1:7420', 'https://pics.example.org', null];
  expect(isOwnLink('https://pics.example.org/i/AbCdEfGhIjKl.jpg', own)).toBe(true);
  expect(isOwnLink('http://127.0.0.1:7420/s/AbCdEfGhIjKl', own)).toBe(true);
  expect(isOwnLink('https://pics.example.org/albums', own)).toBe(false);
  expect(isOwnLink('https://example.org/i/AbCdEfGhIjKl.jpg', own)).toBe(false);
});

it('names a picture after its address', () => {
  expect(nameOfAddress('https://example.org/a/K%C3%BCche.jpg?w=1')).toBe('Küche.jpg');
  expect(nameOfAddress('https://example.org/100%.jpg')).toBe('100%.jpg');
  expect(nameOfAddress('https://example.org/')).toBe('example.org');
});
