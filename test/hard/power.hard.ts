import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { setBackupSchedule } from '#api/admin/backup.ts';
import { batchImages } from '#api/images/changes.ts';
import { readConfig, writeConfig } from '#cli/config-file.ts';
import { openReport } from '#cli/import/report.ts';
import { emptySummary } from '#cli/import/summary.ts';
import { tokenFile } from '#main/joining/token-file.ts';
import { openJournal } from '#main/journal/journal.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { writeDurably } from '#server/platform/files/durable.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { safeStorage } from '#test/desktop/double/system/safe-storage.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { type SignedIn, setUp } from '#test/helpers/service/service.ts';
import { type Disk, type FileSystem, openDisk } from './disk.ts';
import type { Change } from './journal-writer.ts';
import { Model, type Picture, readPictures } from './model.ts';
import { maintain, operate, startAsOwner } from './operations.ts';
import { Random, setting } from './random.ts';
import { damagedBackups, findingsIn } from './subject.ts';

const CUTS = setting('CUTS');
/** For one cut on a busy computer. */
const LIMIT_MS = 60_000;
const IMPORTS = Math.ceil(CUTS / 4);
/** Added before each cut. */
const FILES = 60;
const FILE_SYSTEMS: FileSystem[] = ['ext4', 'xfs'];
const WRITER = join(import.meta.dirname, 'journal-writer.ts');

const isPicture = async (bytes: Buffer) => {
  try {
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
};

/** The thumbnails that a service has sent, by their ETag, which names the picture's bytes. */
class ThumbnailRecord {
  readonly broken: string[] = [];
  readonly #sent = new Map<string, string>();

  /** Each picture has thumbnails of one size, made from the original: they must be the same whenever they are made. */
  async check(owner: SignedIn, path: string, sha256?: string) {
    const response = await owner.fetch(path);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 404) return; // deleted meanwhile
    if (response.status >= 500) throw new Error(`${path}: ${bytes}`);
    const etag = sha256 === undefined ? response.headers.get('etag') : `"${sha256.slice(0, 40)}-400"`;
    if (!etag) throw new Error(`${path}: no ETag`);
    const sent = this.#sent.get(etag) ?? hash('sha256', bytes);
    this.#sent.set(etag, sent);
    if (response.status !== 200 || sent !== hash('sha256', bytes) || !(await isPicture(bytes)))
      this.broken.push(`${response.status} ${path}: ${bytes.length} bytes`);
  }
}

/** Grows the log that SQLite writes to, as in a service that has run for longer: flushing it then flushes nothing else. */
function growLog(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'pixdock.db'), { timeout: LIMIT_MS });
  db.exec('CREATE TABLE filler (bytes); INSERT INTO filler VALUES (zeroblob(8000000)); DROP TABLE filler');
  db.close();
}

/** Changes pictures and opens thumbnails until the power is cut, at a random moment. Returns the number of acknowledged changes. */
async function operateUntilCut(
  disk: Disk,
  dataDir: string,
  model: Model<Picture>,
  thumbnails: ThumbnailRecord,
  random: Random,
): Promise<number> {
  const { service, owner } = await startAsOwner(dataDir);
  onTestFinished(() => service.kill());
  growLog(dataDir);
  const wanted = 5 + random.below(40);
  const enough = Promise.withResolvers<void>();
  let [done, isCut, isOver] = [0, false, false];
  const client = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().catch((error: unknown) => {
        if (!isCut) throw error;
      });
    }
  };
  const change = async () => {
    await operate(owner, model, random);
    if (++done >= wanted) enough.resolve();
  };
  const look = async () => {
    const keys = model.keysIn('library');
    if (keys.length > 0) await thumbnails.check(owner, `/t/${random.pick(keys)}.jpg`);
    else await wait(1);
  };
  const keepUp = async () => {
    await wait(random.below(300));
    await maintain(owner, random.chance(0.3) ? 'backup' : 'clean-up');
  };
  const clients = Promise.all([client(change), client(change), client(change), client(look), client(keepUp)]);
  await Promise.race([enough.promise, clients]);
  if (random.chance(0.5)) await wait(random.below(200));
  else {
    // Nothing else happens between a deletion and the cut, which would flush it, too.
    isOver = true;
    await clients;
    await deleteSome(owner, model);
  }
  isCut = true;
  const acknowledged = done;
  model.stopListening();
  disk.cut();
  await wait(random.below(100));
  isOver = true;
  await service.kill();
  await clients;
  await disk.remount();
  return acknowledged;
}

