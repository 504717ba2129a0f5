import { posix } from 'node:path';
import { createAlbum } from '#api/albums/albums.ts';
import { createClient } from '#api/client.ts';
import type { Folder } from '#main/journal/folders.ts';
import { type Account, albumsOf, asAccount } from '#main/service/account.ts';
import { AlbumTitles, albumTitle } from '#transfer/albums.ts';
import type { AlbumChoice } from './files/dedupe.ts';
import { nameOf } from './present.ts';

/** Finds the albums for files, and creates those per subfolder when missing. */
export interface Albums {
  /** Rejects while the service is unavailable. */
  of(folder: Folder, relPath: string): Promise<AlbumChoice | undefined>;
  /** Has albums looked up again. */
  forget(): void;
}

export function createAlbums(account: Account): Albums {
  let titles: AlbumTitles | undefined;
  const forget = () => {
    titles = undefined;
  };
  // Another account has other albums; and after a pause they may have been renamed.
  account.onChange(forget);

  const source = {
    list: () => albumsOf(account),
    create: (name: string) =>
      asAccount(account, ({ url, headers }) => createClient({ baseUrl: url }).call(createAlbum, { body: { name }, headers })),
  };
  return {
    forget,
    async of({ path, options: { album } }, relPath) {
      if (album.kind === 'none') return undefined;
      if (album.kind === 'fixed') return { ids: album.ids, account: account.id() };
      titles ??= new AlbumTitles(source);
      const parent = posix.dirname(relPath);
      const id = await titles.findOrCreate(albumTitle(parent === '.' ? nameOf(path) : parent));
      return { ids: [id], account: account.id() };
    },
  };
}
