import { expect, it } from 'vitest';
import { joinSentences } from '#renderer/i18n/sentences.ts';

it('joins sentences as their language does', () => {
  expect(joinSentences('Incorrect password.', 'Check it and try again.')).toBe('Incorrect password. Check it and try again.');
  expect(joinSentences('密码不正确。', '请检查后重试。')).toBe('密码不正确。请检查后重试。');
  expect(joinSentences('部分内容无效。', 'The name is too long.')).toBe('部分内容无效。The name is too long.');
  expect(joinSentences('A password is required.', '')).toBe('A password is required.');
});