/** Removes the files of deleted pictures, after a backup that still runs. */
const cleanUp = (owner: SignedIn) => expect.poll(() => maintain(owner, 'clean-up'), { timeout: LIMIT_MS }).toBe(true);

/** Deletes pictures permanently, with their files. */
async function deleteSome(owner: SignedIn, model: Model<Picture>) {
  for (const key of model.keysIn('library').slice(0, 3))
    await model.change(
      key,
      { place: 'nowhere' },
      async () => void (await owner.client.call(batchImages, { body: { action: 'purge', keys: [key] } })),
    );
  await cleanUp(owner);
}

/** Starts the service after a cut, and opens the thumbnails of all pictures. */
async function lookAtAll(dataDir: string, thumbnails: ThumbnailRecord) {
  const { service, owner } = await startAsOwner(dataDir);
  onTestFinished(() => service.kill());
  const db = await openDatabase(join(dataDir, 'pixdock.db'));
  const images = await db.read.selectFrom('images').select(['key', 'sha256', 'deleted_at']).where('emptied_at', 'is', null).execute();
  await db.close();
  for (const { key, sha256, deleted_at } of images)
    await thumbnails.check(owner, deleted_at === null ? `/t/${key}.jpg` : `/api/v1/trash/${key}/thumbnail`, sha256);
  await cleanUp(owner);
  expect(await service.stop()).toBe(0);
}

it.for(FILE_SYSTEMS)(
  `keeps every acknowledged change on %s when the power is cut ${CUTS} times, and shows no broken thumbnail`,
  {
    timeout: CUTS * LIMIT_MS,
  },
  async (kind, { skip }) => {
    const disk = openDisk(kind);
    if (typeof disk === 'string') return skip(disk);
    const random = new Random(`power ${kind}`);
    const [dataDir, backups] = [join(disk.folder, 'data'), join(disk.folder, 'backups')];
    const first = await startChildService(dataDir);
    onTestFinished(() => first.kill());
    const owner = await setUp(first);
    await owner.client.call(setBackupSchedule, { body: { schedule: { folder: backups, every_hours: 24, keep: 2 } } });
    expect(await first.stop()).toBe(0);
    const [model, thumbnails] = [new Model(readPictures), new ThumbnailRecord()];
    let acknowledged = 0;
    const [lost, damaged] = [[] as unknown[], new Set<string>()];
    for (let cut = 1; cut <= CUTS; cut++) {
      acknowledged += await operateUntilCut(disk, dataDir, model, thumbnails, random);
      await lookAtAll(dataDir, thumbnails);
      lost.push(...(await model.wrongIn(join(dataDir, 'pixdock.db'))));
      for (const finding of [...(await findingsIn(dataDir)), ...(await damagedBackups(backups))]) damaged.add(finding);
    }
    console.log(
      `${kind}: ${CUTS} cuts, ${acknowledged} acknowledged changes, ${lost.length} lost, ${damaged.size} damaged, ${thumbnails.broken.length} broken thumbnails`,
    );
    expect(acknowledged).toBeGreaterThan(CUTS);
    expect({ lost, damaged, broken: thumbnails.broken }).toEqual({ lost: [], damaged: new Set(), broken: [] });
  },
);

/** What a child has reported until it ends, by kind. */
function collect(child: ChildProcess) {
  const [added, finished] = [new Map<string, number>(), new Set<string>()];
  child.on('message', (change: Change) => {
    if ('added' in change) added.set(change.added, change.number);
    else finished.add(change.finished);
  });
  return { added, finished };
}

it.for(FILE_SYSTEMS)(
  `keeps every upload that the desktop app has accepted on %s when the power is cut ${CUTS} times`,
  {
    timeout: CUTS * LIMIT_MS,
  },
  async (kind, { skip }) => {
    const disk = openDisk(kind);
    if (typeof disk === 'string') return skip(disk);
    const random = new Random(`journal ${kind}`);
    const known = { added: new Map<string, number>(), finished: new Set<string>() };
    const wrong = new Set<string>();
    for (let cut = 1; cut <= CUTS; cut++) {
      const child = fork(WRITER, [disk.folder, String(cut * 1_000_000)], { silent: true });
      onTestFinished(() => void child.kill('SIGKILL'));
      const { added, finished } = collect(child);
      const enough = 1 + random.below(60);
      await expect.poll(() => added.size, { timeout: LIMIT_MS, interval: 5 }).toBeGreaterThanOrEqual(enough);
      for (const [id, number] of added) known.added.set(id, number);
      for (const id of finished) known.finished.add(id);
      // What is accepted while the power is being cut may be lost.
      disk.cut();
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      await disk.remount();
      const { items, close } = openJournal(join(disk.folder, 'uploads.db'));
      for (const [id, number] of known.added) {
        const item = items.get(id);
        const isDone = item?.state === 'done';
        if (!item || (known.finished.has(id) && !isDone)) wrong.add(`${id} is ${item?.state ?? 'lost'}`);
        else if (!isDone && !readFileSync(item.path).equals(tinyPng(number))) wrong.add(`the file of ${id} is damaged`);
      }
      close();
    }
    console.log(
      `journal on ${kind}: ${CUTS} cuts, ${known.added.size} accepted uploads, ${known.finished.size} finished, ${wrong.size} lost or damaged`,
    );
    expect(wrong).toEqual(new Set());
  },
);

