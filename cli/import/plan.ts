import { formatBytes, printable } from '../printable.ts';
import type { Picture } from './picture.ts';

/** What an import would do with a picture, for programs. */
export function planOf({ file, name, time, albums, caption, favourite, fields, changes, takeout, remote }: Picture) {
  return {
    path: file.relative,
    size: file.size,
    ...(albums.length > 0 && { album: albums[0], albums }),
    ...((takeout || remote) && { name, ...time, caption, favourite }),
    ...(takeout && { copies: takeout.copies.map(({ relative }) => relative) }),
    ...fields,
    ...changes,
  };
}

/** The same as a line of text. */
export function describePlan({ file, time, albums, caption, favourite, fields, takeout, remote }: Picture): string {
  const where = albums.length > 0 ? ` → ${albums.map(printable).join(', ')}` : '';
  const size = takeout?.known ? 'uploaded earlier' : file.size > 0 || !remote ? formatBytes(file.size) : 'size unknown';
  const details = (takeout || remote) && [
    time.taken_at?.replace(/\.000Z$/, 'Z'),
    fields?.visibility,
    fields?.expires_at && `until ${fields.expires_at}`,
    favourite && 'favourite',
    caption && `“${printable(caption)}”`,
    takeout && takeout.copies.length > 0 && `same as ${takeout.copies.map(({ relative }) => printable(relative)).join(', ')}`,
  ];
  return [`${printable(file.relative)} (${size})${where}`, ...(details?.filter(Boolean) ?? [])].join(' · ');
}
