import { expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import { ERROR_STATUS, type ErrorCode } from '#api/errors.ts';
import { describe, describeFailure, Reason } from '#main/base/reasons.ts';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';

it('follows the reason with the other program’s words, as the language joins sentences', () => {
  const reason = new Reason('captureFailed', { detail: 'maim: no display' });
  expect(describe(reason, en)).toBe('Couldn’t take the screenshot. maim: no display');
  expect(describe(reason, zh)).toBe('截图失败。maim: no display');
  expect(describe(new Reason('fileEmpty'), zh)).toBe('文件是空的。');
});

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

it.each(CODES)('explains %s in Chinese, in English as the service does', (code) => {
  const refused = new ApiError(ERROR_STATUS[code], 'The service’s own words.', { code });
  expect(describe(refused, en)).toBe('The service’s own words.');
  expect(describe(refused, zh)).toMatch(/^[\p{Script=Han}\p{P}]*\p{Script=Han}|^Pixdock /u);
  expect(code === 'invalid_request' || !describe(refused, zh).includes('own words')).toBe(true);
});

it('keeps the service’s message where only that says which value is wrong, or the code is unknown', () => {
  const refusal = { kind: 'refusal', message: 'The field “name” is too long.' } as const;
  expect(describeFailure({ ...refusal, code: 'invalid_request' }, zh)).toBe('部分内容无效。The field “name” is too long.');
  expect(describeFailure({ ...refusal, code: 'from_the_future' }, zh)).toBe('The field “name” is too long.');
});
