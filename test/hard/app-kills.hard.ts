import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { openJournal } from '#main/journal/journal.ts';
import { launchProgram } from '#test/desktop/launch.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { childrenOf, commandOf } from '#test/helpers/programs/process-tree.ts';
import { Random, setting } from './random.ts';
import { expectSound } from './subject.ts';

const { leftovers } = (await import('../../scripts/test/leftovers.mjs' as string)) as {
  leftovers(marker: string, milliseconds: number): Promise<{ pid: number; command: string }[]>;
};

const KILLS = setting('KILLS');
/** For one kill on a busy computer. */
const LIMIT_MS = 30_000;
/** The promise of decision 113. */
const GONE_MS = 5_000;
/** How long the app lives at most, from its start or from that of its service. */
const MAX_LIFE_MS = 3_000;

const root = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const [userData, watched, given, bin] = ['user', 'watched', 'given', 'bin'].map((name) => join(root, name)) as [
  string,
  string,
  string,
  string,
];
const shot = join(root, 'shot.png');
const random = new Random('app-kills');
let [generation, number] = [0, 0];
let app: ChildProcess | undefined;
afterAll(() => {
  app?.kill('SIGKILL'); // of a test that has failed
  rmSync(root, { recursive: true, maxRetries: 5 });
});

/** Starts the app, with its number in the environment of all its processes; a decoder inherits the folder for temporary files. */
function start() {
  const marker = join(root, `run-${++generation}-`);
  mkdirSync(marker);
  const actions = join(import.meta.dirname, 'app-actions.cjs');
  const env = { TMPDIR: marker, PATH: `${bin}:${process.env.PATH}`, XDG_CURRENT_DESKTOP: '' };
  const { command, args, env: all } = launchProgram({ kind: 'double' }, userData, env, ['--hidden']);
  const child = spawn(command, ['-r', actions, ...args], { env: all, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  app = child;
  return { child, marker };
}

const nextPicture = () => tinyPng(++number);

function addFile(folder: string): string {
  const bytes = nextPicture();
  const path = join(folder, `${number}.png`);
  writeFileSync(path, bytes);
  return path;
}

const serviceOf = (child: ChildProcess) => childrenOf(child.pid as number).find((pid) => commandOf(pid).includes('server/child.js'));

function killService(child: ChildProcess) {
  const service = serviceOf(child);
  try {
    if (service) process.kill(service, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** One random thing that the user or the system does. The first ones may come before the app can do them. */
const ACTIONS: ((child: ChildProcess) => void)[] = [
  (child) => child.send({ action: 'upload', files: Array.from({ length: 1 + random.below(4) }, () => addFile(given)) }),
  (child) => child.send({ action: 'clipboard', base64: nextPicture().toString('base64') }),
  (child) => {
    writeFileSync(shot, nextPicture());
    child.send({ action: 'capture' });
  },
  () => {
    for (let left = 1 + random.below(3); left > 0; left--) addFile(watched);
  },
  killService,
];

/** Lets the app work and kills it at a random moment, unless it has quit. Returns whether it was killed. */
async function liveAndDie(child: ChildProcess): Promise<boolean> {
  const exited = once(child, 'exit');
  // A third of the kills come while the app starts, the others while it works, however fast this computer is.
  const isEarly = random.chance(0.3);
  while (!isEarly && child.connected && !serviceOf(child)) await wait(20);
  const until = performance.now() + random.below(MAX_LIFE_MS);
  while (performance.now() < until && child.connected) {
    await wait(Math.min(random.below(800), Math.max(0, until - performance.now())));
    if (!child.connected) break;
    if (random.chance(0.05)) child.send({ action: 'quit' });
    else random.pick(ACTIONS)(child);
  }
  child.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL';
}

/** Queries a database that the app may be using. */
function query(path: string, sql: string) {
  const db = new DatabaseSync(join(userData, path));
  const rows = db.prepare(sql).all();
  db.close();
  return rows;
}

/** The uploads that the journal has accepted. */
const accepted = () => query('uploads.db', "SELECT id, state, name, spooled, failure, json_extract(image, '$.key') AS key FROM items");

/** Starts the app and lets it finish everything. */
async function finishAll() {
  const { child, marker } = start();
  const exited = once(child, 'exit');
  // A file's upload is added in the commit that marks it as seen, so what is seen has to be read first.
  const left = () => ({
    seen: query('uploads.db', 'SELECT rel_path FROM seen').length,
    open: accepted().filter(({ state }) => ['queued', 'sending', 'paused'].includes(String(state))),
  });
  await expect.poll(left, { timeout: 120_000, interval: 500 }).toEqual({ seen: readdirSync(watched).length, open: [] });
  child.send({ action: 'quit' });
  expect((await exited)[0]).toBe(0);
  expect(await leftovers(marker, GONE_MS)).toEqual([]);
}

function prepare() {
  for (const folder of [userData, watched, given, bin]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bin, 'maim'), `#!/bin/sh\nsleep 0.$$\ncp '${shot}' "$2"\n`);
  chmodSync(join(bin, 'maim'), 0o755);
  const journal = openJournal(join(userData, 'uploads.db'));
  journal.folders.add({ path: watched, volume: undefined, options: { ...DEFAULT_FOLDER_OPTIONS, existing: true }, since: null });
  journal.close();
}

it(`leaves no process behind, and loses and duplicates nothing, when the app is killed ${KILLS} times`, {
  timeout: (KILLS + 10) * LIMIT_MS,
}, async () => {
  prepare();
  const known = new Set<unknown>();
  const gone: Promise<void>[] = [];
  let [kills, slowest] = [0, 0];
  while (kills < KILLS) {
    const { child, marker } = start();
    if (await liveAndDie(child)) kills++;
    const from = performance.now();
    // The next start doesn't wait for that, as with a user's.
    const check = leftovers(marker, GONE_MS).then((left) => {
      slowest = Math.max(slowest, performance.now() - from);
      expect(left, `after kill ${kills}`).toEqual([]);
    });
    check.catch(() => undefined);
    gone.push(check);
    for (const { id } of accepted()) known.add(id);
  }
  await Promise.all(gone);
  addFile(watched);
  await finishAll();
  const uploads = accepted();
  expect(uploads.filter(({ state }) => state !== 'done')).toEqual([]);
  expect(uploads.map(({ id }) => id)).toEqual(expect.arrayContaining([...known]));
  const stored = query('data/pixdock.db', 'SELECT key, sha256 FROM images');
  // Each file has a picture of its own, and each picture is of an upload. The clipboard may have been uploaded twice with the same content.
  const files = uploads.filter(({ spooled }) => spooled === 0);
  expect(new Set(files.map(({ key }) => key)).size).toBe(files.length);
  expect(stored.map(({ key }) => key).toSorted()).toEqual([...new Set(uploads.map(({ key }) => key))].toSorted());
  expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(stored.length);
  await expectSound(join(userData, 'data'), 'at the end');
  console.log(`${kills} kills in ${generation} starts, ${uploads.length} uploads, the last process gone after ${Math.round(slowest)} ms`);
});
