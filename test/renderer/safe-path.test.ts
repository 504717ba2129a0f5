import { expect, it } from 'vitest';
import { safePath } from '#renderer/safe-path.ts';

it.each(['/', '/albums?x=1#y', '/?q=%E4%B8%AD', '/settings//x'])('%j is a path of this site', (path) => {
  expect(safePath(path)).toBe(path);
});

it.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'albums',
  '',
  undefined,
  7,
])('%j is none', (value) => {
  expect(safePath(value)).toBeUndefined();
});
