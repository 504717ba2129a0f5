import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import type { ErrorCode } from '#api/errors.ts';
import { image } from '#test/helpers/pictures/images.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { setUp } from '#test/helpers/service/service.ts';
import { Random } from './random.ts';
import { expectSound, filesIn } from './subject.ts';

const KIB = 1024;
const ROUNDS = 12;
const isRoot = process.getuid?.() === 0;

/** Acknowledged pictures: their sizes by key. */
type Stored = Map<string, number>;

/** The code of a refusal, or `stored`; the picture is of random size and content. */
async function upload(service: ChildService, token: string, random: Random, stored: Stored): Promise<ErrorCode | 'stored'> {
  const side = 50 + random.below(400);
  const bytes = await image({ width: side, height: side, seed: random.below(1e6) })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'x.png');
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const response = await fetch(`${service.url}/api/v1/upload`, { method: 'POST', body: form, headers });
  const { data } = (await response.json()) as { data: { key: string; size: number; code: ErrorCode } };
  if (!response.ok) return data.code;
  stored.set(data.key, data.size);
  return 'stored';
}

async function expectAllThere(service: ChildService, stored: Stored, when: string) {
  for (const [key, size] of stored) {
    const response = await fetch(`${service.url}/i/${key}.png`, { headers: { connection: 'close' } });
    expect([response.status, (await response.arrayBuffer()).byteLength], `${key} ${when}`).toEqual([200, size]);
  }
}

async function startIn(dataDir: string) {
  const service = await startChildService(dataDir);
  onTestFinished(() => service.kill());
  const owner = await setUp(service);
  await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: 0 } });
  return { service, token: await owner.token('full') };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('stores or refuses uploads on a disk that fills up to the last byte, and works again afterwards', { timeout: 300_000 }, async ({
  skip,
}) => {
  const folder = newFolder();
  if (process.platform !== 'linux' || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'none', folder]).status !== 0)
    return skip('Mounting a small disk needs root on Linux.');
  onTestFinished(() => void spawnSync('umount', [folder]));
  const random = new Random('full disk');
  const dataDir = join(folder, 'data');
  let { service, token } = await startIn(dataDir);
  onTestFinished(() => service.kill()); // the one of the last round
  const [stored, codes] = [new Map<string, number>(), new Set<string>()];
  const filler = join(folder, 'filler');
  const errors: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - random.below(600) * KIB)));
    for (let left = 6; left > 0; left--) codes.add(await upload(service, token, random, stored));
    await expectAllThere(service, stored, 'on a full disk');
    // The service may be preparing what it derives from pictures.
    await expect.poll(() => filesIn(dataDir, 'tmp')).toEqual([]);
    errors.push(...(service.printed().match(/"level":50.*/g) ?? []));
    if (random.chance(0.3)) await service.kill();
    rmSync(filler);
    if (!(await isUp(service))) service = await startChildService(dataDir);
    await expectAllThere(service, stored, `after round ${round}`);
    expect(await upload(service, token, random, stored)).toBe('stored');
  }
  console.log(`full disk: ${[...codes].join(', ')}; ${stored.size} pictures stored`);
  const other = errors.filter((line) => !/ENOSPC|SQLITE_FULL|storage_full/.test(line));
  expect(
    [...codes].filter((code) => !['stored', 'storage_full'].includes(code)),
    other.join('\n'),
  ).toEqual([]);
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the disk was full');
});

