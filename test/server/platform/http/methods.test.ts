import { expect, it } from 'vitest';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { startTestService } from '#test/helpers/service/service.ts';

it('rejects other methods on read-only routes and lists the allowed ones', async () => {
  await using service = await startTestService();
  for (const path of [
    '/healthz',
    '/api/v1/openapi.json',
    '/docs/api',
    '/i/abcdefghijkl.png',
    '/t/abcdefghijkl.jpg',
    '/s/abcdefghijkl',
    '/a/abcdefghij',
  ])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await rawRequest(`${service.url}${path}`, { method });
      expect([path, method, response.status, response.code, response.header('allow')]).toEqual([
        path,
        method,
        405,
        'method_not_allowed',
        'GET, HEAD',
      ]);
    }
});
