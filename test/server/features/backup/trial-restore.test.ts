import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { createPace, tryLatestBackup } from '#server/features/backup/trial-restore.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const never = new AbortController().signal;

/** A service with one picture, backed up to a folder. */
async function backedUp() {
  const opened = await openTestContext();
  onTestFinished(opened.close);
  const { context } = opened;
  const owner = await createOwner(context.db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await createToken(context.db.as('job'), owner.id, { name: 'test', scope: 'full', expiresIn: 0 });
  const image = await uploadImage(opened, secret, await photoJpeg());
  const folder = temporaryFolder();
  await context.settings.change('note', { backup_schedule: { folder, every_hours: 24, keep: 3 } });
  const { snapshot } = await context.backups.runSchedule();
  const blob = join(folder, 'blobs', '1', image.sha256.slice(0, 2), image.sha256.slice(2, 4), image.sha256);
  return { context, image, snapshot, blob, state: join(folder, 'snapshots', snapshot) };
}

it('test-restores the latest scheduled backup, once, and leaves nothing behind', async () => {
  const { context, image, snapshot } = await backedUp();
  const result = await tryLatestBackup(context, never);
  expect(result).toMatchObject({ snapshot, images: 1, blobs: 1, bytes: image.size, fault: null });
  expect(context.settings.current().backup_drill).toEqual(result);
  expect(readdirSync(join(context.config.dataDir, 'tmp'))).toEqual([]);
  expect(await tryLatestBackup(context, never)).toBeUndefined();
  await context.settings.change('note', { backup_schedule: null });
  expect(await tryLatestBackup(context, never)).toBeUndefined();
});

it.each<[string, RegExp, (backup: Awaited<ReturnType<typeof backedUp>>) => void]>([
  [
    'a damaged picture',
    /is damaged/,
    ({ blob }) => {
      const bytes = readFileSync(blob);
      bytes.fill(0, 100, 110);
      writeFileSync(blob, bytes);
    },
  ],
  ['a picture that is cut off', /is damaged|are missing/, ({ blob }) => writeFileSync(blob, readFileSync(blob).subarray(0, 500))],
  ['a missing picture', /incomplete/, ({ blob }) => rmSync(blob)],
  ['a damaged database', /damaged|match the manifest/, ({ state }) => writeFileSync(join(state, 'pixdock.db'), 'no database')],
  ['missing secrets', /no longer exists/, ({ state }) => rmSync(join(state, 'secrets.json'))],
])('reports %s, in the settings and the audit log, and does not try again', async (_what, reason, damage) => {
  const backup = await backedUp();
  const { context, snapshot } = backup;
  damage(backup);
  const faults: string[] = [];
  expect((await tryLatestBackup({ ...context, onBackupFault: (fault) => faults.push(fault) }, never))?.fault).toMatch(reason);
  expect(faults).toEqual([expect.stringMatching(reason)]);
  expect(context.settings.current().backup_drill).toMatchObject({ snapshot, fault: expect.stringMatching(/^[A-Z].*\.$/) });
  const entry = await context.db.read.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  expect([entry.action, entry.target]).toEqual(['backup.drill_failed', snapshot]);
  expect(readdirSync(join(context.config.dataDir, 'tmp'))).toEqual([]);
  expect(await tryLatestBackup(context, never)).toBeUndefined();
});

it('reports a backup with which the service does not start', async () => {
  const opened = await backedUp();
  const db = new Sqlite(join(opened.context.config.dataDir, 'pixdock.db'));
  db.exec(`insert or replace into settings values ('base_url', '"nonsense"')`);
  db.close();
  rmSync(opened.state, { recursive: true });
  const { snapshot } = await opened.context.backups.runSchedule();
  expect(await tryLatestBackup(opened.context, never)).toMatchObject({
    snapshot,
    fault: expect.stringContaining('couldn’t start from it'),
  });
});

it('stops with the service, without a result', async () => {
  const { context } = await backedUp();
  expect(await tryLatestBackup(context, AbortSignal.abort())).toBeUndefined();
  expect(context.settings.current().backup_drill).toBeNull();
  expect(readdirSync(join(context.config.dataDir, 'tmp'))).toEqual([]);
});

it('reads no faster than its rate', async () => {
  let now = 0;
  const waited: number[] = [];
  const wait = async (milliseconds: number) => {
    waited.push(milliseconds);
    now += milliseconds;
  };
  const pace = createPace(1000, never, wait, () => now);
  await pace(500);
  now += 2000; // a slow disk uses up its share
  await pace(500);
  await pace(2000);
  expect(waited).toEqual([500, 500]);
});
