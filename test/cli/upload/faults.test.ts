import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '#test/cli/run-cli.ts';
import { accept, closeReused, html, refuse, reset, silence, startScriptedService, uploadedImage } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const LINK = 'https://pics.example.org/i/b7Rk2mQx9LpT.jpg\n';

async function homeWithImage() {
  const home = temporaryFolder();
  await writeFile(join(home, 'cat.jpg'), 'not really a picture, but no matter here');
  return home;
}

/** Uploads one file to a scripted service. */
async function uploadTo(script: Parameters<typeof startScriptedService>[0], args: string[] = [], env: Record<string, string> = {}) {
  const home = await homeWithImage();
  await using service = await startScriptedService(script);
  const result = await runCli(home, ['upload', 'cat.jpg', ...args], { env: { PIXDOCK_BASE_URL: service.url, ...env } });
  return { ...result, seen: service.seen, url: service.url };
}

describe('pixdock upload over a bad network', () => {
  it.each([
    ['a broken connection', reset],
    ['500', refuse(500, 'Something went wrong.', { code: 'internal' })],
    ['503', refuse(503, 'Starting.', { code: 'unavailable' })],
    ["a proxy's 502", html(502)],
    ['429', refuse(429, 'Too fast.', { code: 'rate_limited' })],
  ])('retries after %s, with the whole file', async (_, fault) => {
    const { stdout, stderr, code, seen } = await uploadTo([fault, fault, accept()]);
    expect({ stdout, stderr, code }).toEqual({ stdout: LINK, stderr: '', code: 0 });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([expect.stringMatching(/^[\w-]{36}$/)]));
    for (const { body } of seen.slice(-1)) expect(body.toString()).toContain('not really a picture, but no matter here');
  });

  it('replaces a kept-alive connection that the server has closed, without using up a retry', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([closeReused(accept())]);
    const files = Array.from({ length: 8 }, () => 'cat.jpg');
    const env = { PIXDOCK_BASE_URL: service.url };
    const { stdout, stderr, code } = await runCli(home, ['upload', ...files, '--retries', '0'], { env });
    expect({ stdout, stderr, code }).toEqual({ stdout: LINK.repeat(8), stderr: '', code: 0 });
    expect(service.seen.length).toBeGreaterThan(8);
    expect(new Set(service.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(8);
    expect(new Set(service.seen.map(({ body }) => body.toString().includes('not really a picture')))).toEqual(new Set([true]));
  });

  it('waits as long as Retry-After asks, and reports it', async () => {
    const start = performance.now();
    const { code, stderr, seen } = await uploadTo([refuse(429, 'In a hurry?', { code: 'rate_limited' }, { 'retry-after': '3' }), accept()]);
    expect({ code, stderr, tries: seen.length }).toEqual({ code: 0, stderr: 'pixdock: In a hurry? Retrying in 3 s.\n', tries: 2 });
    expect(performance.now() - start).toBeGreaterThan(3000);
  });

  it("doesn't wait for an hour", async () => {
    const { code, stderr, seen } = await uploadTo([refuse(429, 'Too many uploads.', { code: 'rate_limited' }, { 'retry-after': '3600' })]);
    expect({ code, stderr, tries: seen.length }).toEqual({ code: 1, stderr: 'pixdock: cat.jpg: Too many uploads.\n', tries: 1 });
  });

  it('gives up an attempt without progress', async () => {
    const { stdout, code, seen } = await uploadTo([silence, accept()], ['--timeout', '1']);
    expect({ stdout, code, tries: seen.length }).toEqual({ stdout: LINK, code: 0, tries: 2 });
  });

  it('fails with the reason after the last retry', async () => {
    const { stdout, stderr, code, seen, url } = await uploadTo([reset], ['--retries', '2']);
    expect({ stdout, code, tries: seen.length }).toEqual({ stdout: '', code: 1, tries: 3 });
    expect(stderr).toBe(`pixdock: cat.jpg: Could not reach ${url}: the connection was lost.\n`);
  });

  it.each([
    [
      '401',
      refuse(401, 'The token is not valid.', { code: 'unauthorized' }),
      /The token is not valid\. Run `pixdock login http:\/\/127\.0\.0\.1:\d+`\.\n/,
    ],
    [
      '403',
      refuse(403, 'Guests may not upload here.', { code: 'guest_disabled' }),
      /Guests may not upload here\. Run `pixdock login http:\/\/127\.0\.0\.1:\d+` to upload/,
    ],
    ['413', refuse(413, 'The file is larger than 10 MB.', { code: 'file_too_large' }), /The file is larger than 10 MB\./],
    ["a proxy's 413", html(413), /HTTP 413\) isn’t from Pixdock.*client_max_body_size/],
    ["another program's response", html(200), /HTTP 200\) isn’t from Pixdock/],
    [
      'a redirect',
      html(301, { location: 'https://pics.example.org/api/v1/upload' }),
      /it redirects to https:\/\/pics\.example\.org\. Use that address/,
    ],
  ])("doesn't retry after %s", async (_, refusal, reason) => {
    const { stdout, stderr, code, seen } = await uploadTo([refusal]);
    expect({ stdout, code, tries: seen.length }).toEqual({ stdout: '', code: 1, tries: 1 });
    expect(stderr).toMatch(/^pixdock: cat\.jpg: .*\n$/);
    expect(stderr).toMatch(reason);
  });

  it('stops at a full disk, and reports it once', async () => {
    const home = await homeWithImage();
    const full = 'The server’s disk is full, so nothing was stored. Free up space and try again.';
    await using service = await startScriptedService([refuse(507, full, { code: 'storage_full', retry: 'later' }, { 'retry-after': '1' })]);
    const files = Array.from({ length: 9 }, () => 'cat.jpg');
    const { stdout, stderr, code } = await runCli(home, ['upload', ...files, '--base-url', service.url]);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toBe(`pixdock: cat.jpg: ${full}\npixdock: Stopped early: 8 files were not uploaded.\n`);
    expect(service.seen.length).toBeLessThanOrEqual(3);
  });

  it('sends a file with a new key if the server can’t use the first one again', async () => {
    const refusal = refuse(409, 'Use a new key.', { code: 'idempotency_conflict', retry: 'new_key' });
    const { stdout, code, seen } = await uploadTo([reset, refusal, accept()]);
    expect({ stdout, code }).toEqual({ stdout: LINK, code: 0 });
    const [first, again, renewed] = seen.map(({ headers }) => headers['idempotency-key']);
    expect(again).toBe(first);
    expect(renewed).not.toBe(first);
  });

  it('reports an address where nothing listens', async () => {
    const home = await homeWithImage();
    const service = await startScriptedService([accept()]);
    await service[Symbol.asyncDispose]();
    const { stderr, code } = await runCli(home, ['upload', 'cat.jpg', '--base-url', service.url, '--retries', '0']);
    expect(code).toBe(1);
    expect(stderr).toBe(`pixdock: cat.jpg: Could not reach ${service.url}: the connection was refused. Is Pixdock running?\n`);
  });

  it('reports a server without HTTPS, from every command', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const url = service.url.replace('http:', 'https:');
    const message = `Could not reach ${url}: it doesn’t use HTTPS. Try its address with http:// instead.\n`;
    expect(await runCli(home, ['upload', 'cat.jpg', '--base-url', url])).toMatchObject({
      stderr: `pixdock: cat.jpg: ${message}`,
      code: 1,
    });
    expect(await runCli(home, ['login', url], { stdin: 'pxd_x' })).toMatchObject({ stderr: `pixdock: ${message}`, code: 1 });
  });

  it('prints links in the order of the files, however long each takes', async () => {
    const home = await homeWithImage();
    const fast = Promise.withResolvers<void>();
    await using service = await startScriptedService([
      async (response, request) => {
        const isSlow = request.body.includes('slow.jpg');
        if (isSlow) await fast.promise;
        else response.once('finish', fast.resolve);
        accept(uploadedImage(isSlow ? 'slow00000000' : 'fast00000000'))(response, request);
      },
    ]);
    await writeFile(join(home, 'slow.jpg'), 'slow');
    const { stdout } = await runCli(home, ['upload', 'slow.jpg', 'cat.jpg', '--base-url', service.url]);
    expect(stdout).toBe('https://pics.example.org/i/slow00000000.jpg\nhttps://pics.example.org/i/fast00000000.jpg\n');
  });

  it('stops on an interruption and leaves no temporary file', async () => {
    const home = temporaryFolder();
    await using service = await startScriptedService([silence]);
    const result = await runCli(home, ['upload', '-', '--base-url', service.url], {
      stdin: 'a picture',
      onStart: async ({ interrupt }) => {
        await expect.poll(() => service.seen.length, { timeout: 10_000 }).toBe(1);
        interrupt();
      },
    });
    expect(result).toEqual({ stdout: '', stderr: 'pixdock: Interrupted.\n', code: 130 });
    expect((await readdir(home)).filter((name) => name.startsWith('pixdock-'))).toEqual([]);
  });

  it('prints the links that had arrived before an interruption', async () => {
    const home = await homeWithImage();
    await writeFile(join(home, 'stuck.jpg'), 'stuck');
    await using service = await startScriptedService([
      (response, request) => (request.body.includes('filename="stuck.jpg"') ? silence(response, request) : accept()(response, request)),
    ]);
    const result = await runCli(home, ['upload', 'cat.jpg', 'stuck.jpg', '--base-url', service.url], {
      onStart: ({ stdout, interrupt }) => stdout.once('data', interrupt),
    });
    expect(result).toEqual({ stdout: LINK, stderr: 'pixdock: Interrupted.\n', code: 130 });
  });

  it('prints the links of all stored pictures after an interruption, also behind one that was under way', async () => {
    const home = await homeWithImage();
    await writeFile(join(home, 'stuck.jpg'), 'stuck');
    const isStuck = (body: Buffer) => body.includes('filename="stuck.jpg"');
    await using service = await startScriptedService([
      (response, request) => (isStuck(request.body) ? silence(response, request) : accept()(response, request)),
    ]);
    const result = await runCli(home, ['upload', 'stuck.jpg', 'cat.jpg', 'cat.jpg', 'cat.jpg', '--base-url', service.url], {
      onStart: async ({ interrupt }) => {
        await expect.poll(() => service.seen.filter(({ body }) => !isStuck(body)).length, { timeout: 10_000 }).toBe(2);
        await expect.poll(() => service.seen.length).toBe(3);
        interrupt();
      },
    });
    expect(result.stdout).toMatch(new RegExp(`^(${LINK}){2,}$`));
    expect(result).toMatchObject({ stderr: 'pixdock: Interrupted.\n', code: 130 });
  });
});
