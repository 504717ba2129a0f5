import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { tokenFile } from '#main/joining/token-file.ts';
import { safeStorage } from '#test/desktop/double/system/safe-storage.ts';

const TOKEN = `pxd_${'x'.repeat(43)}`;
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  path = join(folder, 'token.json');
});

test('a token is kept encrypted', () => {
  const file = tokenFile(path, safeStorage, 'linux');
  expect(file.read()).toBeUndefined();
  file.write(TOKEN);
  expect(readFileSync(path, 'utf8')).not.toContain(Buffer.from(TOKEN).toString('base64'));
  expect(file.isEncrypted()).toBe(true);
  expect(tokenFile(path, safeStorage, 'linux').read()).toBe(TOKEN);
});

test('a token replaces an earlier one', () => {
  const file = tokenFile(path, safeStorage, 'linux');
  file.write('an earlier one');
  file.write(TOKEN);
  expect(file.read()).toBe(TOKEN);
});

test('a removed token can’t be read', () => {
  const file = tokenFile(path, safeStorage, 'linux');
  file.write(TOKEN);
  file.remove();
  expect(file.read()).toBeUndefined();
});

test.each([
  { name: 'no keyring', storage: { ...safeStorage, getSelectedStorageBackend: () => 'basic_text' as const } },
  { name: 'no encryption', storage: { ...safeStorage, isEncryptionAvailable: () => false } },
])('with $name, it is kept in a file that only the user can read, and that is known', ({ storage }) => {
  writeFileSync(path, 'a file that everyone can read', { mode: 0o644 });
  const file = tokenFile(path, storage, 'linux');
  file.write(TOKEN);
  expect(file.isEncrypted()).toBe(false);
  expect(file.read()).toBe(TOKEN);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each(['', '{"encrypted": true}', 'null'])('a damaged file counts as none: %s', (content) => {
  writeFileSync(path, content);
  expect(tokenFile(path, safeStorage, 'linux').read()).toBeUndefined();
});

test('a token that can’t be decrypted any more counts as none', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
  tokenFile(path, safeStorage, 'linux').write(TOKEN);
  const locked = {
    ...safeStorage,
    decryptString: () => {
      throw new Error('another keyring');
    },
  };
  expect(tokenFile(path, locked, 'linux').read()).toBeUndefined();
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});

test('with a locked keyring, an encrypted token can’t be read for now, and a new one is kept without it', () => {
  const report = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    report.mockRestore();
  });
  const file = tokenFile(path, safeStorage, 'linux');
  file.write(TOKEN);
  vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', 'keyring-refused');
  expect(file.read()).toBeUndefined();
  expect(report).toHaveBeenCalledOnce();
  vi.unstubAllEnvs();
  expect(file.read()).toBe(TOKEN);
  vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', 'keyring-refused');
  file.write(TOKEN);
  expect([file.isEncrypted(), file.read()]).toEqual([false, TOKEN]);
});
