import { MAX_CAPTION_LENGTH, MAX_EXPIRES_IN, MAX_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from '#api/constants.ts';
import { FORMATS, type FormatName, formatOfFile, formatOfType } from '#api/formats.ts';
import { canBeTaken } from '#api/images/taken-at.ts';
import { cleanLine, cleanText, cutText } from '#api/plain-text.ts';
import { albumTitle } from '../albums.ts';
import { SourceError } from './client.ts';
import type { SourceItem } from './item.ts';

/** Videos that Pixdock doesn't store. */
const OTHER_VIDEO = /\.(avi|mkv|3gp|mpe?g|wmv|mts|m2ts)$/i;

/** The media type of an item, as far as its product or its name tells. */
const typeOf = ({ type, name }: SourceItem): string | undefined => (type || !/\.\w+$/.test(name) ? type : typeByName(name));

function typeByName(name: string): string {
  const format = formatOfFile(name);
  if (format) return FORMATS[format].types[0];
  return OTHER_VIDEO.test(name) ? 'video/*' : 'application/octet-stream';
}

/** What an item is; one of an unknown type may be a picture. `format` is that of a video, if Pixdock stores it. */
export function kindOf(item: SourceItem): { kind: 'picture' | 'video' | 'other'; format?: FormatName | undefined } {
  const type = typeOf(item);
  if (type === undefined || type.startsWith('image/')) return { kind: 'picture' };
  return type.startsWith('video/') ? { kind: 'video', format: formatOfType(type) ?? formatOfFile(item.name) } : { kind: 'other' };
}

/** A token as it can be sent in a header, without spaces around it; undefined if it can't be. */
export function sendableToken(text: string): string | undefined {
  const token = text.trim();
  return /^[\x20-\x7e]+$/.test(token) ? token : undefined;
}

/** The address of another product's server, which may have a path and be in a private network; undefined if it is none. */
export function sourceAddress(text: string): string | undefined {
  const given = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.parse(given.trim());
  const usable = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return usable ? url.href.replace(/\/+$/, '') : undefined;
}

/** Identifies the picture of an item: other bytes make it another one. */
export const identify = ({ id, version }: SourceItem): string => (version === undefined ? id : `${id}\n${version}`);

/** What Pixdock takes of an item. */
export function broughtOf(item: SourceItem) {
  const takenAt = item.takenAt ?? item.uploadedAt;
  const expiry = expiryOf(item);
  return {
    // The server takes what is before a slash for a folder.
    name: cutText(cleanLine(item.name).replace(/[\\/]/g, '-') || item.id, MAX_NAME_LENGTH),
    takenAt: takenAt !== undefined && canBeTaken(Date.parse(takenAt)) ? takenAt : undefined,
    caption: cutCaption(cleanText(item.caption ?? '')),
    expiresAt: expiry?.canBeKept ? expiry.at : undefined,
    tags: tagsOf(item).kept,
    /** Titles, each once. */
    albums: [...new Set(item.albums?.filter((album) => album.trim()).map(albumTitle))],
  };
}

/** A caption that the server accepts. */
export function cutCaption(caption: string): string {
  return caption.length <= MAX_CAPTION_LENGTH ? caption : `${cutText(caption, MAX_CAPTION_LENGTH - 1)}…`;
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

/** An item with its details. @throws SourceError for one whose bytes can't be had, or that has ended */
export async function wholeItem(listed: SourceItem): Promise<SourceItem> {
  if (listed.locked !== undefined) throw new SourceError(listed.locked);
  const item = { ...listed, ...(await listed.details?.()) };
  if (item.viewsLeft === 0) throw new SourceError('it has no views left');
  if (item.expiresAt !== undefined && Date.parse(item.expiresAt) <= Date.now()) throw new SourceError('it has expired');
  return item;
}

/** Counts what a picture had that doesn't come along. */
export function countLost(item: SourceItem, counts: Record<string, number>) {
  const kinds = [...(item.lost ?? [])];
  if (tagsOf(item).lost > 0) kinds.push(`tags of more than ${MAX_TAG_LENGTH} letters, or more than ${MAX_TAGS}`);
  if (expiryOf(item)?.canBeKept === false) kinds.push('expiry dates more than 366 days ahead');
  if (item.takenAt && item.uploadedAt) kinds.push('dates of upload');
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
}
