import { formatBytes, printable } from '../printable.ts';
import type { Picture } from './picture.ts';

/** What an import would do with a picture, for programs. */
export function planOf({ file, name, time, albums, takeout }: Picture) {
  return {
    path: file.relative,
    size: file.size,
    ...(albums.length > 0 && { album: albums[0], albums }),
    ...(takeout && {
      name,
      ...time,
      caption: takeout.caption,
      favourite: takeout.favourite,
      copies: takeout.copies.map(({ relative }) => relative),
    }),
  };
}

/** The same as a line of text. */
export function describePlan({ file, time, albums, takeout }: Picture): string {
  const where = albums.length > 0 ? ` → ${albums.map(printable).join(', ')}` : '';
  const size = takeout?.known ? 'uploaded earlier' : formatBytes(file.size);
  const details = takeout && [
    time.taken_at?.replace(/\.000Z$/, 'Z'),
    takeout.favourite && 'favourite',
    takeout.caption && `“${printable(takeout.caption)}”`,
    takeout.copies.length > 0 && `same as ${takeout.copies.map(({ relative }) => printable(relative)).join(', ')}`,
  ];
  return [`${printable(file.relative)} (${size})${where}`, ...(details?.filter(Boolean) ?? [])].join(' · ');
}
