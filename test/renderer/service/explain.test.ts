import { expect, it } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import { explain } from '#renderer/service/explain.ts';

const translate = ((key: string) => key) as unknown as Parameters<typeof explain>[1];
const format = { bytes: String, wait: String, list: String };
const full = (details: object) => new ApiError(413, 'full', { code: 'quota_exceeded', ...details });

it('tells guests of the storage of all guests, not of a trash that they don’t have', () => {
  expect(explain(full({ guests: true }), translate, 'zh', format).next).toBe('errors.guests_full.next');
  expect(explain(full({}), translate, 'zh', format).next).toBe('errors.quota_exceeded.next');
});

it('translates why something isn’t possible as things are, and names what is in the way', () => {
  const values: object[] = [];
  const keep = ((_key: string, given: object) => values.push(given)) as unknown as typeof translate;
  const refused = new ApiError(409, 'English.', { code: 'conflict', problem: 'policy_in_use', subject: 'Team' });
  explain(refused, keep, 'zh', format);
  expect(values).toEqual([{ limit: 0, subject: 'Team', defaultValue: 'English.' }]);
  expect(explain(refused, translate, 'zh', format)).toEqual({ what: 'problems.policy_in_use', next: '' });
});

it('explains the refusals of proxies', () => {
  const known = (status?: number) => explain(new NetworkError('no', { ...(status && { status }) }), translate, 'en', format).what;
  expect([413, 507, 502, undefined].map(known)).toEqual([
    'errors.body_too_large.what',
    'errors.storage_full.what',
    'errors.network.what',
    'errors.network.what',
  ]);
});

it('translates why a field was refused', () => {
  const refused = new ApiError(400, 'English.', { code: 'invalid_request', field: 'folder', problem: 'folder_missing' });
  for (const language of ['en', 'zh'])
    expect(explain(refused, translate, language, format)).toEqual({ what: 'problems.folder_missing', next: '' });
});
