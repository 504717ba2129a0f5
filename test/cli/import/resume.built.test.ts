import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listImages } from '#api/images/images.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { startFaultyProxy } from '#test/helpers/network/faulty-proxy.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';

/** The requirement is 5,000 files (PIXDOCK_TEST_FILES=5000); fewer show the same in every run. */
const FILES = Number(process.env.PIXDOCK_TEST_FILES ?? 600);
const MEMORY_LIMIT_KB = 150 * 1024;

let service: TestService;
let owner: SignedIn;

beforeAll(async () => {
  service = await startTestService();
  owner = await setUp(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** A folder of different pictures, thirty to a folder, whose numbers begin with `first`. */
async function imagesFolder(count: number, first: number) {
  const home = temporaryFolder();
  for (let i = 0; i < count; i++) {
    const folder = join(home, 'pictures', `day ${Math.floor(i / 30)}`);
    if (i % 30 === 0) await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `shot ${i}.png`), tinyPng(first + i));
  }
  return home;
}

/** Every stored picture's name, in no order. */
async function storedNames() {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await owner.client.call(listImages, { query: { limit: 200, ...(cursor && { cursor }) } });
    names.push(...page.items.map(({ name }) => name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return names;
}

/** A process's peak memory, in KB. */
async function peakMemory(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
}

describe('pixdock import-dir', () => {
  it('resumes after kill -9: every file stored once, none changed, in little memory', {
    timeout: FILES * 300,
  }, async () => {
    const home = await imagesFolder(FILES, 1_000_000);
    const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full') };
    const before = await fingerprint(join(home, 'pictures'));
    let printed = 0;
    const killed = await runCli(home, ['import-dir', 'pictures'], {
      env,
      onStart: (child) =>
        child.stdout.on('data', (chunk: Buffer) => {
          printed += chunk.toString().split('\n').length - 1;
          if (printed > FILES / 2) child.kill('SIGKILL');
        }),
    });
    expect(killed.code).toBeNull();
    const afterKill = killed.stdout.split('\n').filter(Boolean).length;

    let peak = 0;
    const second = await runCli(home, ['import-dir', 'pictures', '--report', 'report.json'], {
      env,
      onStart: (child) =>
        child.stdout.on('data', async () => {
          peak = Math.max(peak, await peakMemory(child.pid));
        }),
    });
    expect(second.code, second.stderr).toBe(0);
    const { summary } = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    // Every printed link was in the journal; up to sixteen uploads were running, and the server recognises those.
    expect(summary.imported_before).toBeGreaterThanOrEqual(afterKill);
    expect(summary.uploaded).toBe(FILES - summary.imported_before);
    expect(summary.reused).toBeLessThanOrEqual(16);
    const names = await storedNames();
    expect(names).toHaveLength(FILES);
    expect(new Set(names).size).toBe(FILES);
    expect(await fingerprint(join(home, 'pictures'))).toEqual(before);
    if (process.platform === 'linux') {
      expect(peak).toBeGreaterThan(10_000);
      expect(peak).toBeLessThan(MEMORY_LIMIT_KB);
    }
    const third = await runCli(home, ['import-dir', 'pictures'], { env });
    expect(third).toEqual({ stdout: '', stderr: expect.stringContaining(`Uploaded 0 pictures`), code: 0 });
  });

  it('uploads every file once through a network that fails at random, even with an expiry', { timeout: FILES * 300 }, async () => {
    const count = Math.ceil(FILES / 4);
    const home = await imagesFolder(count, 2_000_000);
    const earlier = (await storedNames()).length;
    await using proxy = await startFaultyProxy({
      target: service.url,
      seed: 7,
      faults: { limited: 0.06, badGateway: 0.05, internal: 0.05, reset: 0.05, lostResponse: 0.05, silence: 0.01 },
    });
    const env = { PIXDOCK_BASE_URL: proxy.url, PIXDOCK_TOKEN: await owner.token('upload') };
    const args = ['import-dir', 'pictures', '--expires-in', '7d', '--timeout', '2', '--concurrency', '8'];
    const { stdout, stderr, code } = await runCli(home, args, { env });
    expect(code, stderr).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(count);
    expect((await storedNames()).length - earlier).toBe(count);
    for (const fault of ['limited', 'badGateway', 'internal', 'reset', 'lostResponse'])
      expect(proxy.counts[fault], fault).toBeGreaterThan(0);
  });

  it('stops after the running uploads on Ctrl-C, explains how to resume, and resumes', async () => {
    const home = await imagesFolder(40, 3_000_000);
    const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full') };
    const stopped = await runCli(home, ['import-dir', 'pictures', '--concurrency', '2'], {
      env,
      onStart: (child) => child.stdout.once('data', () => child.kill('SIGINT')),
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain('pixdock: To resume, run the same command again.\n');
    const first = stopped.stdout.split('\n').filter(Boolean).length;
    expect(first).toBeLessThan(40);
    const rest = await runCli(home, ['import-dir', 'pictures'], { env });
    expect(rest.code).toBe(0);
    expect(rest.stdout.split('\n').filter(Boolean)).toHaveLength(40 - first);
    expect(rest.stderr).toContain(`${first} imported earlier`);
    expect(rest.stderr).not.toContain('already on the server');
  });
});

/** Names, sizes and modification times below a folder. */
async function fingerprint(folder: string) {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, mode } = await stat(join(folder, name));
      return `${name} ${size} ${mtimeMs} ${mode}`;
    }),
  );
}
