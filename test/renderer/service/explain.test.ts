import { onlineManager } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '#api/errors.ts';
import { en } from '#renderer/i18n/en.ts';
import { i18n } from '#renderer/i18n/t.ts';
import { zh } from '#renderer/i18n/zh.ts';
import { compareAddresses } from '#renderer/service/compare-addresses.ts';
import { explain, LocalRefusal } from '#renderer/service/explain.ts';
import { createQueryClient } from '#renderer/service/query-client.ts';

const FORMAT = {
  bytes: (bytes: number) => `${bytes} B`,
  length: (seconds: number) => `${seconds} s`,
  wait: (seconds: number) => `${seconds} s`,
  list: (words: readonly string[]) => words.join(', '),
};

i18n.add('en', 'translation', en).add('zh', 'translation', zh);

/** What users read about an error. */
const explained = (language: 'en' | 'zh') => (error: unknown, as?: Parameters<typeof explain>[1]['as']) => {
  i18n.changeLanguage(language);
  return explain(error, { t: i18n.getT('translation'), language, format: FORMAT, as });
};
const inEnglish = explained('en');
const inChinese = explained('zh');

const refused = (code: ErrorCode, details: Partial<ErrorDetails> = {}) =>
  new ApiError(ERROR_STATUS[code], 'The service’s sentence.', { code, ...details });

describe.each(Object.keys(ERROR_STATUS) as ErrorCode[])('%s', (code) => {
  it('is explained by the service in English, by the page in Chinese', () => {
    const values = { max_bytes: 9, allowed_exts: ['png'], retry_after: 7, request_id: 'r1' };
    expect(inEnglish(refused(code, values)).what).toBe('The service’s sentence.');
    const { what, next } = inChinese(refused(code, values));
    expect(what).toMatch(/\p{Script=Han}/u);
    expect(what + next).not.toMatch(/\{\{|errors\./);
  });
});

it('adds the values of an error, and its ID', () => {
  expect(inChinese(refused('file_too_large', { max_bytes: 9 })).what).toBe('文件超过 9 B。');
  expect(inChinese(refused('rate_limited', { retry_after: 7 })).next).toBe('请在 7 s后重试。');
  expect(inEnglish(refused('internal', { request_id: 'r1' })).next).toBe('Error ID: r1');
  expect(inEnglish(refused('forbidden', { request_id: 'r1' })).next).toBe('');
});

it('tells guests of the storage of all guests, not of a trash that they don’t have', () => {
  expect(inChinese(refused('quota_exceeded', { guests: true })).next).toBe('请稍后重试，或登录后上传。');
  expect(inChinese(refused('quota_exceeded')).next).toBe('请删除不再需要的图片并清空回收站。');
});

it('explains in both languages what the page refuses itself', () => {
  const tooLarge = new LocalRefusal({ code: 'file_too_large', max_bytes: 9 });
  expect(inEnglish(tooLarge).what).toBe('This file is larger than 9 B.');
  expect(inChinese(tooLarge).what).toBe('文件超过 9 B。');
  expect(inEnglish(new LocalRefusal({ code: 'ext_not_allowed', allowed_exts: ['png'] })).next).toBe('Allowed formats: png.');
  expect(inEnglish(new LocalRefusal({ code: 'ext_not_allowed', allowed_exts: [] })).next).toBe('');
  expect(inEnglish(new LocalRefusal({ code: 'video_too_long', max_seconds: 60 })).what).toBe('This video is longer than 60 s.');
});

it('uses the page’s own words where the service’s would mislead', () => {
  const error = refused('unauthorized');
  expect(inEnglish(error, 'wrong_login').what).toBe('Incorrect username or password.');
  expect(inChinese(error, 'wrong_login').what).toBe('用户名或密码不正确。');
  expect(inEnglish(error, 'step_over')).toEqual({ what: 'Your sign-in timed out.', next: 'Go back and enter your password again.' });
});

it('explains the refusals of proxies', () => {
  const refusedBy = (status: number) => inEnglish(new NetworkError('no', { status })).what;
  expect([413, 507, 502].map(refusedBy)).toEqual(['The request is too large.', 'The server’s disk is full.', 'Couldn’t reach Pixdock.']);
});

it('explains failures that aren’t refusals', () => {
  expect(inEnglish(new NetworkError('fetch failed')).what).toBe('Couldn’t reach Pixdock.');
  expect(inEnglish(new TypeError('x is undefined')).what).toBe('Something went wrong.');
});

it('translates why something isn’t possible as things are, and names what is in the way', () => {
  const inUse = refused('conflict', { problem: 'policy_in_use', subject: 'Team' });
  expect(inChinese(inUse)).toEqual({ what: '以下用户组正在使用此策略：Team。请先从这些用户组中移除。', next: '' });
});

it('translates why a field was refused, with its limit', () => {
  const short = refused('invalid_request', { field: 'password', problem: 'too_short', limit: 10 });
  expect(inEnglish(short)).toEqual({ what: 'Enter at least 10 characters.', next: '' });
  expect(inChinese(short)).toEqual({ what: '至少需要 10 个字符。', next: '' });
});

it('shows the service’s sentence where only that says which value is wrong', () => {
  expect(inChinese(refused('invalid_request', { field: 'name' }))).toEqual({ what: '部分内容无效。', next: 'The service’s sentence.' });
});

it('shows the service’s sentence for codes and problems of newer services', () => {
  const newer = { what: 'The service’s sentence.', next: '' };
  for (const shown of [inEnglish, inChinese]) {
    expect(shown(new ApiError(418, 'The service’s sentence.', { code: 'from_the_future' as ErrorCode }))).toEqual(newer);
    expect(shown(refused('conflict', { problem: 'from_the_future' as 'policy_in_use' }))).toEqual(newer);
  }
});

it('any response after an outage reloads the queries that failed', async () => {
  const queryClient = createQueryClient(() => undefined);
  let away = true;
  const images = async () => {
    if (away) throw new NetworkError('Could not reach the service.');
    return ['one.jpg'];
  };
  await queryClient.prefetchQuery({ queryKey: ['pictures'], queryFn: images, retry: false });
  expect(queryClient.getQueryState(['pictures'])?.status).toBe('error');
  expect(onlineManager.isOnline()).toBe(false);
  away = false;
  await queryClient.prefetchQuery({ queryKey: ['limits'], queryFn: async () => 'another response' });
  expect(onlineManager.isOnline()).toBe(true);
  await expect.poll(() => queryClient.getQueryData(['pictures'])).toEqual(['one.jpg']);
  queryClient.clear();
});

it.each([
  ['http://pixdock.test:7610', 'http://127.0.0.1:7610', true],
  ['http://192.168.1.5:7610', 'http://localhost:7610', true],
  ['http://192.168.1.5:7610', 'http://[::1]:7610', true],
  ['http://192.168.1.5:7610', 'https://pics.example.org', false],
  ['http://pics.example.org', 'https://pics.example.org', false],
])('a page at %s differs from links at %s', (page, links, local) => {
  expect(compareAddresses(page, links)).toEqual({ page, links, local });
});

it.each([
  ['https://pics.example.org', 'https://pics.example.org'],
  ['http://127.0.0.1:7610', 'https://pics.example.org'],
  ['http://localhost:7610', 'http://127.0.0.1:7610'],
])('a page at %s on the server itself, or at the link address, is no difference to %s', (page, links) => {
  expect(compareAddresses(page, links)).toBeUndefined();
});
