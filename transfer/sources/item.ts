import type { SourceClient } from './client.ts';

/** What another product says about one of its pictures. */
export interface SourceItem {
  /** Unique at the source, and the same at every visit. */
  id: string;
  name: string;
  /** Bytes, if the source knows them exactly. */
  size?: number | undefined;
  /** The media type, where the source knows it. */
  type?: string | undefined;
  /** Another one once its bytes are others. */
  version?: string | undefined;
  /** The SHA-1 of exactly what its address returns, in hexadecimal. */
  sha1?: string | undefined;
  /** The address of its bytes, absolute or relative to that of the source. */
  url: string;
  /** When it was taken, and when it was uploaded there: RFC 3339. */
  takenAt?: string | undefined;
  uploadedAt?: string | undefined;
  caption?: string | undefined;
  tags?: string[] | undefined;
  /** Names of its albums; an album in another one is `Parent / Child`. */
  albums?: string[] | undefined;
  visibility?: 'public' | 'private' | undefined;
  /** RFC 3339. */
  expiresAt?: string | undefined;
  favourite?: boolean | undefined;
  /** How many more views it has. */
  viewsLeft?: number | undefined;
  /** Addresses at which it could be opened, absolute or relative to that of the source. */
  oldAddresses: string[];
  /** Why its bytes can't be had. */
  locked?: string | undefined;
  /** Kinds of what it has there and Pixdock can't take, in the plural: `views`. */
  lost?: string[] | undefined;
  /** Asks for the rest, with requests of its own. */
  details?: (() => Promise<Partial<SourceItem>>) | undefined;
}

/** A product whose pictures can be imported. */
export interface SourceKind {
  title: string;
  /** What to ask for, and where it is found. */
  secret: string;
  /** The headers that show the secret. */
  credentials(secret: string): Record<string, string>;
  /** Something else than pictures that never comes along. */
  never: string[];
  /** All items of the caller, each at least once; reads nothing else, and changes nothing. */
  items(client: SourceClient, secret: string): AsyncIterable<SourceItem>;
}

/** The instant of a time in text, or of milliseconds; undefined if there is none. */
export function instantOf(time: string | number | null | undefined): string | undefined {
  if (time === null || time === undefined || time === '') return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** A text from HTML, or that was escaped as there. */
export function decodeEntities(escaped: string): string {
  return escaped.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The names of albums that can be in each other, with those of their parents, by id. */
export function albumPaths(albums: { id: string; name: string; parent: string | undefined }[]): Map<string, string> {
  const byId = new Map(albums.map((album) => [album.id, album]));
  const pathOf = (id: string) => {
    const names: string[] = [];
    const seen = new Set<string>();
    for (let album = byId.get(id); album && !seen.has(album.id); album = album.parent === undefined ? undefined : byId.get(album.parent)) {
      seen.add(album.id);
      names.unshift(album.name);
    }
    return names.join(' / ');
  };
  return new Map(albums.map(({ id }) => [id, pathOf(id)]));
}

/** How often a list is read again because it has changed while it was being read. */
const MAX_PASSES = 3;
/** Pages in a row without anything new, after which a list has ended: some servers repeat their last page for ever. */
const MAX_STALE = 3;

/**
 * The items of a list with numbered pages. Whatever is added or removed meanwhile moves items between pages: a list that has yielded fewer
 * different ones than it says it has is read again.
 * @param read a page, counted from 1; without items at the end
 */
export async function* numberedPages<T>(
  read: (page: number) => Promise<{ items: T[]; total?: number | undefined; isLast?: boolean }>,
  idOf: (item: T) => string,
): AsyncGenerator<T> {
  const seen = new Set<string>();
  let last = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let total: number | undefined;
    let stale = 0;
    for (let page = 1; page <= last + MAX_STALE; page++) {
      const found = await read(page);
      total = found.total;
      const fresh = found.items.filter((item) => !seen.has(idOf(item)));
      for (const item of fresh) {
        seen.add(idOf(item));
        yield item;
      }
      stale = fresh.length > 0 || pass > 0 ? 0 : stale + 1;
      if (found.items.length > 0 && !found.isLast && stale < MAX_STALE) continue;
      if (pass === 0) last = page;
      break;
    }
    if (total === undefined || seen.size >= total) return;
  }
}
