import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rawRequest } from '#test/helpers/raw-request.ts';
import { startTestService } from '#test/helpers/service.ts';

it('never redirects to a folder, whatever the spelling of its path', async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'pixdock-web-'));
  onTestFinished(() => rm(webRoot, { recursive: true, force: true }));
  await mkdir(join(webRoot, 'assets'));
  for (const name of ['index', 'entry']) await writeFile(join(webRoot, `${name}.html`), '<title>Pixdock</title>');
  await using service = await startTestService({ webRoot });
  for (const path of ['/assets', '/assets/', '//assets', '//evil.example/..', '//evil.example/%2e%2e', '/%5cevil.example/..']) {
    const { status, header } = await rawRequest(`${service.url}${path}`);
    expect([path, header('location')]).toEqual([path, undefined]);
    expect([200, 404]).toContain(status);
    expect(header('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});
