import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { countImages } from '#api/images/images.ts';
import { homeWith } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { accept, refuse, reset, silence, startScriptedService } from '#test/cli/scripted-service.ts';
import { startWithToken } from '#test/cli/start.ts';
import { startFaultyProxy } from '#test/helpers/network/faulty-proxy.ts';

const { service, owner, env } = await startWithToken('full');

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i}.png`);
const linux = it.runIf(process.platform === 'linux');

describe('pixdock import-dir', () => {
  linux('uploads everything even if the disk is too full for its report, and reports that at the end', async () => {
    const home = await homeWith(...numbered(3));
    await symlink('/dev/full', join(home, 'report.json.part'));
    const { stdout, stderr, code } = await runCli(home, ['import-dir', 'in', '--report', 'report.json'], { env });
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toMatch(/Uploaded 3 pictures .*\npixdock: Can’t write the report report\.json: no space left on the disk\n$/);
    expect(await readdir(home)).not.toContain('report.json.part');
  });

  it("uploads nothing if the report can't be written", async () => {
    const home = await homeWith(...numbered(1));
    const run = (report: string) => runCli(home, ['import-dir', 'in', '--report', report], { env });
    expect(await run('in')).toEqual({ stdout: '', stderr: 'pixdock: Can’t write the report in: it is a folder.\n', code: 1 });
    expect(await run('no/r.json')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^pixdock: Can’t write the report no\/r\.json: /),
    });
  });

  linux('reports an unusable journal before it uploads anything', async () => {
    const home = await homeWith(...numbered(1));
    const state = { ...env, XDG_STATE_HOME: '/proc/version' };
    const { stdout, stderr, code } = await runCli(home, ['import-dir', 'in'], { env: state });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: Can’t use the journal \/proc\/version\/pixdock\/imports\/\w+\.db: /);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)("reports a folder that it can't open, like a file", async () => {
    const home = await homeWith(...numbered(1));
    await mkdir(join(home, 'in/closed'));
    await chmod(join(home, 'in/closed'), 0);
    const { stderr, code } = await runCli(home, ['import-dir', 'in', '--report', 'report.json'], { env });
    await chmod(join(home, 'in/closed'), 0o700);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pixdock: closed: permission denied$/m);
    const { files } = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    expect(files).toContainEqual({ path: 'closed', status: 'failed', error: 'permission denied' });
  });

  it('reports once why all uploads stop, and what a new token means', async () => {
    const home = await homeWith(...numbered(12));
    const { stderr, code } = await runCli(home, ['import-dir', 'in', '--token', 'pxd_revoked'], { env });
    expect(code).toBe(1);
    expect(stderr.match(/^pixdock: \d+\.png: /gm)).toHaveLength(1);
    expect(stderr).toContain(', 1 failed.');
    expect(stderr).toMatch(/run the same command again\. With a new token, all files are sent again, but none is stored twice\.\n$/);
    const limited = await runCli(home, ['import-dir', 'in', '--token', 'pxd_revoked', '--max-views', '3'], { env });
    expect(limited.stderr).toMatch(/With a new token, all files are sent again, and those already stored are stored again\.\n$/);
  });

  it('cancels the running uploads on the second Ctrl-C, and still prints the summary', async () => {
    const home = await homeWith(...numbered(3));
    await using stuck = await startScriptedService([silence]);
    const { stderr, code } = await runCli(home, ['import-dir', 'in', '--base-url', stuck.url, '--report', 'report.json'], {
      env,
      onStart: async ({ stderr, interrupt }) => {
        await expect.poll(() => stuck.seen.length, { timeout: 10_000 }).toBe(3);
        stderr.once('data', () => {
          // Two signals within 300 ms count as one.
          interrupt();
          const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 300);
          interrupt();
          later.mockRestore();
        });
        interrupt();
      },
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /^pixdock: Finishing .* Press Ctrl-C again .*\npixdock: Uploaded 0 pictures [^,\n]*\.\npixdock: Interrupted\.\n/,
    );
    expect(JSON.parse(await readFile(join(home, 'report.json'), 'utf8'))).toMatchObject({ complete: false, files: [] });
  });

  it('looks for an album again if the response to creating it was lost', async () => {
    const home = await homeWith(...numbered(1));
    const albums = (items: unknown[]) => accept({ items, next_cursor: null });
    await using flaky = await startScriptedService([albums([]), reset, albums([{ id: 'aBcDeFgHiJ', name: 'Trip' }]), accept()]);
    const { code } = await runCli(home, ['import-dir', 'in', '--album', 'Trip', '--base-url', flaky.url], { env });
    expect(code).toBe(0);
    expect(flaky.seen.map(({ method, path }) => `${method} ${path.split('?')[0]?.replace('/api/v1', '')}`)).toEqual([
      'GET /albums',
      'POST /albums',
      'GET /albums',
      'POST /upload',
    ]);
    expect(flaky.seen[3]?.body.toString()).toContain('aBcDeFgHiJ');
  });

  it('sends the same key for a file in every run with the same options, until --again', async () => {
    const home = await homeWith(...numbered(1));
    await using service = await startScriptedService([reset, reset, reset, accept(), accept()]);
    const run = (...args: string[]) =>
      runCli(home, ['import-dir', 'in', '--base-url', service.url, '--retries', '0', '--expires-in', '7d', ...args], { env });
    for (const args of [[], [], ['--visibility', 'private'], [], ['--again']]) await run(...args);
    const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], expect.any(String), keys[0], expect.any(String)]);
    expect(new Set(keys).size).toBe(3);
  });

  it.each([
    [410, 'deleted'],
    [409, 'replaced'],
  ] as const)('does not bring back a picture after its response was lost: %i %s', async (status, code) => {
    const home = await homeWith(...numbered(1));
    await using service = await startScriptedService([reset, refuse(status, `It has been ${code}.`, { code })]);
    const run = () => runCli(home, ['import-dir', 'in', '--base-url', service.url, '--retries', '0'], { env });
    expect((await run()).code).toBe(1);
    for (const requests of [2, 2]) {
      const { stdout, stderr, code: ended } = await run();
      expect({ stdout, ended }).toEqual({ stdout: '', ended: 0 });
      expect(stderr).toContain('Uploaded 0 pictures');
      expect(stderr).toContain('1 imported earlier');
      expect(service.seen).toHaveLength(requests);
    }
  });

  it('stops at a full disk, and reports it', async () => {
    const home = await homeWith(...numbered(9));
    await using service = await startScriptedService([refuse(507, 'The disk is full.', { code: 'storage_full', retry: 'later' })]);
    const { stderr, code } = await runCli(home, ['import-dir', 'in', '--base-url', service.url, '--concurrency', '1'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('Stopped early: The disk is full.\n');
    expect(service.seen).toHaveLength(1);
  });

  it('uploads every file once through a network that fails at random, even with an expiry', async () => {
    const count = 150;
    const home = await homeWith(...numbered(count));
    const countStored = async () => (await owner.client.call(countImages, { query: {} })).count;
    const earlier = await countStored();
    await using proxy = await startFaultyProxy({
      target: service.url,
      seed: 7,
      faults: { limited: 0.06, badGateway: 0.05, internal: 0.05, reset: 0.05, lostResponse: 0.05, silence: 0.01 },
    });
    const args = ['import-dir', 'in', '--expires-in', '7d', '--timeout', '2', '--concurrency', '8', '--base-url', proxy.url];
    const { stdout, stderr, code } = await runCli(home, args, { env });
    expect(code, stderr).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(count);
    expect((await countStored()) - earlier).toBe(count);
    for (const fault of ['limited', 'badGateway', 'internal', 'reset', 'lostResponse'])
      expect(proxy.counts[fault], fault).toBeGreaterThan(0);
  });

  it('stops after the running uploads on Ctrl-C, explains how to resume, and resumes', async () => {
    const home = await homeWith(...numbered(40));
    const stopped = await runCli(home, ['import-dir', 'in', '--concurrency', '2'], {
      env,
      onStart: ({ stdout, interrupt }) => stdout.once('data', interrupt),
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain('pixdock: To resume, run the same command again.\n');
    const first = stopped.stdout.split('\n').filter(Boolean).length;
    expect(first).toBeLessThan(40);
    const rest = await runCli(home, ['import-dir', 'in'], { env });
    expect(rest.code).toBe(0);
    expect(rest.stdout.split('\n').filter(Boolean)).toHaveLength(40 - first);
    expect(rest.stderr).toContain(`${first} imported earlier`);
    expect(rest.stderr).not.toContain('already on the server');
  });
});
