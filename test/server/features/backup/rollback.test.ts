import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { chooseRestore, createBackup, dismissRestoreReport, getBackups } from '#api/admin/backup.ts';
import { listImages } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';

// On all addresses: only then does the service use the address that the crafted backup contains.
const { service, owner } = await startFileService({ host: '0.0.0.0' });
const token = await owner.token('full');
const upload = async (seed: number) => uploadImage(service, token, await photoJpeg({ seed }));
const keys = async (as = owner) => (await as.client.call(listImages, { query: {} })).items.map(({ key }) => key);

/** Changes the database beside the running service, which has its settings in memory. */
function setSetting(name: string, value: string | undefined) {
  const db = new Sqlite(join(service.dataDir, 'pixdock.db'));
  if (value === undefined) db.prepare('delete from settings where name = ?').run(name);
  else db.prepare('insert or replace into settings values (?, ?)').run(name, value);
  db.close();
}

/** A backup that passes the check, but not the real start: links to a name like this can't be opened. */
async function craftedBackup(): Promise<string> {
  const db = new Sqlite(join(service.dataDir, 'pixdock.db'));
  const before = db.prepare("select value from settings where name = 'lan_address'").pluck().get() as string | undefined;
  db.close();
  setSetting('lan_address', '"no host at all"');
  const { name } = await owner.client.call(createBackup, {});
  setSetting('lan_address', before);
  return name;
}

const killedAfter = (moves: number) =>
  new Promise<string | null>((resolve) => {
    const child = execFile(process.execPath, [join(import.meta.dirname, 'killed-swap.ts'), service.dataDir, String(moves)]);
    child.once('exit', (_code, signal) => resolve(signal));
  });

it.each([
  ['during the start', undefined],
  ['during the start, after it was killed in the middle of the swap', 3],
])('comes back with the former data, still signed in, and says why, when restored data fails %s', async (_, kill) => {
  const name = await craftedBackup();
  const later = await upload(10 + (kill ?? 0));
  await owner.client.call(chooseRestore, { body: { name } });
  if (kill !== undefined) {
    await service.stop();
    expect(await killedAfter(kill)).toBe('SIGKILL');
    expect(existsSync(join(service.dataDir, 'restore', 'trying.json'))).toBe(true);
  }
  await service.restart();

  expect(await keys()).toContain(later.key);
  expect((await fetch(`${service.url}/i/${later.key}.${later.ext}`)).status).toBe(200);
  expect((await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  const { restore, restored, restore_failure } = await owner.client.call(getBackups, {});
  expect([restore, restored]).toEqual([null, null]);
  expect(restore_failure?.reason).toMatch(/^Links can’t start with “http:\/\/no host at all:\d+”\.$/);
  expect(service.restoreNotice).toMatch(
    /^Pixdock couldn’t start from the backup made at .*, so the previous data is back in place\. Links can’t/,
  );
  expect((await owner.client.call(listAudit, { query: { limit: 1 } })).items).toMatchObject([{ action: 'backup.restore_failed' }]);
  expect(readdirSync(service.dataDir)).not.toContain('restore');
  await service.restart();
  expect((await owner.client.call(getBackups, {})).restore_failure).toEqual(restore_failure);
  await owner.client.call(dismissRestoreReport, {});
  expect((await owner.client.call(getBackups, {})).restore_failure).toBeNull();
});

it('completes a restore that was killed in the middle of the swap, and reports what it restored', async () => {
  const kept = await keys();
  const { name, images } = await owner.client.call(createBackup, {});
  await upload(20);
  await owner.client.call(chooseRestore, { body: { name } });
  await service.stop();
  expect(await killedAfter(4)).toBe('SIGKILL');
  await service.restart();
  const again = await newSession(service, OWNER.username, OWNER.password);
  expect(await keys(again)).toEqual(kept);
  const { restored, restore_failure } = await again.client.call(getBackups, {});
  expect(restored).toMatchObject({ images, albums: 0, users: 1, tokens_revoked: 1, restored_at: expect.any(String) });
  expect(restore_failure).toBeNull();
  expect(service.restoreNotice).toMatch(/^Restored the backup from .*: 2 pictures, 0 albums, 1 user\. .*Revoked: 1 API token\.$/);
  await again.client.call(dismissRestoreReport, {});
  expect((await again.client.call(getBackups, {})).restored).toBeNull();
});
