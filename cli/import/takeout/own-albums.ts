import { changeAlbum } from '#api/albums/albums.ts';
import { orderAlbumImages } from '#api/albums/pictures.ts';
import { MAX_BATCH } from '#api/constants.ts';
import type { AlbumFinder } from '../../albums.ts';
import type { Job } from '../job.ts';
import type { TakeoutExport } from './export.ts';

/** Sets what an export of Pixdock says about its albums, and the order of their pictures, once these are there. */
export async function finishAlbums(
  { run, journal }: Job,
  { ownAlbums, files }: TakeoutExport,
  albums: AlbumFinder,
  stop: AbortSignal,
): Promise<void> {
  const { client } = run.connection;
  const byPath = new Map(files.map((file) => [file.relative, file]));
  for (const { name, folder, own } of ownAlbums) {
    const keyOf = (picture: string) => {
      const file = byPath.get(folder ? `${folder}/${picture}` : picture);
      return file && journal.keyOf(file);
    };
    const id = await albums.findOrCreate(name);
    const { description, visibility, allow_download, expires_at, cover } = own;
    const cover_key = cover === null ? undefined : keyOf(cover);
    const body = {
      ...(description && { description }),
      ...(visibility && { visibility }),
      allow_download,
      ...(expires_at && Date.parse(expires_at) > Date.now() && { expires_at }),
      ...(cover_key && { cover_key }),
    };
    await run.withRetries(() => client.call(changeAlbum, { params: { id }, body }), stop);
    const keys = own.pictures.flatMap((picture) => keyOf(picture) ?? []);
    // Each batch goes behind the one before.
    for (let index = 0; index < keys.length; index += MAX_BATCH)
      await run.withRetries(
        () => client.call(orderAlbumImages, { params: { id }, body: { keys: keys.slice(index, index + MAX_BATCH), before: null } }),
        stop,
      );
  }
}
