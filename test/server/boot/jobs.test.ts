import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { createClient } from '#api/client.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { batchImages } from '#api/images/changes.ts';
import type { Image } from '#api/images/images.ts';
import { type Uploaded, upload as uploadRoute } from '#api/images/upload.ts';
import { serviceJobs } from '#server/boot/jobs.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { changePreferences } from '#server/features/accounts/profile/profile.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext, type TestContext } from '#test/helpers/service/data/context.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { countedStorage } from '#test/helpers/service/data/library.ts';
import { UNUSED_KEPT_MS } from '#test/helpers/service/data/unused-files.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const DAY = 86_400_000;

const folder = temporaryFolder(afterAll);
let opened = await openTestContext(folder);
afterAll(() => opened.close());
const owner = await createOwner(opened.context.db.as('job'), { username: 'ada', email: null, password: null });
const { secret: token } = await createToken(opened.context.db.as('job'), owner.id, { name: 'test', scope: 'full', expiresIn: 0 });

let seed = 500;
const newJpeg = () => photoJpeg({ width: 40, height: 30, seed: seed++ });
const upload = async (fields: Record<string, string> = {}, bytes?: Buffer): Promise<Image> =>
  uploadImage(opened, token, bytes ?? (await newJpeg()), fields);
const batch = (body: object) => createClient({ baseUrl: opened.url, token }).call(batchImages, { body: body as never });
const status = async ({ key, ext }: Image) => (await fetch(`${opened.url}/i/${key}.${ext}`)).status;
const blobOf = ({ sha256 }: Image) => join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

/** Runs jobs as if `ahead` milliseconds had passed. */
async function runJobs(ahead: number, ...names: string[]) {
  const { context } = opened;
  const scheduler = createScheduler(
    serviceJobs(context, () => Date.now() + ahead),
    context.log,
  );
  for (const name of names) {
    if (name === 'remove unused blobs') vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead + UNUSED_KEPT_MS });
    await scheduler.run(name);
    vi.useRealTimers();
  }
}

/** Stops the service and starts it again on the same data folder. */
async function reopen() {
  await opened.close();
  opened = await openTestContext(folder);
}

async function expectCountersToBeRight() {
  const { booked, real } = await countedStorage(opened.context.db, 1);
  expect(booked).toEqual(real);
}

const deleteExpired = ({ context }: TestContext, delete_expired: boolean) => changePreferences(context.db.as('job'), 1, { delete_expired });

it('moves expired pictures to the trash, removes their bytes after 30 days, and forgets them after another 30', async () => {
  const image = await upload({ expires_in: '60' });
  await runJobs(61_000, 'expire pictures', 'empty the trash', 'remove unused blobs');
  expect([await status(image), existsSync(blobOf(image))]).toEqual([410, true]);
  await runJobs(61_000 + 29 * DAY, 'empty the trash', 'remove unused blobs');
  expect([await status(image), existsSync(blobOf(image))]).toEqual([410, true]);
  await runJobs(62_000 + 30 * DAY, 'empty the trash', 'remove unused blobs');
  expect([await status(image), existsSync(blobOf(image))]).toEqual([410, false]);
  expect((await batch({ action: 'restore', keys: [image.key] })).results).toMatchObject([{ ok: false, code: 'not_found' }]);
  await expectCountersToBeRight();
  await runJobs(59 * DAY, 'forget expired pictures');
  expect(await status(image)).toBe(410);
  await runJobs(61 * DAY, 'forget expired pictures');
  expect(await status(image)).toBe(404);
});

it('removes the bytes of expired pictures at once on request, reports them as expired for 30 days, and then forgets them', async () => {
  await deleteExpired(opened, true);
  const image = await upload({ expires_in: '60' });
  const lasting = await upload();
  await runJobs(59_000, 'expire pictures', 'remove unused blobs');
  expect([await status(image), existsSync(blobOf(image))]).toEqual([200, true]);
  await runJobs(61_000, 'expire pictures', 'remove unused blobs');
  expect([await status(image), existsSync(blobOf(image))]).toEqual([410, false]);
  await expectCountersToBeRight();
  await runJobs(29 * DAY, 'forget expired pictures');
  expect(await status(image)).toBe(410);
  await runJobs(31 * DAY, 'forget expired pictures');
  expect(await status(image)).toBe(404);
  expect([await status(lasting), existsSync(blobOf(lasting))]).toEqual([200, true]);
  await expectCountersToBeRight();
  await deleteExpired(opened, false);
});

it('keeps the bytes of an expired picture that another picture shares', async () => {
  const bytes = await newJpeg();
  const [short, lasting] = [await upload({ expires_in: '60' }, bytes), await upload({}, bytes)];
  expect(short.key).not.toBe(lasting.key);
  await runJobs(61_000, 'expire pictures', 'remove unused blobs');
  expect([await status(short), await status(lasting)]).toEqual([410, 200]);
  await batch({ action: 'purge', keys: [short.key] });
  await runJobs(0, 'remove unused blobs');
  expect(await status(lasting)).toBe(200);
  await batch({ action: 'purge', keys: [lasting.key] });
  await runJobs(0, 'remove unused blobs');
  expect(existsSync(blobOf(lasting))).toBe(false);
});

