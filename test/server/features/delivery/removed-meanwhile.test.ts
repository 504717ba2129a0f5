import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { launchDecodersBy } from '#server/platform/imaging/decoders.ts';
import type { Job } from '#server/platform/jobs/scheduler.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, setUp, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

// While a client waits for a thumbnail that is being made, the picture is removed.

/** Holds the result of the next thumbnail until `release` is called. */
let hold: { reached(): void; released: Promise<void> } | undefined;
launchDecodersBy(() => {
  const decoder = launchDecoder();
  let kind = '';
  return {
    ...decoder,
    send(message) {
      if ('kind' in message) kind = message.kind;
      decoder.send(message);
    },
    onMessage: (listener) =>
      decoder.onMessage((message) => {
        const held = kind === 'thumbnail' && 'isWorn' in message ? hold : undefined;
        if (!held) return listener(message);
        held.reached();
        void held.released.then(() => listener(message));
      }),
  };
});

function holdThumbnail() {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  hold = { reached: reached.resolve, released: released.promise };
  return {
    reached: reached.promise,
    release() {
      hold = undefined;
      released.resolve();
    },
  };
}

let service: TestService;
let owner: SignedIn;
let jobs: Job[];
beforeAll(async () => {
  service = await startTestService(
    {},
    {
      chooseJobs(all) {
        jobs = all;
        return [];
      },
    },
  );
  owner = await setUp(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const runJob = (name: string) => jobs.find((job) => job.name === name)?.run(new AbortController().signal);

const filesIn = (name: string) => {
  const folder = join(service.dataDir, name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
};

let seed = 0;
const uploadOne = async () => uploadImage(service, await owner.token('full'), await photoJpeg({ width: 900, height: 600, seed: ++seed }));

const call = (path: string, method = 'GET') => owner.fetch(path, { method });

it.each([
  ['a thumbnail', (key: string) => `/t/${key}.jpg`, false],
  ['a thumbnail in another format', (key: string) => `/t/${key}.webp`, false],
  ['the thumbnail of a picture in the trash', (key: string) => `/api/v1/trash/${key}/thumbnail?w=400`, true],
])('%s is not found, and nothing of it stays on the disk', async (_what, pathOf, isTrashed) => {
  const { key } = await uploadOne();
  const trash = () => call(`/api/v1/images/${key}`, 'DELETE');
  if (isTrashed) await trash();
  const { reached, release } = holdThumbnail();
  const waiting = call(pathOf(key));
  await reached;
  if (!isTrashed) await trash();
  expect((await call('/api/v1/trash/empty', 'POST')).status).toBe(200);
  await runJob('remove unused blobs');
  expect(filesIn('blobs')).toEqual([]);
  // Before its decoder is done.
  const response = await waiting;
  expect([response.status, (await response.json()).data.code]).toEqual([404, 'not_found']);
  release();
  // Made in the background, if at all.
  await expect.poll(() => filesIn('tmp')).toEqual([]);
  expect(filesIn('thumbs')).toEqual([]);
});
