import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import type { Context } from '#server/core/context.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
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
