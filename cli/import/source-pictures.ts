import { Readable } from 'node:stream';
import { NetworkError } from '#api/client.ts';
import { MAX_EXPIRES_IN, MAX_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from '#api/constants.ts';
import { FORMATS, formatOfFile } from '#api/formats.ts';
import { canBeTaken } from '#api/images/taken-at.ts';
import { cleanLine, cleanText, cutText } from '#api/plain-text.ts';
import { albumTitle } from '#transfer/albums.ts';
import { type SourceClient, SourceError } from '#transfer/sources/client.ts';
import type { SourceItem } from '#transfer/sources/item.ts';
import { hashFile } from '../hash-file.ts';
import { spool } from '../image-source.ts';
import type { Picture } from './picture.ts';
import type { SourceSummary } from './summary.ts';
import { cut } from './takeout/metadata.ts';
import { VIDEO_EXTENSIONS } from './takeout/names.ts';

/** How the bytes of pictures are fetched. */
export interface Fetching {
  client: SourceClient;
  tempDir: string;
  repeat: <T>(attempt: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
}

/** The media type of an item, as far as its product or its name tells. */
export const typeOf = ({ type, name }: SourceItem): string | undefined => (type || !/\.\w+$/.test(name) ? type : typeByName(name));

const typeByName = (name: string) => {
  const format = formatOfFile(name);
  if (format) return FORMATS[format].types[0];
  return VIDEO_EXTENSIONS.some((ext) => ext === name.slice(name.lastIndexOf('.') + 1).toLowerCase())
    ? 'video/*'
    : 'application/octet-stream';
};

/** Other bytes make it another picture. */
const identify = ({ id, version }: SourceItem) => Buffer.from(version === undefined ? id : `${id}\n${version}`);

/** The id of an item, of what identifies its picture. */
export const idOf = ({ path }: Picture['file']) => path.toString().split('\n', 1)[0] ?? '';

/** A listed item as a picture, without its bytes. */
export function pictureOf(item: SourceItem): Picture {
  // The server takes what is before a slash for a folder.
  const name = cutText(cleanLine(item.name).replace(/[\\/]/g, '-') || item.id, MAX_NAME_LENGTH);
  const takenAt = item.takenAt ?? item.uploadedAt;
  const isPossible = takenAt !== undefined && canBeTaken(Date.parse(takenAt));
  const { kept } = tagsOf(item);
  const inForm = kept.filter((tag) => !tag.includes(','));
  const expiry = expiryOf(item);
  return {
    file: { path: identify(item), relative: name, size: item.size ?? 0, mtime: 0n, nameIsText: true },
    open: () => Promise.reject(new SourceError('it has no bytes')),
    name,
    time: isPossible ? { taken_at: takenAt } : {},
    albums: [...new Set(item.albums?.filter((album) => album.trim()).map(albumTitle))],
    caption: cut(cleanText(item.caption ?? '')),
    favourite: item.favourite ?? false,
    fields: {
      ...(item.visibility && { visibility: item.visibility }),
      ...(expiry?.canBeKept && { expires_at: expiry.at }),
      ...(inForm.length > 0 && { tags: inForm.join() }),
    },
    changes: {
      ...(inForm.length < kept.length && { tags: kept }),
      ...(item.viewsLeft && { max_views: item.viewsLeft }),
      ...(item.takenAt && isPossible && { taken_at: item.takenAt }),
    },
    remote: { item },
  };
}

function tagsOf({ tags = [] }: SourceItem) {
  const clean = [...new Set(tags.map(cleanLine).filter(Boolean))];
  const kept = clean.filter(({ length }) => length <= MAX_TAG_LENGTH).slice(0, MAX_TAGS);
  return { kept, lost: clean.length - kept.length };
}

/** A picture must not end before its time: what is too far ahead for the server isn't brought along. */
function expiryOf({ expiresAt }: SourceItem) {
  if (expiresAt === undefined) return undefined;
  return { at: expiresAt, canBeKept: Date.parse(expiresAt) <= Date.now() + MAX_EXPIRES_IN * 1000 };
}

/** The rest of a picture, and its bytes. @throws ItemGone; why it can't be had */
export async function complete(picture: Picture, { client, tempDir, repeat, signal }: Fetching): Promise<Picture> {
  const { item: listed } = picture.remote ?? {};
  if (!listed) return picture;
  if (listed.locked !== undefined) throw new SourceError(listed.locked);
  const item = { ...listed, ...(await listed.details?.()) };
  if (item.viewsLeft === 0) throw new SourceError('it has no views left');
  if (item.expiresAt !== undefined && Date.parse(item.expiresAt) <= Date.now()) throw new SourceError('it has expired');
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

/** What a picture had that didn't come along. */
export function countLost({ remote }: Picture, { not_brought }: SourceSummary) {
  if (!remote) return;
  const { item } = remote;
  const kinds = [...(item.lost ?? [])];
  if (tagsOf(item).lost > 0) kinds.push(`tags of more than ${MAX_TAG_LENGTH} letters, or more than ${MAX_TAGS}`);
  if (expiryOf(item)?.canBeKept === false) kinds.push('expiry dates more than 366 days ahead');
  if (item.takenAt && item.uploadedAt) kinds.push('dates of upload');
  for (const kind of kinds) not_brought[kind] = (not_brought[kind] ?? 0) + 1;
}
