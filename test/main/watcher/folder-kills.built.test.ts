import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { FolderOptions } from '#api/desktop/folders.ts';
import type { Image } from '#api/images/images.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { type SignedIn, setUp } from '#test/helpers/service/service.ts';

/** How many pictures are placed in the folder at once. */
const PICTURES = Number(process.env.PIXDOCK_TEST_FOLDER_PICTURES ?? 150);
const TIME_LIMIT_MS = 60_000 + PICTURES * 200;

interface Report {
  state: string;
  settling: number;
  scannedAt?: number;
  counts: Partial<Record<string, number>>;
  memory: number;
}

/** The part of main that watches folders, in a process of its own. */
function startMain(config: { state: string; url: string; token: string; watched: string; options: Partial<FolderOptions> }) {
  const program = join(import.meta.dirname, 'folder-process.ts');
  const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(config)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  let memory = 0;
  lines.on('line', (line) => {
    memory = Math.max(memory, (JSON.parse(line) as Report).memory);
  });
  return {
    memory: () => memory,
    /** Resolves with the first report that fits. */
    async until(fits: (report: Report) => boolean): Promise<Report> {
      for (;;) {
        const [line] = (await once(lines, 'line')) as [string];
        const report = JSON.parse(line) as Report;
        if (fits(report)) return report;
      }
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const put = async (path: string, bytes: string | Buffer) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
};

/** Writes each picture in one of the ways in which pictures arrive; returns what is expected of each path. */
async function arrive(root: string) {
  const bytes = Array.from({ length: PICTURES }, (_, number) => tinyPng(number));
  const writers: (() => Promise<void>)[] = bytes.map((content, number) => {
    const folder = join(root, number % 5 === 0 ? `new ${number % 7}/nested ${number % 3}` : '');
    const path = join(folder, `picture ${number}.png`);
    if (number % 25 === 1) return () => writeSlowly(path, content);
    if (number % 4 === 2) return () => writeThenRename(path, ['.part', '.tmp', '.crdownload'][number % 3] ?? '', content);
    return () => put(path, content);
  });
  const copies = bytes.filter((_, number) => number % 20 === 3);
  for (const [number, content] of copies.entries()) writers.push(() => put(join(root, `copy ${number}.png`), content));
  const others: Record<string, string> = {
    'notes.txt': 'fileIsNoPicture',
    'new 1/list.json': 'fileIsNoPicture',
    'private.png': 'fileIgnored',
    'link.png': 'fileIsLink',
    'fake.png': 'ext_not_allowed',
    'damaged.png': 'damaged_image',
    'empty.png': 'fileEmpty',
  };
  for (const name of ['notes.txt', 'new 1/list.json']) writers.push(() => put(join(root, name), 'text'));
  writers.push(() => put(join(root, 'private.png'), tinyPng(PICTURES + 1)));
  writers.push(() => symlink(join(root, 'picture 0.png'), join(root, 'link.png')));
  writers.push(() => put(join(root, 'fake.png'), 'not a picture'));
  writers.push(() => put(join(root, 'damaged.png'), tinyPng(PICTURES + 2).subarray(0, 50)));
  writers.push(() => put(join(root, 'empty.png'), ''));
  await Promise.all(writers.map((write) => write()));
  return { expected: bytes.map((content) => hash('sha256', content)), copies: copies.length, others };
}

/** In pieces, with pauses. */
async function writeSlowly(path: string, content: Buffer) {
  await put(path, content.subarray(0, 20));
  for (const [from, to] of [
    [20, 40],
    [40, content.length],
  ]) {
    await delay(400);
    await appendFile(path, content.subarray(from, to));
  }
}

async function writeThenRename(path: string, suffix: string, content: Buffer) {
  await put(path + suffix, content.subarray(0, 30));
  await delay(300);
  await appendFile(path + suffix, content.subarray(30));
  await rename(path + suffix, path);
}

async function allImages({ client }: SignedIn): Promise<Image[]> {
  const images: Image[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('GET /images', { query: { limit: 200, ...(cursor && { cursor }) } });
    images.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return images;
}

it('uploads each picture of a watched folder exactly once, through kills of main and of the service', {
  timeout: TIME_LIMIT_MS,
}, async () => {
  const data = temporaryFolder();
  const watched = temporaryFolder();
  let service = await startChildService(data);
  onTestFinished(() => service.kill());
  const owner = await setUp(service);
  const config = {
    state: temporaryFolder(),
    url: service.url,
    token: await owner.token('full'),
    watched,
    options: { ignore: ['private*'] },
  };
  let main = startMain(config);
  onTestFinished(() => main.kill());
  const memory: number[] = [];
  const restart = async () => {
    await main.kill();
    memory.push(main.memory());
    main = startMain(config);
  };

  await main.until(({ state }) => state === 'watching');
  const began = Date.now();
  const arriving = arrive(watched);
  const uploadedAtLeast = (share: number) => main.until(({ counts }) => (counts.uploaded ?? 0) >= PICTURES * share);
  await uploadedAtLeast(0.1);
  await restart();
  await uploadedAtLeast(0.3);
  await restart();
  await uploadedAtLeast(0.5);
  await service.kill();
  service = await startChildService(data, { PIXDOCK_PORT: new URL(service.url).port });
  const { expected, copies, others } = await arriving;
  await main.until(({ counts }) => counts.uploaded === expected.length && (counts.rejected ?? 0) === 3);
  const took = Date.now() - began;
  await main.until(({ settling, state }) => settling === 0 && state === 'watching');
  memory.push(main.memory());
  await main.kill();

  const images = await allImages(owner);
  expect(images.map(({ sha256 }) => sha256).sort()).toEqual(expected.toSorted());
  expect(images.every(({ visibility }) => visibility === 'private')).toBe(true);

  const journal = new DatabaseSync(join(config.state, 'uploads.db'), { readOnly: true });
  onTestFinished(() => journal.close());
  const rows = (query: string) => journal.prepare(query).all();
  const outcomes = Object.fromEntries(
    rows('SELECT outcome, COUNT(*) AS count FROM seen GROUP BY outcome').map((row) => Object.values(row)),
  );
  expect(outcomes).toEqual({ uploaded: expected.length, duplicate: copies, rejected: 3, skipped: 4 });
  // No content was put into the queue twice, and each upload is written down once.
  expect(rows(`SELECT sha256 FROM items WHERE state = 'done' GROUP BY sha256 HAVING COUNT(*) > 1`)).toEqual([]);
  expect(rows(`SELECT rel_path FROM events WHERE what = 'uploaded' GROUP BY rel_path HAVING COUNT(*) > 1`)).toEqual([]);
  expect(rows(`SELECT COUNT(*) AS count FROM items WHERE state NOT IN ('done', 'failed', 'discarded')`)).toEqual([{ count: 0 }]);
  const reasons = rows(`SELECT rel_path, json_extract(detail, '$.code') AS code FROM events WHERE what IN ('rejected', 'skipped')`);
  expect(Object.fromEntries(reasons.map(({ rel_path, code }) => [rel_path, code]))).toMatchObject(others);
  console.info(`${PICTURES} pictures in ${took} ms; main's memory at most ${Math.round(Math.max(...memory) / 1e6)} MB`);
  expect(Math.max(...memory)).toBeLessThan(250_000_000);
});

it('uploads a single new picture at once, not with the next scan', async () => {
  const watched = temporaryFolder();
  const service = await startChildService(temporaryFolder());
  onTestFinished(() => service.kill());
  const owner = await setUp(service);
  const main = startMain({ state: temporaryFolder(), url: service.url, token: await owner.token('full'), watched, options: {} });
  onTestFinished(() => main.kill());
  await main.until(({ state }) => state === 'watching');
  const times: number[] = [];
  for (const number of [1, 2, 3]) {
    const began = Date.now();
    await put(join(watched, `screenshot ${number}.png`), tinyPng(number));
    await main.until(({ counts }) => counts.uploaded === number);
    times.push(Date.now() - began);
  }
  console.info(`New pictures took ${times.join(', ')} ms.`);
  // About a second on a quiet machine. Scans are a minute apart at least.
  expect(Math.min(...times)).toBeLessThan(20_000);
});
