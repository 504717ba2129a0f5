import { Readable } from 'node:stream';
import { NetworkError } from '#api/client.ts';
import { broughtOf, identify, wholeItem } from '#transfer/sources/brought.ts';
import { type SourceClient, SourceError } from '#transfer/sources/client.ts';
import type { SourceItem } from '#transfer/sources/item.ts';
import { hashFile } from '../hash-file.ts';
import { spool } from '../image-source.ts';
import type { Picture } from './picture.ts';

/** How the bytes of pictures are fetched. */
export interface Fetching {
  client: SourceClient;
  tempDir: string;
  repeat: <T>(attempt: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
}

/** The id of an item, of what identifies its picture. */
export const idOf = ({ path }: Picture['file']) => path.toString().split('\n', 1)[0] ?? '';

/** A listed item as a picture, without its bytes. */
export function pictureOf(item: SourceItem): Picture {
  const { name, takenAt, caption, expiresAt, tags, albums } = broughtOf(item);
  const inForm = tags.filter((tag) => !tag.includes(','));
  return {
    file: { path: Buffer.from(identify(item)), relative: name, size: item.size ?? 0, mtime: 0n, nameIsText: true },
    open: () => Promise.reject(new SourceError('it has no bytes')),
    name,
    time: takenAt === undefined ? {} : { taken_at: takenAt },
    albums,
    caption,
    favourite: item.favourite ?? false,
    fields: {
      ...(item.visibility && { visibility: item.visibility }),
      ...(expiresAt && { expires_at: expiresAt }),
      ...(inForm.length > 0 && { tags: inForm.join() }),
    },
    changes: {
      ...(inForm.length < tags.length && { tags }),
      ...(item.viewsLeft && { max_views: item.viewsLeft }),
      ...(item.takenAt && takenAt && { taken_at: takenAt }),
    },
    remote: { item },
  };
}

/** The rest of a picture, and its bytes. @throws ItemGone; why it can't be had */
export async function complete(picture: Picture, { client, tempDir, repeat, signal }: Fetching): Promise<Picture> {
  const { item: listed } = picture.remote ?? {};
  if (!listed) return picture;
  const item = await wholeItem(listed);
  const { image, sha256 } = await repeat(async () => {
    const bytes = await client.open(item.url);
    const file = await spool(() => Readable.from(bytes), { name: picture.name, tempDir, signal });
    try {
      if (item.sha1 !== undefined && (await hashFile(file.handle, signal, 'sha1')) !== item.sha1)
        throw new NetworkError(`${client.title} sent other bytes than it says it has`);
      return { image: file, sha256: await hashFile(file.handle, signal) };
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  });
  const whole = pictureOf(item);
  return { ...whole, file: picture.file, remote: { item, bytes: { size: image.size, sha256 } }, open: async () => image };
}
