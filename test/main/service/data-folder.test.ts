import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findDataFolder } from '#main/service/data-folder.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

let usual: string;
let earlier: string;

beforeEach(() => {
  const folder = temporaryFolder();
  usual = join(folder, 'share/pixdock');
  earlier = join(folder, 'config/Pixdock/data');
});

function fill(folder: string, content = 'data') {
  mkdirSync(join(folder, 'blobs'), { recursive: true });
  writeFileSync(join(folder, 'pixdock.db'), content);
}

test('is the default for a new user', () => {
  expect(findDataFolder({ usual, earlier })).toEqual({ path: usual });
});

test('moves the data of an earlier version, once', () => {
  fill(earlier);
  expect(findDataFolder({ usual, earlier })).toEqual({ path: usual });
  expect(readFileSync(join(usual, 'pixdock.db'), 'utf8')).toBe('data');
  expect(existsSync(earlier)).toBe(false);
  expect(findDataFolder({ usual, earlier })).toEqual({ path: usual });
});

test('moves it into an empty default folder', () => {
  fill(earlier);
  mkdirSync(usual, { recursive: true });
  expect(findDataFolder({ usual, earlier })).toEqual({ path: usual });
  expect(existsSync(join(usual, 'blobs'))).toBe(true);
});

test('leaves both alone when the default folder holds data, too', () => {
  fill(earlier, 'of the app');
  fill(usual, 'of the service without the app');
  expect(findDataFolder({ usual, earlier })).toEqual({ path: earlier, stays: true });
  expect(readFileSync(join(earlier, 'pixdock.db'), 'utf8')).toBe('of the app');
  expect(readFileSync(join(usual, 'pixdock.db'), 'utf8')).toBe('of the service without the app');
});

/** A folder on another disk than the tests' own files, which may be in memory. */
const elsewhere = ['/dev/shm', import.meta.dirname].find((path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev);

test.skipIf(!elsewhere)('leaves the data on another disk', () => {
  fill(earlier);
  expect(findDataFolder({ usual: `${elsewhere}/pixdock-${process.pid}`, earlier })).toEqual({ path: earlier, stays: true });
  expect(existsSync(join(earlier, 'pixdock.db'))).toBe(true);
});

test.skipIf(process.platform === 'win32')('leaves data behind a link that the user made', () => {
  fill(`${earlier}-elsewhere`);
  symlinkSync(`${earlier}-elsewhere`, earlier);
  expect(findDataFolder({ usual, earlier })).toEqual({ path: earlier, stays: true });
});

/** Takes the lock of a data folder as a service does: in another process, since a process doesn't lock itself out. */
const LOCK = `
const { lockFile } = await import(process.argv[1]);
lockFile(process.argv[2]);
console.log('locked');
process.stdin.resume();
`;

test('moves nothing while a service uses it', async () => {
  fill(earlier);
  const program = import.meta.resolve('#server/platform/db/files.ts');
  const service = spawn(process.execPath, ['--input-type=module', '-e', LOCK, program, join(earlier, 'pixdock.lock')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(service.stdout, 'data');
  expect(findDataFolder({ usual, earlier })).toEqual({ path: earlier });
  service.kill('SIGKILL');
  await once(service, 'exit');
  expect(findDataFolder({ usual, earlier })).toEqual({ path: usual });
});

test('is the chosen folder, whatever is elsewhere', () => {
  fill(earlier);
  expect(findDataFolder({ chosen: '/srv/pixdock', usual, earlier })).toEqual({ path: '/srv/pixdock' });
  expect(existsSync(earlier)).toBe(true);
});
