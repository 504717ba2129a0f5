import { readdirSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import type { Context } from '#server/core/context.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import type { DecodingQueue, DecodingTurn } from '#server/platform/imaging/decoding.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

/** A token of a new user. */
async function newToken({ db }: Context, username: string): Promise<string> {
  const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false };
  const { id } = await db.as('job').write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    return insertUser(queries, { username, groupId, ...rest }, Date.now());
  });
  return (await createToken(db.as('job'), id, { name: 'test', scope: 'upload', expiresIn: 0 })).secret;
}

/** The stored files by name, each with what identifies it on the disk: a name means another file once it has been written again. */
function storedFiles({ config }: Context): Record<string, number> {
  const files = readdirSync(join(config.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).ino]));
}

it.each([
  ['a small file, in memory', 60, 85],
  ['a large file, in tmp/', 1_600, 100],
])('writes bytes that another user has again, so that the time does not show it: %s', async (_name, width, quality) => {
  const { context, url, close } = await openTestContext();
  onTestFinished(close);
  const bytes = await photoJpeg({ width, height: width, quality });
  expect(bytes.length > 1024 * 1024).toBe(quality === 100);
  await uploadImage({ url }, await newToken(context, 'bea'), bytes);
  const before = storedFiles(context);
  const { reused } = await uploadImage({ url }, await newToken(context, 'cleo'), bytes);
  expect(reused).toBe(false);
  const [name = '', ...others] = Object.keys(before);
  expect(others).toEqual([]);
  expect(storedFiles(context)).toEqual({ [name]: expect.any(Number) });
  expect(storedFiles(context)[name]).not.toBe(before[name]);
});

/** A service that notes the turns of decoding, with an owner and a token. */
async function observed() {
  const turns: DecodingTurn[] = [];
  const { context, url, close } = await openTestContext(undefined, (original) => ({
    ...original,
    decoding: {
      ...original.decoding,
      as(turn) {
        turns.push(turn);
        return original.decoding.as(turn);
      },
    } satisfies DecodingQueue,
  }));
  onTestFinished(close);
  await context.settings.change('note', { guest_upload_enabled: true });
  const owner = await createOwner(context.db.as('job'), { username: 'ada', email: null, password: null });
  const { secret } = await createToken(context.db.as('job'), owner.id, { name: 'test', scope: 'upload', expiresIn: 0 });
  return { context, url, turns, token: secret, owner };
}

it('decodes for the user or the network that uploads', async () => {
  const { url, turns, token, owner } = await observed();
  await uploadImage({ url }, token, await png({ seed: 1 }));
  await uploadImage({ url }, undefined, await png({ seed: 2 }));
  expect(turns).toMatchObject([
    { who: `user ${owner.id}`, purpose: 'upload', isGuest: false },
    { who: 'guest 127.0.0.1', purpose: 'upload', isGuest: true },
  ]);
});

it('makes no thumbnail for a client that has disconnected', async () => {
  const { context, url, token } = await observed();
  const { key } = await uploadImage({ url }, token, await png({ seed: 3 }));
  const { promise, resolve: free } = Promise.withResolvers<void>();
  const other = { who: 'other', purpose: 'upload' } as const;
  const blockers = [1, 2].map(() => context.decoding.as(other)(1, () => promise));
  const request = get(`${url}/t/${key}.jpg`, { agent: false }).on('error', () => undefined);
  const waiting = () => context.decoding.counts().decoding.waiting;
  await expect.poll(waiting).toBe(1);
  request.destroy();
  await expect.poll(waiting).toBe(0);
  free();
  await Promise.all(blockers);
});
