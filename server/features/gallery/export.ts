import { Readable } from 'node:stream';
import { fileNameOf } from '#api/file-name.ts';
import type { Image } from '#api/images/images.ts';
import type { Context } from '#server/core/context.ts';
import { presentImages } from '#server/core/images/present.ts';
import { openImage, zipDate } from '#server/core/images/zip-entry.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Caller } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { ZipEntry } from '#server/platform/http/zip.ts';

type Sources = Pick<Context, 'db' | 'blobs' | 'links'>;

const PAGE = 200;

/** All data of a user: the pictures, the trash in its own folder, and `metadata.json` about everything. `caller` is checked again for each. */
export async function* exportEntries(sources: Sources, caller: Caller, user: UserRow): AsyncGenerator<ZipEntry> {
  const { read } = sources.db;
  for await (const rows of allImages(sources, user.id))
    for (const { id } of rows) {
      await caller.confirm(read);
      const images = read.selectFrom('images').selectAll().where('id', '=', id).where('owner_id', '=', user.id);
      const row = await images.where('emptied_at', 'is', null).executeTakeFirst();
      const bytes = row && (await openImage(sources, row));
      if (bytes) yield { name: fileOf(row), modified: zipDate(row.taken_at), bytes };
    }
  await caller.confirm(read);
  yield { name: 'metadata.json', modified: new Date(), bytes: Readable.from(metadata(sources, caller, user)) };
}

/** The key makes the name unique without remembering all others. */
function fileOf({ name, key, ext, deleted_at }: ImageRow): string {
  return `${deleted_at === null ? 'pictures' : 'trash'}/${fileNameOf(name, ext, `-${key}`)}`;
}

async function* allImages({ db }: Sources, ownerId: number): AsyncGenerator<ImageRow[]> {
  let after = 0;
  for (;;) {
    const rows = await db.read
      .selectFrom('images')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}

/** One JSON document, streamed in pieces. It contains no passwords or password hashes. */
async function* metadata(sources: Sources, caller: Caller, user: UserRow): AsyncGenerator<string> {
  const { username, email, created_at, preferences } = user;
  const profile = { username, email, created_at: toInstant(created_at), preferences: JSON.parse(preferences) };
  const albums = await sources.db.read
    .selectFrom('albums')
    .select(['id', 'name', 'description', 'visibility', 'allow_download', 'expires_at', 'cover_key', 'created_at'])
    .where('owner_id', '=', user.id)
    .orderBy('position')
    .execute();
  const shown = albums.map((album) => ({
    ...album,
    allow_download: album.allow_download === 1,
    expires_at: album.expires_at === null ? null : toInstant(album.expires_at),
    created_at: toInstant(album.created_at),
  }));
  yield `{\n"user": ${JSON.stringify(profile)},\n"albums": ${JSON.stringify(shown)},\n"images": [`;
  let separator = '\n';
  for await (const rows of allImages(sources, user.id)) {
    await caller.confirm(sources.db.read);
    const images = await presentImages(sources.db.read, rows, sources.links);
    for (const [index, row] of rows.entries()) {
      const image = images[index] as Image;
      const { delete_url: _, ...links } = image.links;
      const file = row.emptied_at === null ? fileOf(row) : null;
      yield `${separator}${JSON.stringify({ file, ...image, links })}`;
      separator = ',\n';
    }
  }
  yield '\n]\n}\n';
}
