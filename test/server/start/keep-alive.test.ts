import { expect, it } from 'vitest';
import { startTestService } from '#test/helpers/service.ts';

it('keeps idle connections open for longer than the 60 s of pools and proxies', async () => {
  await using service = await startTestService();
  const response = await fetch(`${service.url}/healthz`);
  await response.text();
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});
