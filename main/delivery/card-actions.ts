import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createClient } from '#api/client.ts';
import { linkStyleOf, type Preferences } from '#api/desktop/preferences.ts';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { deleteBySecret } from '#api/sharing/shares.ts';
import { Reason } from '#main/base/reasons.ts';
import { uprightImage } from '#main/base/upright-image.ts';
import type { SentImage } from '#main/journal/item.ts';
import type { Account } from '#main/service/account.ts';
import type { Arrivals } from '#main/uploader/arrivals.ts';
import type { Spool } from '#main/uploader/spool.ts';
import { fetchThumbnail } from '#main/uploader/thumbnail.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { openOutside } from '#main/windows/navigation.ts';
import type { Pins } from '#main/windows/pins.ts';
import { type Card, imagesOf } from './card-state.ts';
import type { CardActions } from './cards.ts';

interface Options {
  preferences(): Preferences;
  /** Whether the system took the text. */
  copy(text: string): Promise<boolean>;
  copyPicture(png: Uint8Array): Promise<unknown>;
  uploader: Pick<Uploader, 'keep' | 'change'>;
  arrivals: Pick<Arrivals, 'announce'>;
  spool: Pick<Spool, 'keep'>;
  pins: Pick<Pins, 'pin'>;
  account: Pick<Account, 'access'>;
  /** Lets the user choose to whom on the server a picture is sent. */
  sendTo(key: string): void;
  /** Called with the key of a picture that has been deleted. */
  onDeleted(key: string): void;
}

type Run = (card: Card) => unknown;

/** What the buttons of cards do. */
export function cardActions({
  preferences,
  copy,
  copyPicture,
  uploader,
  arrivals,
  spool,
  pins,
  account,
  sendTo,
  onDeleted,
}: Options): CardActions {
  async function pictureOf({ file }: Card) {
    const image = await uprightImage(await readFileOf(file.path));
    if (!image) throw new Reason('fileMissing');
    return image;
  }

  const runs: Record<string, Run> = {
    open(card) {
      const [image] = imagesOf(card);
      if (image) openOutside(image.links.share_url);
    },
    retry: ({ uploads }) => {
      const failed = [...uploads].flatMap(([id, upload]) => (upload?.failure ? [id] : []));
      uploader.change('retry', failed);
    },
    async copyLink(card) {
      const links = card.outcome?.links ?? styledLinks(imagesOf(card), linkStyleOf(preferences()));
      if (!(await copy(links))) throw new Reason('copyFailed');
    },
    copyPicture: async (card) => copyPicture((await pictureOf(card)).toPNG()),
    /** A copy: the picture that is uploaded stays as it is. */
    async edit({ file, name }) {
      const copied = await spool.keep(await readFileOf(file.path), basename(file.path), { name });
      arrivals.announce(uploader.keep([copied], 'capture'), 'edit');
    },
    async pin(card) {
      const image = await pictureOf(card);
      pins.pin(card.name, new Uint8Array(image.toPNG()), image.getSize());
    },
    sendTo(card) {
      const [image] = imagesOf(card);
      if (image) sendTo(image.key);
    },
    async delete(card) {
      const [image] = imagesOf(card);
      const secret = image && secretOf(image);
      if (!secret) return;
      const { url } = await account.access();
      await createClient({ baseUrl: url }).call(deleteBySecret, { params: { key: image.key, secret } });
      uploader.change('forget', [...card.uploads.keys()]);
      onDeleted(image.key);
    },
  };

  return {
    offered(card) {
      const [image, ...others] = imagesOf(card);
      const isOne = card.uploads.size === 1;
      return [
        ...(image ? (['open', 'copyLink'] as const) : []),
        ...(isOne && card.hasPicture ? (['copyPicture', 'edit', 'pin'] as const) : []),
        ...(image && others.length === 0 ? (['sendTo'] as const) : []),
        // What was sent before is more than the result of this upload.
        ...(image && isOne && !image.reused && secretOf(image) ? (['delete'] as const) : []),
      ];
    },
    run: async (card, action) => {
      await runs[action]?.(card);
    },
    async thumbnail({ key }) {
      const bytes = await fetchThumbnail(await account.access(), key);
      return bytes && new Uint8Array(bytes);
    },
  };
}

const secretOf = ({ links }: SentImage) => links.delete_url?.split('/').at(-1);

async function readFileOf(path: string) {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Reason('fileMissing', { cause: error });
  }
}