it('empties the trash after 30 days, picture by picture, with bytes and thumbnails', async () => {
  const [trashed, live] = [await upload(), await upload()];
  await fetch(`${opened.url}/t/${trashed.key}.jpg`);
  expect(thumbnailFolders()).toContain(`1-${trashed.sha256}`);
  await batch({ action: 'trash', keys: [trashed.key] });
  await runJobs(29 * DAY, 'empty the trash', 'remove unused blobs');
  expect(existsSync(blobOf(trashed))).toBe(true);
  await runJobs(31 * DAY, 'empty the trash', 'remove unused blobs');
  expect(existsSync(blobOf(trashed))).toBe(false);
  expect(thumbnailFolders()).not.toContain(`1-${trashed.sha256}`);
  expect((await batch({ action: 'restore', keys: [trashed.key] })).results).toMatchObject([{ ok: false, code: 'not_found' }]);
  expect(await status(live)).toBe(200);
  await expectCountersToBeRight();
});

function thumbnailFolders() {
  return readdirSync(join(folder, 'thumbs'), { recursive: true }).map((path) => String(path).split('/').at(-1));
}

it('keeps the key of an upload for 30 days, even when its picture expires', async () => {
  const bytes = await newJpeg();
  const send = async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
    form.append('expires_in', '60');
    const headers = { [IDEMPOTENCY_HEADER]: 'kept', connection: 'close' };
    return (await createClient({ baseUrl: opened.url, token }).send(uploadRoute, form, { headers })) as Uploaded;
  };
  const first = await send();
  await runJobs(61_000, 'expire pictures', 'remove unused blobs');
  expect(await status(first)).toBe(410);
  await runJobs(29 * DAY, 'forget upload keys');
  await reopen();
  expect(await send()).toMatchObject({ key: first.key, reused: true });
  await runJobs(62_000 + 30 * DAY, 'empty the trash');
  expect(await send()).toMatchObject({ key: first.key, reused: true });
  await runJobs(31 * DAY, 'forget upload keys');
  const later = await send();
  expect(later).toMatchObject({ reused: false });
  expect(later.key).not.toBe(first.key);
});

it('removes expired sessions and tokens', async () => {
  const { db } = opened.context;
  await createToken(db.as('job'), 1, { name: 'short', scope: 'full', expiresIn: 60 });
  const names = async () => (await db.read.selectFrom('tokens').select('name').execute()).map(({ name }) => name);
  await runJobs(59_000, 'end sign-ins');
  expect(await names()).toContain('short');
  await runJobs(61_000, 'end sign-ins');
  expect(await names()).toEqual(['test']);
});

it('recovers from a crash between deleting a row and its bytes', async () => {
  const image = await upload();
  await batch({ action: 'purge', keys: [image.key] });
  await reopen();
  expect(existsSync(blobOf(image))).toBe(true);
  await runJobs(0, 'remove unused blobs');
  expect(existsSync(blobOf(image))).toBe(false);
});

it('recovers from a crash between removing the bytes and recording it; the same picture can be uploaded again', async () => {
  const bytes = await newJpeg();
  const image = await upload({}, bytes);
  await batch({ action: 'purge', keys: [image.key] });
  await rm(blobOf(image));
  await reopen();
  const again = await upload({}, bytes);
  expect(await status(again)).toBe(200);
  await runJobs(0, 'remove unused blobs');
  expect(await status(again)).toBe(200);
  await batch({ action: 'purge', keys: [again.key] });
  await rm(blobOf(image));
  await runJobs(0, 'remove unused blobs');
  const rows = await opened.context.db.read.selectFrom('blobs').select('sha256').where('sha256', '=', image.sha256).execute();
  expect(rows).toEqual([]);
});

it('removes a file that a crash left without a row, and all unfinished files', async () => {
  const orphan = 'ab'.repeat(32);
  const path = join(folder, 'blobs', 'ab', 'ab', orphan);
  await mkdir(dirname(path), { recursive: true });
  writeFileSync(path, 'bytes');
  const kept = await upload();
  await writeFile(join(folder, 'tmp', `1-${orphan}.00000000-0000.intent`), '');
  await writeFile(join(folder, 'tmp', `1-${kept.sha256}.00000000-0001.intent`), '');
  await writeFile(join(folder, 'tmp', 'half.part'), 'half');
  await reopen();
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  if (onPostgres) await runJobs(0, 'remove unused blobs');
  expect(existsSync(path)).toBe(false);
  expect(await status(kept)).toBe(200);
});

it('never removes bytes that are in use, even when they are marked as unused', async () => {
  const image = await upload();
  const { db } = opened.context;
  await db.as('job').write((queries) => queries.updateTable('blobs').set({ unused_since: 1 }).where('sha256', '=', image.sha256).execute());
  await runJobs(0, 'remove unused blobs');
  expect(await status(image)).toBe(200);
});

it('accepts a picture while its bytes are being removed', async () => {
  for (let round = 0; round < 5; round++) {
    const bytes = await newJpeg();
    const image = await upload({}, bytes);
    await batch({ action: 'purge', keys: [image.key] });
    const [again] = await Promise.all([upload({}, bytes), runJobs(0, 'remove unused blobs')]);
    expect([round, await status(again)]).toEqual([round, 200]);
  }
});
