import { sql } from 'kysely';
import { z } from 'zod';
import { readSettings } from '#server/core/settings/settings.ts';
import { several } from '#server/platform/base/several.ts';
import { isMiscounted, recountAlbums } from '#server/platform/db/album-counts.ts';
import { hasOutdatedEntries, refreshEntries } from '#server/platform/db/album-entries.ts';
import { imagesWithoutBlob } from '#server/platform/storage/blob-rows.ts';
import type { Finding, Subject } from './finding.ts';
import { contentsOf } from './stored-files.ts';

/** Checks what the database's tables say about each other. */
export async function* checkRecords(subject: Subject): AsyncGenerator<Finding> {
  yield* checkSettings(subject);
  yield* checkImages(subject);
  yield* checkCounters(subject);
  yield* checkAlbums(subject);
}

async function* checkSettings({ read }: Subject): AsyncGenerator<Finding> {
  try {
    await readSettings(read);
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    const field = error instanceof z.ZodError ? ` (${error.issues.map(({ path }) => path.join('.')).join(', ')})` : '';
    yield { problem: `The settings aren’t valid${field}.`, advice: 'The service can’t start with them. Restore a backup.' };
  }
}

/** Images whose file the database doesn't list. */
async function* checkImages(subject: Subject): AsyncGenerator<Finding> {
  const stray = await imagesWithoutBlob(subject.read).execute();
  for (const { key, name, used_policy_id: policy_id, used_sha256: sha256 } of stray) {
    const problem = `The database doesn’t list the file for “${name}” (${key}).`;
    const storage = subject.storages.get(policy_id);
    const found = storage && (await contentsOf(subject, storage, sha256));
    if (found?.sha256 !== sha256)
      yield { problem, advice: 'There’s no such file either. Restore it from a backup, or delete the picture.' };
    else
      yield {
        problem,
        advice: '--repair adds it.',
        repair: {
          done: 'Added it.',
          run: async () => {
            const { size } = found;
            await subject.write((queries) =>
              queries
                .insertInto('blobs')
                .values({ policy_id, sha256, size, unused_since: null })
                .onConflict((conflict) => conflict.doNothing())
                .execute(),
            );
          },
        },
      };
  }
}

/** The counters that quotas are checked against. */
async function* checkCounters({ read, write }: Subject): AsyncGenerator<Finding> {
  const users = await read
    .selectFrom('users')
    .leftJoin('images', (join) => join.onRef('images.owner_id', '=', 'users.id').on('emptied_at', 'is', null))
    .select(['users.id', 'username', 'image_count', 'storage_used_bytes'])
    .select([sql<number>`count(images.id)`.as('images'), sql<number>`coalesce(sum(images.size), 0)`.as('bytes')])
    .groupBy('users.id')
    .execute();
  for (const { id, username, image_count, storage_used_bytes, images, bytes } of users) {
    if (image_count === images && storage_used_bytes === bytes) continue;
    const counted = `${several(image_count, 'picture')} and ${several(storage_used_bytes, 'byte')}`;
    yield {
      problem: `The counters for ${username} say ${counted}, but there are ${several(images, 'picture')} and ${several(bytes, 'byte')}.`,
      advice: '--repair recounts them.',
      repair: {
        done: 'Recounted.',
        run: () =>
          write((queries) =>
            queries.updateTable('users').set({ image_count: images, storage_used_bytes: bytes }).where('id', '=', id).execute(),
          ),
      },
    };
  }
}

/** What albums know of their pictures: which ones they show, and how many. */
async function* checkAlbums({ read, write }: Subject): AsyncGenerator<Finding> {
  const outdated = await read.selectFrom('albums').select(['id', 'name']).where(hasOutdatedEntries()).execute();
  for (const { id, name } of outdated)
    yield {
      problem: `The album “${name}” has outdated information about its pictures.`,
      advice: '--repair updates it.',
      repair: { done: 'Updated.', run: () => write((queries) => refreshEntries(id).execute(queries)) },
    };
  for (const { id, name } of await read.selectFrom('albums').select(['id', 'name']).where(isMiscounted()).execute())
    yield {
      problem: `The counters of the album “${name}” don’t match its pictures.`,
      advice: '--repair recounts them.',
      repair: { done: 'Recounted.', run: () => write((queries) => sql`${recountAlbums()} where id = ${id}`.execute(queries)) },
    };
}
