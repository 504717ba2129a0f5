import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/db/database.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { digests, startLibrary } from '#test/helpers/service/data/migrating.ts';
import { PostgresServer } from '#test/helpers/service/data/postgres-server.ts';
import { startTestService } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

/** The requirement is 20,000 pictures (PIXDOCK_TEST_FILES=20000); fewer show the same in every run. */
const FILES = Number(process.env.PIXDOCK_TEST_FILES ?? 200);
const AT_ONCE = 200;

/** A new one for each test. */
let home: string;
const postgres = await PostgresServer.create();
afterAll(() => postgres.remove());
const { service, images } = await startLibrary();
afterAll(() => service[Symbol.asyncDispose]());
const key = images[0]?.key as string;

const migrate = (args: string[], env: Record<string, string> = {}) => runCli(home, ['migrate', ...args], { env });

/** Adds pictures, each with a file of its own. */
async function addImages(dataDir: string) {
  const db = await openDatabase(join(dataDir, 'pixdock.db'));
  const { id: _, ...image } = await db.read.selectFrom('images').selectAll().limit(1).executeTakeFirstOrThrow();
  for (let from = 0; from < FILES; from += AT_ONCE) {
    const added = Array.from({ length: AT_ONCE }, async (_, index) => {
      const bytes = `the bytes of picture ${from + index}`;
      const sha256 = hash('sha256', bytes);
      const folder = join(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, sha256), bytes);
      return { ...image, sha256, input_sha256: sha256, size: bytes.length, key: String(from + index).padStart(12, 'k') };
    });
    const rows = await Promise.all(added);
    await db.as('job').write(async (queries) => {
      const blobs = rows.map(({ sha256, size }) => ({ policy_id: 1, sha256, size, unused_since: null }));
      await queries.insertInto('blobs').values(blobs).execute();
      await queries.insertInto('images').values(rows).execute();
    });
  }
  await db.close();
}

/** Where the command is killed: at any moment of the quarter of a second after it has printed this. */
const KILLED_AFTER = ['Copying the database', 'Copying the database', 'Copying pictures', 'Comparing the copy'];
const KILL_MS = 250;

/** Runs the command, which is killed at each of these points unless it finishes first, and then lets it finish. */
async function migrateWithKills(args: string[], env: Record<string, string>) {
  let killed = 0;
  for (const point of KILLED_AFTER) {
    let printed = '';
    const onStart = (child: ChildProcessWithoutNullStreams) =>
      child.stderr.on('data', (chunk) => {
        const before = printed;
        printed += chunk;
        if (!before.includes(point) && printed.includes(point)) void delay(KILL_MS * Math.random()).then(() => child.kill('SIGKILL'));
      });
    const { code } = await runBuiltCli(home, ['migrate', ...args], { env, onStart });
    if (code === 0) return killed;
    expect(code).toBeNull();
    killed++;
  }
  const { stderr, code } = await migrate(args, env);
  if (code !== 0) expect(stderr).toContain('it had already finished'); // killed as it exited
  return killed;
}

