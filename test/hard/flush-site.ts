import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { setBackupSchedule } from '#api/admin/backup.ts';
import { createUser } from '#api/admin/users.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { updateImage } from '#api/images/changes.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { setUp, signedIn } from '#test/helpers/service/service.ts';
import { type Disk, type FileSystem, openDisk } from './disk.ts';
import { type FlushFaults, openFlushFaults, type Plan } from './flush-faults.ts';
import { maintain } from './operations.ts';
import { Random } from './random.ts';
import { damagedBackups, findingsIn } from './subject.ts';
import { createKnown, type Known, type Site, WRITES, type Writing } from './writes.ts';

const PASSWORD = 'another good password';
const BUSY_MS = 60_000;

/** A service on a disk whose flushes fail or are delayed, and what its clients know. */
export interface Subject {
  disk: Disk;
  dataDir: string;
  backups: string;
  faults: FlushFaults;
  site: Site;
  known: Known;
  random: Random;
}

/** A stopped service with albums, members and request links, or why there can be none. */
export async function prepare(kind: FileSystem): Promise<Subject | string> {
  const disk = openDisk(kind);
  if (typeof disk === 'string') return disk;
  const random = new Random(`flush ${kind}`);
  const [dataDir, backups] = [join(disk.folder, 'data'), join(disk.folder, 'backups')];
  const faults = openFlushFaults({ disk: disk.folder, dataDir, backups }, random);
  if (typeof faults === 'string') return faults;
  const service = await startChildService(dataDir, faults.env);
  onTestFinished(() => service.kill());
  const owner = await setUp(service);
  await owner.client.call(setBackupSchedule, { body: { schedule: { folder: backups, every_hours: 24, keep: 2 } } });
  const members: Site['members'] = [];
  for (const username of ['bea', 'cleo']) {
    const { id } = await owner.client.call(createUser, { body: { username, email: `${username}@example.org`, password: PASSWORD } });
    members.push({ ...(await newSession(service, username, PASSWORD)), id, username });
  }
  const site: Site = { owner, albums: [], members, links: [], whereIs: new Map(), tokens: new Map(), joined: 0 };
  const known = createKnown();
  const writing: Writing = { site, known, random, found: async () => undefined, acknowledged: () => undefined };
  for (const name of ['One', 'Two', 'Three']) site.albums.push((await owner.client.call(createAlbum, { body: { name } })).id);
  for (let left = 12; left > 0; left--) await WRITES.upload(writing);
  for (const [index, key] of known.pictures.keysIn('library').entries()) {
    const body = { visibility: 'private' as const, albums: [site.albums[index % site.albums.length] as string] };
    await known.pictures.change(
      key,
      { visibility: 'private' },
      async () => void (await owner.client.call(updateImage, { params: { key }, body })),
    );
  }
  for (let left = 40; left > 0; left--) await WRITES.setting(writing);
  for (let left = 6; left > 0; left--) await WRITES['request link'](writing);
  site.links.push(...known.links.keysIn('there'));
  expect(await service.stop()).toBe(0);
  return { disk, dataDir, backups, faults, site, known, random };
}

/** Starts the service; if a failed flush keeps it from starting, without faults. */
export async function start({ dataDir, faults, site }: Subject, plan: Plan): Promise<ChildService> {
  faults.set(plan);
  const service = await startChildService(dataDir, faults.env).catch((error: Error) => {
    if (!/EIO|i\/o error|IOERR/i.test(error.message)) throw error;
    faults.set({});
    return startChildService(dataDir, faults.env);
  });
  onTestFinished(() => service.kill());
  site.owner = signedIn(service, site.owner.cookie);
  site.members = site.members.map((member) => ({ ...member, ...signedIn(service, member.cookie) }));
  return service;
}

/**
 * Grows the log that SQLite writes to, as in a service that has run for longer: flushing it then flushes nothing else. The service moves it to the database with its
 * next commit.
 */
export async function growLog({ dataDir, faults }: Subject) {
  // The service is the one whose checkpoints are tested: this process makes none, not even at its end.
  const program = `
    const db = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: ${BUSY_MS} });
    db.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (bytes); INSERT INTO filler VALUES (zeroblob(5000000)); DROP TABLE filler');
    process.kill(process.pid, 'SIGKILL');`;
  const env = { ...process.env, ...faults.envWithoutFaults };
  await once(spawn(process.execPath, ['-e', program, join(dataDir, 'pixdock.db')], { env, stdio: 'ignore' }), 'exit');
}

/** Reads the database beside a service, and keeps nothing from being moved out of its log for longer than a query. */
export const openForReading = ({ dataDir }: Subject) => new DatabaseSync(join(dataDir, 'pixdock.db'), { readOnly: true, timeout: BUSY_MS });

/** @param acknowledged called with the kind of each acknowledged request that isn't the last of a write */
export function writingOf(
  { site, known, random }: Subject,
  db: DatabaseSync,
  acknowledged: Writing['acknowledged'] = () => undefined,
): Writing {
  const found: Writing['found'] = async (sql, value, request) => {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    request.then(end, end);
    const query = db.prepare(sql);
    while (!hasEnded && !query.get(value)) await wait(2);
  };
  return { site, known, random, found, acknowledged };
}

/** What isn't as it was acknowledged in the database of a stopped service. Looks at a copy: opening the database would repair what the service must. */
export async function wrongIn({ dataDir, known }: Subject): Promise<unknown[]> {
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true, filter: (path) => path === dataDir || /pixdock\.db(-wal)?$/.test(path) });
  const db = await openDatabase(join(copy, 'pixdock.db'));
  const wrong: unknown[] = [];
  for (const model of Object.values(known)) wrong.push(...(await model.wrongAmong(db.read)));
  await db.close();
  return wrong;
}

/** Mounts the disk again, without what failed flushes have lost, and returns how many bytes that was. */
export async function expectSoundAfterCut(subject: Subject, when: string): Promise<number> {
  const { disk, dataDir, backups, faults, site } = subject;
  await disk.remount();
  const lost = faults.lose();
  expect(await wrongIn(subject), when).toEqual([]);
  const service = await start(subject, {});
  await maintain(site.owner, 'clean-up');
  expect(await service.stop()).toBe(0);
  expect([...(await findingsIn(dataDir)), ...(await damagedBackups(backups))], when).toEqual([]);
  return lost;
}
