import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { createPolicy, movePolicy } from '#api/admin/policies.ts';
import { HOUR_MS } from '#api/durations.ts';
import type { Image } from '#api/images/images.ts';
import { serviceJobs } from '#server/boot/jobs.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

// A file that can't be read: the system's fault, not the picture's. It must not hold up the jobs' work on all others.

const folder = temporaryFolder(afterAll);
const opened = await openTestContext(folder);
afterAll(() => opened.close());
const owner = await setUp({ url: opened.url, setupCode: opened.context.setupCode });

let seed = 700;
const upload = async (): Promise<Image> =>
  uploadImage(opened, await owner.token('full'), await photoJpeg({ width: 60, height: 40, seed: ++seed }));
const pathOf = ({ sha256 }: Image) => join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

/** Makes a file unreadable, and returns a function that repairs it. */
async function breakFile(image: Image) {
  const path = pathOf(image);
  await rename(path, `${path}.aside`);
  await mkdir(path);
  return async () => {
    await rmdir(path);
    await rename(`${path}.aside`, path);
  };
}

/** The jobs of one start, which remember what has failed. */
function jobs() {
  const all = serviceJobs(opened.context);
  return async (name: string) => {
    const job = all.find((one) => one.name === name);
    if (!job) throw new Error(`there is no job ${name}`);
    return job.run(new AbortController().signal);
  };
}

const rowOf = ({ key }: Image) => opened.context.db.read.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirstOrThrow();

/** As if everything that rests had rested. */
function wait() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
  onTestFinished(() => void vi.useRealTimers());
}

it('makes the placeholders of all others', async () => {
  const [first, second] = [await upload(), await upload()];
  const repair = await breakFile(first);
  const run = jobs();
  await run('make placeholders');
  expect((await rowOf(second)).thumbhash).toMatch(/\w/);
  expect(await rowOf(first)).toMatchObject({ thumbhash: null, phash: null });
  await repair();
  // It rests.
  expect(await run('make placeholders')).toEqual({ placeholders: 0 });
  wait();
  await run('make placeholders');
  expect((await rowOf(first)).thumbhash).toMatch(/\w/);
});

/** Recognition that is on, with nothing else to do and no picture that waits. */
async function recognition() {
  const { db, settings, textRecognition, decoding } = opened.context;
  await db.as('job').write((queries) => queries.updateTable('images').set({ text_state: 'none' }).execute());
  vi.spyOn(settings, 'current').mockReturnValue({ ...settings.current(), ocr_enabled: true, ocr_languages: ['en'] });
  vi.spyOn(decoding, 'quietMs').mockReturnValue(HOUR_MS);
  onTestFinished(() => void vi.restoreAllMocks());
  return { textRecognition, decoding };
}

it('stops in the middle of a picture when the service does, and recognises its text after the next start', async () => {
  const { textRecognition, decoding } = await recognition();
  const image = await upload();
  const stop = new AbortController();
  const { as } = decoding;
  vi.spyOn(decoding, 'as').mockImplementationOnce((turn) => {
    stop.abort();
    return as(turn);
  });
  expect(await textRecognition.run(stop.signal)).toBe(0);
  expect((await rowOf(image)).text_state).toBeNull();
  // It doesn't rest as after a failure.
  expect(await textRecognition.run(new AbortController().signal)).toBe(1);
});

it('recognises the text in all others', async () => {
  const { textRecognition } = await recognition();
  const [second, first] = [await upload(), await upload()];
  const repair = await breakFile(first);
  const signal = new AbortController().signal;
  // The newest comes first.
  expect(await textRecognition.run(signal)).toBe(1);
  expect([(await rowOf(first)).text_state, (await rowOf(second)).text_state]).toEqual([null, 'none']);
  await repair();
  wait();
  expect(await textRecognition.run(signal)).toBe(1);
  expect((await rowOf(first)).text_state).toBe('none');
});

it('moves all others to another storage policy, says that some are left, and moves them later', async () => {
  const images = [await upload(), await upload(), await upload()].toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  const [first, ...others] = images as [Image, ...Image[]];
  const { client } = owner;
  const policy = await client.call(createPolicy, { body: { name: 'Disk', driver: 'local', folder: join(temporaryFolder(), 'pictures') } });
  const repair = await breakFile(first);
  await client.call(movePolicy, { params: { id: '1' }, body: { to_policy_id: policy.id } });
  const run = jobs();
  await run('move pictures');
  await run('move pictures');
  for (const image of others) expect((await rowOf(image)).policy_id).toBe(policy.id);
  expect((await rowOf(first)).policy_id).toBe(1);
  const move = () => opened.context.db.read.selectFrom('policy_moves').selectAll().executeTakeFirst();
  expect(await move()).toMatchObject({ fault: expect.stringMatching(/tried again/), lost: 0 });
  await repair();
  wait();
  await run('move pictures');
  await run('move pictures');
  expect((await rowOf(first)).policy_id).toBe(policy.id);
  expect(await move()).toBeUndefined();
});
