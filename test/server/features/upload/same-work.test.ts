import callingFiles from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { fileThread } from '#server/platform/files/file-thread.ts';
import { placeFiles } from '#server/platform/files/place-files.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { openTestContext } from '#test/helpers/service/context.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

/** What the thread for files calls. */
const CALLS = ['fdatasyncSync', 'fsyncSync', 'mkdirSync', 'openSync', 'renameSync', 'rmSync', 'writeSync'] as const;

/** Notes the operations on files in this process, in order, with what differs between two uploads left out, until the test ends. */
function noteOperations(): string[] {
  const done: string[] = [];
  const note = (name: string, path: unknown) => {
    const place = String(path)
      .replace(/^.*\/(tmp|blobs)\b/, '$1')
      .replace(/[0-9a-f-]{32,}/g, '#')
      .replace(/\/[0-9a-f]{2}\b/g, '/+');
    done.push(`${name} ${place}`);
  };
  const [original, calling] = [{ ...files }, { ...callingFiles }];
  const noted = files as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ['access', 'copyFile', 'mkdir', 'readdir', 'rename', 'rm', 'rmdir', 'stat', 'statfs', 'unlink'] as const)
    noted[name] = (...args) => {
      note(name, args[0]);
      return (original[name] as (...all: unknown[]) => unknown)(...args);
    };
  files.open = async (...args) => {
    note('open', args[0]);
    const handle = await original.open(...args);
    for (const flush of ['sync', 'datasync'] as const) {
      const run = handle[flush].bind(handle);
      handle[flush] = () => {
        note(flush, args[0]);
        return run();
      };
    }
    return handle;
  };
  const opened = new Map<unknown, unknown>();
  const calls = callingFiles as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of CALLS)
    calls[name] = (...args) => {
      note(name, opened.get(args[0]) ?? args[0]);
      const result = (calling[name] as (...all: unknown[]) => unknown)(...args);
      if (name === 'openSync') opened.set(result, args[0]);
      return result;
    };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(files, original);
    for (const name of CALLS) calls[name] = calling[name] as (typeof calls)[string];
    syncBuiltinESMExports();
  });
  return done;
}

it('stores bytes that another user has with the same work as new ones', async () => {
  // The work of its thread, done in this one.
  const place = vi.spyOn(fileThread, 'place').mockImplementation(async (job) => expect(placeFiles([job])).toEqual([undefined]));
  onTestFinished(() => place.mockRestore());
  const { context, url, close } = await openTestContext();
  onTestFinished(close);
  const [bea, cleo] = await Promise.all(
    ['bea', 'cleo'].map(async (username) => {
      const { id } = await context.db.write(async (queries) => {
        const { id: groupId } = await groupOfKind(queries, 'default');
        const account = {
          username,
          email: null,
          emailSource: 'admin' as const,
          passwordHash: null,
          role: 'user' as const,
          isOwner: false,
          groupId,
        };
        return insertUser(queries, account, Date.now());
      });
      return (await createToken(context.db, id, { name: 'test', scope: 'upload', expiresIn: 0 })).secret;
    }),
  );
  const done = noteOperations();
  const operationsOf = async (token: string | undefined, bytes: Uint8Array) => {
    done.length = 0;
    const { reused } = await uploadImage({ url }, token, bytes);
    expect(reused).toBe(false);
    return [...done];
  };
  const [known, unknown] = [await photoJpeg({ seed: 1, width: 60, height: 40 }), await photoJpeg({ seed: 2, width: 60, height: 40 })];
  await operationsOf(bea, known);
  const stored = await operationsOf(cleo, known);
  expect(stored).toEqual(await operationsOf(cleo, unknown));
  expect(stored.filter((name) => /sync|rename/.test(name))).toHaveLength(5);
});
