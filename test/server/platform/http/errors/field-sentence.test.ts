import { expect, it } from 'vitest';
import { setUp, startTestService } from '#test/helpers/service/service.ts';

it('describes invalid fields in plain sentences', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const messageOf = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await owner.fetch(`/api/v1${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
    return ((await response.json()) as { message: string }).message;
  };
  const keys = (length: number) => Array.from({ length }, () => 'abcdefABCDEF');
  expect(await messageOf('/albums', {})).toBe('The field “name” isn’t valid: it’s missing.');
  expect(await messageOf('/albums', { name: 5 })).toBe('The field “name” isn’t valid: it must be a string.');
  expect(await messageOf('/albums', { name: ' ' })).toBe('The field “name” isn’t valid: it’s empty.');
  expect(await messageOf('/albums', { name: 'x'.repeat(201) })).toBe('The field “name” isn’t valid: it must have at most 200 characters.');
  expect(await messageOf('/albums', { name: 'x', visibility: 'x' })).toBe(
    'The field “visibility” isn’t valid: it must be one of public, private.',
  );
  expect(await messageOf('/albums', [])).toBe('The request isn’t valid: it must be an object.');
  expect(await messageOf('/images?limit=abc')).toBe('The field “limit” isn’t valid: it must be a number.');
  expect(await messageOf('/images?limit=1.5')).toBe('The field “limit” isn’t valid: it must be a whole number.');
  expect(await messageOf('/images?limit=0')).toBe('The field “limit” isn’t valid: it must be at least 1.');
  expect(await messageOf('/images?limit=201')).toBe('The field “limit” isn’t valid: it must be at most 200.');
  expect(await messageOf('/images?from=spring')).toBe('The field “from” isn’t valid: it matches none of the allowed formats.');
  expect(await messageOf('/images/batch', { action: 'trash', keys: keys(501) })).toBe(
    'The field “keys” isn’t valid: it must have at most 500 entries.',
  );
  expect(await messageOf('/images/batch', { action: 'burn', keys: keys(1) })).toMatch(/^The field “action” isn’t valid: it /);
  expect(await messageOf('/upload/url', { url: 'https://example.org/a.png', taken_at: 'spring' })).toBe(
    'The field “taken_at” isn’t valid: it must be a time such as 2026-11-21T09:30:00Z.',
  );
});
