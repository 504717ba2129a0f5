import { expect, it } from 'vitest';
import { describe, Reason } from '#main/base/reasons.ts';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';

it('follows the reason with the other program’s words, as the language joins sentences', () => {
  const reason = new Reason('captureFailed', { detail: 'maim: no display' });
  expect(describe(reason, en)).toBe('Couldn’t take the screenshot. maim: no display');
  expect(describe(reason, zh)).toBe('截图失败。maim: no display');
  expect(describe(new Reason('fileEmpty'), zh)).toBe('文件是空的。');
});