const isUp = ({ url }: ChildService) =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Attaches strace, which makes system calls of the service slow or fail. Returns a function that detaches it. */
async function inject(service: ChildService, calls: string, fault: string) {
  const strace = spawn('strace', [
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:${fault}`,
    '-p',
    String(service.pid),
  ]);
  await once(strace.stderr, 'data'); // "attached"
  return async () => {
    strace.kill('SIGINT');
    await once(strace, 'exit');
  };
}

it('shows pictures while the disk takes half a second for each flush', { timeout: 120_000 }, async ({ skip }) => {
  if (!has('strace')) return skip('Slowing down the disk needs strace.');
  const random = new Random('slow disk');
  const dataDir = newFolder();
  const { service, token } = await startIn(dataDir);
  const stored = new Map<string, number>();
  expect(await upload(service, token, random, stored)).toBe('stored');
  const end = await inject(service, 'fsync,fdatasync', 'delay_enter=500000');
  const uploads = Array.from({ length: 8 }, () => upload(service, token, random, stored));
  const finished = Promise.all(uploads).then(() => true);
  const [key] = [...stored.keys()];
  const times: number[] = [];
  while (!(await Promise.race([finished, Promise.resolve(false)]))) {
    const before = performance.now();
    const response = await fetch(`${service.url}/i/${key}.png`, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    times.push(performance.now() - before);
    expect(response.status).toBe(200);
  }
  await end();
  expect(await Promise.all(uploads)).toEqual(uploads.map(() => 'stored'));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
  console.log(
    `slow disk: ${times.length} views, p50 ${Math.round(at(0.5))} ms, p99 ${Math.round(at(0.99))} ms, slowest ${Math.round(at(1))} ms`,
  );
  // Nothing else happens in the service while SQLite flushes a commit, which many uploads share.
  expect(at(0.5)).toBeLessThan(250);
  expect(at(1)).toBeLessThan(5_000);
  await expectAllThere(service, stored, 'after the slow disk');
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the slow disk');
});

it('loses no acknowledged upload when flushing and renaming fail now and then', { timeout: 120_000 }, async ({ skip }) => {
  if (!has('strace')) return skip('Making the disk fail needs strace.');
  const random = new Random('failing disk');
  const dataDir = newFolder();
  let { service, token } = await startIn(dataDir);
  const [stored, codes] = [new Map<string, number>(), new Set<string>()];
  for (const calls of ['fdatasync', 'fsync', 'rename']) {
    const end = await inject(service, calls, 'error=EIO:when=2+3');
    for (let left = 12; left > 0; left--) codes.add(await upload(service, token, random, stored));
    await end();
    await expectAllThere(service, stored, `while ${calls} fails`);
  }
  console.log(`failing disk: ${[...codes].join(', ')}; ${stored.size} pictures stored`);
  expect(await upload(service, token, random, stored)).toBe('stored');
  await service.kill();
  service = await startChildService(dataDir);
  onTestFinished(() => service.kill());
  await expectAllThere(service, stored, 'after the failing disk');
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the failing disk');
});

/** Makes a folder and all below it read-only, also for root. Returns a function that undoes it, or undefined where that isn't possible. */
function protect(folder: string): (() => void) | undefined {
  if (isRoot) {
    const change = (sign: '+' | '-') => spawnSync('chattr', ['-R', `${sign}i`, folder]).status === 0;
    return change('+') ? () => void change('-') : undefined;
  }
  const folders = [
    folder,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ];
  for (const path of folders) chmodSync(path, 0o500);
  return () => {
    for (const path of folders) chmodSync(path, 0o700);
  };
}

it.for(['blobs', 'tmp', 'thumbs'])(
  'refuses uploads or works without %s while it is read-only, and works again afterwards',
  { timeout: 120_000 },
  async (name, { skip }) => {
    const random = new Random(`read-only ${name}`);
    const dataDir = newFolder();
    const { service, token } = await startIn(dataDir);
    const [stored, codes] = [new Map<string, number>(), new Set<string>()];
    for (let left = 3; left > 0; left--) expect(await upload(service, token, random, stored)).toBe('stored');
    const thumbnail = async (key: string) => {
      const response = await fetch(`${service.url}/t/${key}.jpg?w=400`, { headers: { connection: 'close' } });
      await response.arrayBuffer();
      return response.status;
    };
    const [first = ''] = stored.keys();
    expect(await thumbnail(first)).toBe(200);
    const release = protect(join(dataDir, name));
    if (!release) return skip('Making a folder read-only for root needs chattr, and a file system that knows it.');
    try {
      for (let left = 4; left > 0; left--) codes.add(await upload(service, token, random, stored));
      await expectAllThere(service, stored, 'while read-only');
      for (const key of stored.keys()) codes.add(`thumbnail ${await thumbnail(key)}`);
    } finally {
      release();
    }
    console.log(`read-only ${name}: ${[...codes].join(', ')}`);
    expect(await upload(service, token, random, stored)).toBe('stored');
    // The service may be preparing what it derives from pictures.
    await expect.poll(() => filesIn(dataDir, 'tmp')).toEqual([]);
    expect(await service.stop()).toBe(0);
    await expectSound(dataDir, `after ${name} was read-only`);
  },
);