describe('pixdock migrate', () => {
  it('refuses what can’t work, with messages', async () => {
    home = temporaryFolder();
    const { dataDir } = service;
    const from = ['--data-dir', dataDir];
    const failure = async (args: string[], env = {}) => {
      const { stdout, stderr, code } = await migrate(args, env);
      expect(stdout).toBe('');
      return `${code} ${stderr}`;
    };
    expect(await failure([])).toMatch(/^2 .*--to/);
    expect(await failure([...from, '--to', 'mysql://localhost/pixdock'])).toBe(
      '2 pixdock: --to must be a folder, or a URL such as postgres://user@host/database.\n',
    );
    expect(await failure([...from, '--to', dataDir])).toBe('1 pixdock: Pixdock already uses this database. Specify another one.\n');
    expect(await failure([...from, '--to', `sqlite://${dataDir}/pixdock.db`])).toContain('already uses this database');
    expect(await failure(['--data-dir', home, '--to', join(home, 'target')])).toContain('isn’t a Pixdock data folder');
    const unreachable = await failure([...from, '--to', 'postgres://pixdock@127.0.0.1:9/pixdock']);
    expect(unreachable).toMatch(/^1 pixdock: Can’t use the database 127\.0\.0\.1:9\/pixdock: .*\. Check the URL\.\n$/);
    const to = ['--to', join(home, 'target')];
    expect(await failure([...from, ...to, '--storage', 'ftp://pictures'])).toContain(
      's3://bucket/prefix, data-folder or the absolute path of a folder.',
    );
    expect(await failure([...from, ...to, '--storage', 's3://pictures'])).toContain('Set AWS_ACCESS_KEY_ID');
    const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(await failure([...from, ...to, '--storage', 's3://pictures?acl=public'], keys)).toContain('unknown parameter: acl');
    expect(await failure([...from, ...to, '--storage', 's3://x'], keys)).toContain('The bucket of --storage isn’t valid');
    const running = await startTestService({ dataDir, databaseUrl: undefined });
    expect(await failure([...from, ...to])).toContain(`Pixdock is running with the data folder ${dataDir}. Stop it first, then migrate.`);
    await running.stop();
  });

  it('moves to PostgreSQL and a bucket and back, killed along the way: the same rows and bytes', {
    timeout: 240_000 + FILES * 100,
  }, async () => {
    home = temporaryFolder();
    const store = await startObjectStore();
    const { dataDir } = service;
    await addImages(dataDir);
    const before = await digests({ dataDir });
    const databaseUrl = await postgres.addDatabase('there');
    const { endpoint, bucket, access_key_id, secret_access_key } = store.access;
    const keys = { AWS_ACCESS_KEY_ID: access_key_id, AWS_SECRET_ACCESS_KEY: secret_access_key };
    const toBucket = ['--storage', `s3://${bucket}/moved?endpoint=${endpoint}`];
    const there = ['--no-color', '--data-dir', dataDir, '--to', databaseUrl, ...toBucket];
    expect(await migrateWithKills(there, keys)).toBeGreaterThan(0);
    expect(await digests({ dataDir })).toEqual(before);
    const { policies: _, ...others } = before;
    expect(await digests({ dataDir, databaseUrl })).toMatchObject(others);

    // The local files are gone: what is served and copied back comes from the bucket.
    await rename(join(dataDir, 'blobs'), join(dataDir, 'former'));
    const target = join(home, 'back');
    const back = ['--data-dir', dataDir, '--to', `sqlite://${target}`, '--storage', 'data-folder'];
    expect(await migrateWithKills(back, { PIXDOCK_DATABASE_URL: databaseUrl })).toBeGreaterThan(0);
    await rename(join(dataDir, 'former'), join(dataDir, 'blobs'));
    expect(await digests({ dataDir: target })).toEqual(before);
    const verified = await runCli(home, ['verify', '--data-dir', target]);
    expect(verified.stderr).toContain('Checked ');
    expect(verified.stdout).not.toMatch(/missing|damaged/);
    await using started = await startTestService({ dataDir: target, databaseUrl: undefined });
    expect((await fetch(`${started.url}/i/${key}.jpg`)).status).toBe(200);
  });

  it('says where a lost picture was, and what to do next', async () => {
    home = temporaryFolder();
    const { dataDir } = service;
    const { code, stdout, stderr } = await migrate(['--to', await postgres.addDatabase('next'), '--json'], { PIXDOCK_DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ images: expect.any(Number), lost: 0 });
    expect(stderr).toContain('Now set PIXDOCK_DATABASE_URL to the value of --to, with the password if there is one, and start Pixdock.');
    const lost = join(dataDir, 'lost');
    await rename(join(dataDir, 'blobs'), lost);
    const folder = join(home, 'elsewhere');
    const moved = await migrate(['--data-dir', dataDir, '--to', folder]);
    await rename(lost, join(dataDir, 'blobs'));
    expect(moved.code).toBe(1);
    expect(moved.stdout).toContain(`, the file for “0.jpg” (${key}), is missing. It wasn’t copied; restore it from a backup.`);
    expect(moved.stderr).toContain(`set PIXDOCK_DATA_DIR to ${folder}`);
  });
});
