import { getAlbum } from '#api/albums/albums.ts';
import { isOfAnother } from '#api/albums/find-album.ts';
import { ApiError, createClient } from '#api/client.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { Journal } from '#main/journal/journal.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import type { Texts } from '#main/texts/en.ts';
import type { Ended } from './uploader.ts';

interface Options {
  account: Account;
  /** Remembers what was said. */
  journal: Pick<Journal, 'fact' | 'setFact'>;
  notify: Notify;
  texts(): Texts;
  /** Shows a page of the app. */
  open(page: string): void;
}

/** Says whose album it is when the first picture has gone into another user's, wherever that was chosen. Called with each upload that ends. */
export function createAlbumNotices({
  account,
  journal,
  notify,
  texts,
  open,
}: Options): (ended: Pick<Ended, 'item' | 'image'>) => Promise<void> {
  /** Albums that needn't be looked at again while the app runs. */
  const known = new Set<string>();

  async function tell(id: string, accountId: string) {
    const fact = `album-of-other:${accountId}:${id}`;
    if (known.has(fact) || journal.fact(fact) !== undefined) return;
    known.add(fact);
    try {
      const album = await asAccount(account, ({ url, headers }) =>
        createClient({ baseUrl: url }).call(getAlbum, { params: { id }, headers }),
      );
      if (!isOfAnother(album)) return;
      const { name, owner } = album;
      notify({
        title: texts().inOthersAlbum(owner.username),
        body: texts().othersAlbum(name, owner.username),
        onClick: () => open(`/albums/${id}`),
      });
      journal.setFact(fact, owner.username);
    } catch (error) {
      // A host that was joined gives no access to albums.
      if (error instanceof ApiError && error.code === 'forbidden') return;
      known.delete(fact);
      console.error('Couldn’t find out whose album a picture has gone into:', error);
    }
  }

  return async ({ item, image }) => {
    // Another account may be in use by now.
    if (!image || item.account === undefined || item.account !== account.id()) return;
    for (const id of image.albums ?? []) await tell(id, item.account);
  };
}
