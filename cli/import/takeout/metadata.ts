import { z } from 'zod';
import { canBeTaken } from '#api/images/taken-at.ts';
import type { FormFields } from '#api/images/upload.ts';
import { cutCaption } from '#transfer/sources/brought.ts';
import { decodeEntities } from '#transfer/sources/item.ts';
import { type FoundFile, openFound } from '#transfer/walk.ts';
import { CommandError } from '../../errors.ts';

/** What a JSON file says about a picture. */
export interface PictureData {
  kind: 'picture';
  /** The name of the file that was added to Google Photos; may be empty. */
  title: string;
  caption: string;
  time: Pick<FormFields, 'taken_at'>;
  isFavourite: boolean;
  isArchived: boolean;
  isTrashed: boolean;
  /** What Pixdock has written into it: `pixdock export`. */
  own?: OwnData | undefined;
}

/** What a JSON file says about an album; the title may be empty. */
interface AlbumData {
  kind: 'album';
  title: string;
  own?: OwnAlbum | undefined;
}

export type Data = PictureData | AlbumData | { kind: 'other' };

/** JSON files of Google Photos have a few kilobytes; a shared album may have thousands of comments. */
const MAX_BYTES = 8 * 1024 * 1024;

const text = z.string().catch('');
const flag = z.boolean().catch(false);
const instant = z.iso.datetime().nullable().catch(null);
const visibility = z.enum(['public', 'private']).optional().catch(undefined);

/** What Pixdock knows of a picture beside what Google Photos does. */
export const ownData = z.object({
  key: z.string(),
  link: text,
  title: text,
  alt: text,
  tags: z.array(z.string()).catch([]),
  visibility,
  slug: z.string().nullable().catch(null),
  expires_at: instant,
  views_left: z.int().min(1).nullable().catch(null),
  taken_at: instant,
});
export type OwnData = z.infer<typeof ownData>;

/** The same of an album; names are those of files in its folder. */
export const ownAlbum = z.object({
  description: text,
  visibility,
  allow_download: flag,
  expires_at: instant,
  cover: z.string().nullable().catch(null),
  /** In their order, if they have been moved. */
  pictures: z.array(z.string()).catch([]),
});
export type OwnAlbum = z.infer<typeof ownAlbum>;

const albumText = z.object({ title: text });
const file = z.object({
  title: text,
  description: text,
  // Seconds; older exports have numbers.
  photoTakenTime: z
    .object({ timestamp: z.union([z.string(), z.number()]).catch('') })
    .optional()
    .catch(undefined),
  favorited: flag,
  archived: flag,
  trashed: flag,
  albumData: albumText.optional().catch(undefined),
  sharedAlbumComments: z.unknown().optional(),
  access: z.unknown().optional(),
  date: z.unknown().optional(),
  pixdock: z.unknown().optional(),
});

/** Folders that Google Photos made for a year or, in old exports, for a day; both may have a title. */
const OF_TIME = /^(Photos from \d{4}|\d{4}-\d\d-\d\d( #\d+)?)$/;

/** Reads a JSON file. @throws why it can't be read */
export async function readData(found: Pick<FoundFile, 'path' | 'root' | 'size'>): Promise<Data> {
  if (found.size > MAX_BYTES) throw new CommandError('the JSON file is too large');
  await using opened = await openFound(found);
  const content = parse((await opened.handle.readFile('utf8')).replace(/^\ufeff/, ''));
  const parsed = file.safeParse(content);
  if (!parsed.success) throw new CommandError('the JSON file is damaged');
  const { title, description, photoTakenTime, favorited, archived, trashed, albumData, pixdock, ...album } = parsed.data;
  if (photoTakenTime)
    return {
      kind: 'picture',
      // Google escapes some characters as in HTML.
      title: decodeEntities(title).trim(),
      caption: cutCaption(decodeEntities(description).trim()),
      time: timeOf(photoTakenTime.timestamp),
      isFavourite: favorited,
      isArchived: archived,
      isTrashed: trashed,
      own: ownData.safeParse(pixdock).data,
    };
  const name = decodeEntities(albumData?.title ?? title).trim();
  const isAlbum = 'title' in (content as object) || albumData !== undefined || Object.keys(album).length > 0;
  return isAlbum && !OF_TIME.test(name) ? { kind: 'album', title: name, own: ownAlbum.safeParse(pixdock).data } : { kind: 'other' };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** Negative before 1970. Google writes 0 and years far ahead when it knows no date. */
function timeOf(timestamp: string | number): PictureData['time'] {
  const time = /^-?\d{1,12}$/.test(String(timestamp)) ? Number(timestamp) * 1000 : 0;
  return time !== 0 && canBeTaken(time) && time <= Date.now() ? { taken_at: new Date(time).toISOString() } : {};
}