it.for(FILE_SYSTEMS)(
  `imports each file of a folder once on %s when the power is cut ${IMPORTS} times`,
  {
    timeout: CUTS * LIMIT_MS,
  },
  async (kind, { skip }) => {
    const disk = openDisk(kind);
    if (typeof disk === 'string') return skip(disk);
    const random = new Random(`import ${kind}`);
    // The server and the command's state are on the disk; the pictures aren't, since nothing flushes them.
    const [dataDir, home, pictures] = [join(disk.folder, 'data'), join(disk.folder, 'home'), temporaryFolder()];
    mkdirSync(home);
    let service = await startChildService(dataDir);
    onTestFinished(() => service.kill());
    const env = { PIXDOCK_TOKEN: await (await setUp(service)).token('full'), PIXDOCK_BASE_URL: service.url };
    const run = (onStart: (child: ChildProcess) => void = () => undefined) =>
      runBuiltCli(home, ['import-dir', pictures, '--format', 'json'], { env, onStart });
    let files = 0;
    for (let cut = 1; cut <= IMPORTS; cut++) {
      for (let left = FILES; left > 0; left--) writeFileSync(join(pictures, `${++files}.png`), tinyPng(files));
      let left = 1 + random.below(FILES - 1);
      let kill = () => false;
      const enough = Promise.withResolvers<void>();
      const running = run((child) => {
        kill = () => child.kill('SIGKILL');
        child.stdout?.on('data', (lines: Buffer) => {
          left -= lines.toString().split('\n').length - 1;
          if (left <= 0) enough.resolve();
        });
      });
      await Promise.race([enough.promise, running]);
      disk.cut();
      kill();
      await running;
      await service.kill();
      await disk.remount();
      service = await startChildService(dataDir, { PIXDOCK_PORT: new URL(env.PIXDOCK_BASE_URL).port });
      expect(await run()).toMatchObject({ code: 0 });
      expect(await run()).toMatchObject({ code: 0, stdout: '' });
      const db = await openDatabase(join(dataDir, 'pixdock.db'));
      const names = (await db.read.selectFrom('images').select('name').execute()).map(({ name }) => name);
      await db.close();
      expect(names.toSorted()).toEqual(readdirSync(pictures).toSorted());
    }
    expect(await service.stop()).toBe(0);
    expect(await findingsIn(dataDir)).toEqual([]);
    console.log(`import-dir on ${kind}: ${IMPORTS} cuts, ${files} files: none lost or uploaded twice`);
  },
);

it.for(FILE_SYSTEMS)(
  'leaves no damaged settings, tokens or reports on %s when the power is cut after they were written',
  async (kind, { skip }) => {
    const disk = openDisk(kind);
    if (typeof disk === 'string') return skip(disk);
    const [token, report] = [join(disk.folder, 'token.json'), join(disk.folder, 'report.json')];
    await writeConfig(disk.folder, { tokens: { 'https://pics.example.org': 'secret' } });
    tokenFile(token, safeStorage, 'linux').write('secret');
    await (await openReport(report)).finish({}, emptySummary());
    await writeDurably(join(disk.folder, 'other'), 'flushes the names of all files, but not their contents');
    disk.cut();
    await disk.remount();
    const { tokens } = await readConfig(disk.folder);
    expect([{}, { 'https://pics.example.org': 'secret' }]).toContainEqual(tokens);
    expect(['secret', undefined]).toContain(tokenFile(token, safeStorage, 'linux').read());
    for (const path of [token, report]) if (existsSync(path)) JSON.parse(readFileSync(path, 'utf8'));
  },
);
