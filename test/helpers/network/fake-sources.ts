import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { random } from '#test/helpers/random.ts';

/** A picture at another product. */
export interface Entry {
  id: string;
  name: string;
  content: Buffer;
  /** Its media type, unless it is a PNG. */
  type?: string;
  /** Milliseconds since 1970, whole seconds. */
  created: number;
  caption: string;
  tags: string[];
  /** `Parent / Child`. */
  albums: string[];
  isPublic: boolean;
  favourite: boolean;
}

/** What can go wrong, and what a test changes while a list is being read. */
export interface Conduct {
  token: string;
  /** The token is valid, and may not read. */
  isForbidden?: boolean;
  /** All requests are redirected there. */
  redirectsTo?: string;
  /** The probability of each request to fail in a way that passes. */
  faults?: number;
  /** Called before a page of pictures is made. */
  onPage?: (page: number) => void;
  /** The origin of the pictures themselves, where that is another one. */
  bucket?: string;
  /** Pictures that are listed, and gone. */
  vanished?: Set<string>;
}

interface Call {
  path: string;
  query: URLSearchParams;
  /** Of a form or JSON. */
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/** What a product returns: JSON, bytes, a page, or a status with JSON. Undefined: 404. */
type Reply =
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { bytes: Buffer; type: string }
  | { html: string; cookie?: string }
  | undefined;

export interface Product {
  /** Whether a request shows the token. */
  isSignedIn(call: Call, token: string): boolean;
  /** What it returns to the others. */
  refusal(isForbidden: boolean): { status: number; json: unknown };
  reply(call: Call, library: Entry[], conduct: Conduct): Reply;
  /** What an import can know of an entry. */
  told(entry: Entry): Partial<Entry>;
}

const iso = (time: number) => new Date(time).toISOString();
const page = <T>(items: T[], number: number, size: number) => items.slice((number - 1) * size, number * size);
/** Of libraries with many pictures, computed once. */
const known = new WeakMap<Entry[], { size: number; names: string[] }>();
function albumNames(library: Entry[]): string[] {
  const before = known.get(library);
  if (before?.size === library.length) return before.names;
  const names = [...new Set(library.flatMap(({ albums }) => albums))];
  known.set(library, { size: library.length, names });
  return names;
}

const png = ({ content, type = 'image/png' }: Entry) => ({ bytes: content, type });
const withoutDate = ({ content, id, ...rest }: Entry) => rest;

/** Folders in each other, by their paths. */
function folders(library: Entry[]) {
  const paths = new Set(
    albumNames(library).flatMap((path) => path.split(' / ').map((_, index, parts) => parts.slice(0, index + 1).join(' / '))),
  );
  return [...paths].map((path) => ({
    id: path,
    name: path.split(' / ').at(-1),
    parentId: path.includes(' / ') ? path.slice(0, path.lastIndexOf(' / ')) : null,
  }));
}

const zipline: Product = {
  isSignedIn: ({ headers }, token) => headers.authorization === token,
  refusal: (isForbidden) => ({
    status: isForbidden ? 403 : 401,
    json: { error: isForbidden ? 'Forbidden' : 'not logged in', statusCode: isForbidden ? 403 : 401 },
  }),
  reply({ path, query }, library, { onPage }) {
    if (path === '/api/user/folders') return { json: folders(library) };
    if (path === '/api/user/files') {
      const [number, size] = [Number(query.get('page')), Number(query.get('perpage'))];
      onPage?.(number);
      const files = page(library, number, size).map((entry) => ({
        id: entry.id,
        name: `${entry.id}.png`,
        originalName: entry.name,
        createdAt: iso(entry.created),
        updatedAt: iso(entry.created),
        deletesAt: null,
        favorite: entry.favourite,
        size: entry.content.length,
        type: entry.type ?? 'image/png',
        views: 3,
        maxViews: null,
        password: false,
        folderId: entry.albums[0] ?? null,
        thumbnail: null,
        tags: entry.tags.map((name) => ({ id: name, name, color: '#fff' })),
        url: `/u/${entry.id}.png`,
      }));
      return { json: { page: files, total: library.length, pages: Math.ceil(library.length / size) } };
    }
    const [, id] = /^\/api\/user\/files\/([^/]+)\/raw$/.exec(path) ?? [];
    const entry = library.find((one) => one.id === decodeURIComponent(id ?? ''));
    return entry && png(entry);
  },
  told: ({ albums, ...entry }) => ({ ...withoutDate({ ...entry, albums: albums.slice(0, 1) }), caption: '', isPublic: true }),
};

/** Lists pictures of one album, or of none, and doesn't say which; dates have no time zone. */
const lsky: Product = {
  isSignedIn: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
  refusal: (isForbidden) => ({
    status: isForbidden ? 403 : 401,
    json: isForbidden ? { status: false, message: '管理员未启用 API', data: {} } : { message: 'Unauthenticated.' },
  }),
  reply({ path, query }, library, { onPage, bucket = '' }) {
    const number = Number(query.get('page') ?? 1);
    const list = <T>(items: T[], shown: (item: T) => unknown) => ({
      json: {
        status: true,
        message: 'success',
        data: {
          current_page: number,
          data: page(items, number, 40).map(shown),
          last_page: Math.max(1, Math.ceil(items.length / 40)),
          per_page: 40,
          total: items.length,
        },
      },
    });
    const names = albumNames(library);
    if (path === '/api/v1/albums') return list(names, (name) => ({ id: names.indexOf(name) + 1, name, intro: '', image_num: 1 }));
    if (path === '/api/v1/images') {
      onPage?.(number);
      const album = names[Number(query.get('album_id')) - 1];
      const isPublic = query.get('permission') === 'public';
      const found = library.filter((entry) => entry.albums[0] === album && entry.isPublic === isPublic);
      return list(found, (entry) => ({
        key: entry.id,
        name: `${entry.id}.png`,
        origin_name: entry.name,
        pathname: `2024/01/${entry.id}.png`,
        size: entry.content.length / 1024,
        mimetype: 'image/png',
        extension: 'png',
        md5: createHash('md5').update(entry.content).digest('hex'),
        sha1: createHash('sha1').update(entry.content).digest('hex'),
        width: 1,
        height: 1,
        date: local(entry.created),
        links: { url: `${bucket}/i/2024/01/${entry.id}.png`, thumbnail_url: `/thumbnails/${entry.id}.png` },
      }));
    }
    return storedPicture(path, library);
  },
  told: ({ albums, ...entry }) => ({ ...withoutDate({ ...entry, albums: albums.slice(0, 1) }), caption: '', tags: [], favourite: false }),
};

function storedPicture(path: string, library: Entry[]): Reply {
  const [, id] = /\/([^/]+)\.png$/.exec(path) ?? [];
  const entry = library.find((one) => one.id === id);
  return entry && png(entry);
}

const local = (time: number) => {
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19).replace('T', ' ');
};

const lskyPlus: Product = {
  ...lsky,
  reply({ path, query }, library, { onPage }) {
    if (path !== '/api/v2/user/photos') return storedPicture(path, library);
    const [number, size] = [Number(query.get('page')), Number(query.get('per_page'))];
    onPage?.(number);
    const data = page(library, number, size).map((entry, index) => ({
      id: entry.id,
      name: entry.name,
      intro: entry.caption,
      filename: entry.name,
      pathname: `${entry.id}.png`,
      mimetype: 'image/png',
      md5: createHash('md5').update(entry.content).digest('hex'),
      is_public: entry.isPublic,
      expired_at: null,
      created_at: iso(entry.created).replace('.000Z', '.000000Z'),
      public_url: `/uploads/${entry.id}.png`,
      albums: entry.albums.map((name) => ({ id: index, name })),
      // Its documentation shows tags that come twice.
      tags: [...entry.tags, ...entry.tags].map((name) => ({ id: 1, name })),
    }));
    return {
      json: {
        status: 'success',
        message: 'successful',
        data: { data, links: {}, meta: { current_page: number, last_page: Math.ceil(library.length / size), total: library.length } },
        time: 1,
      },
    };
  },
  told: (entry) => ({ ...withoutDate(entry), favourite: false }),
};

const TOKEN = 'a'.repeat(40);
const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#039;');
/** PHP's rawurlencode. */
const rawUrl = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Lists are HTML, for a session whose token is in a page; only a picture's own page has its date. */
const chevereto: Product = {
  isSignedIn: ({ headers }, token) => headers.cookie?.includes(`KEEP_LOGIN=${token}`) ?? false,
  refusal: (isForbidden) => ({
    status: isForbidden ? 403 : 401,
    json: { status_code: 401, error: { message: 'Request denied', code: 401 } },
  }),
  reply({ path, body, headers }, library, { onPage }) {
    if (path === '/')
      return {
        html: `<script>PF.obj.config.auth_token = "${TOKEN}"; CHV.obj.logged_user = {"name":"Ada","username":"ada","id":"tB","url":"x"};</script>`,
        cookie: 'PHPSESSID=s1; path=/',
      };
    if (path === '/json') {
      if (!headers.cookie?.includes('PHPSESSID=s1') || body.auth_token !== TOKEN)
        return { status: 401, json: { error: { message: 'Request denied', code: 401 } } };
      const all = folders(library);
      if (body.list === 'albums') {
        const found = all.filter(({ parentId }) => !body.albumid || parentId === body.albumid);
        if (body.page !== '1') return { json: { status_code: 200, html: '', seekEnd: '' } };
        const html = found.map(
          ({ id, name }) =>
            `<div class="list-item c8 gutter-margin-right-bottom" data-type="album" data-id="${escaped(id)}" data-name="${escaped(name ?? '')}"  data-description="" data-privacy="public">\n<a href="x"></a></div>`,
        );
        return { json: { status_code: 200, html: html.join('\n'), seekEnd: '' } };
      }
      const start = body.seek ? Number(body.seek) : 0;
      onPage?.(start / 24 + 1);
      const html = library.slice(start, start + 24).map((entry) => {
        const object = {
          url: `/images/${entry.id}.png`,
          name: entry.id,
          filename: `${entry.id}.png`,
          extension: 'png',
          title: escaped(entry.name),
          path_viewer: `/image/${entry.id}`,
          type: 'image',
          tags: entry.tags.map((name) => ({ id: 1, name: escaped(name) })),
        };
        return `<div class="list-item c8 gutter-margin-right-bottom" data-flag="safe" data-id="${entry.id}" data-album-id="${escaped(entry.albums[0] ?? '')}" data-type="image" data-size="${entry.content.length}" data-liked="0" data-description="${escaped(entry.caption)}" data-title="${escaped(entry.name)}" data-privacy="${entry.isPublic ? '' : 'private'}" data-object='${rawUrl(JSON.stringify(object))}'>\n</div>`;
      });
      const isLast = start + 24 >= library.length;
      return { json: { status_code: 200, html: html.join('\n'), seekEnd: isLast ? '' : String(start + 24) } };
    }
    const [, viewed] = /^\/image\/([^/]+)$/.exec(path) ?? [];
    const entry = library.find(({ id }) => id === viewed);
    if (entry) return { html: `<p>Uploaded <span title="${local(entry.created)}">2 years ago</span> — 3 views</p>` };
    return storedPicture(path, library);
  },
  told: ({ albums, name, ...entry }) => ({
    ...withoutDate({ ...entry, name: `${name}.png`, albums: albums.slice(0, 1) }),
    favourite: false,
  }),
};

/** Texts come as HTML, the cursor is opaque, and the session comes from a name and a password. */
const slink: Product = {
  isSignedIn: ({ path, headers }) => path === '/api/auth/login' || headers.authorization === 'Bearer jwt',
  refusal: (isForbidden) => ({
    status: isForbidden ? 403 : 401,
    json: { error: { message: isForbidden ? 'Access Denied.' : 'JWT Token not found' } },
  }),
  reply({ path, query, body }, library, { token, isForbidden, onPage }) {
    if (path === '/api/auth/login')
      return `${body.username}:${body.password}` === token && !isForbidden
        ? { json: { access_token: 'jwt', refresh_token: 'r' } }
        : { ...this.refusal(Boolean(isForbidden)) };
    if (path === '/api/images/history') {
      const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0);
      const size = Number(query.get('limit'));
      onPage?.(start / size + 1);
      const data = library.slice(start, start + size).map((entry) => ({
        id: entry.id,
        url: `/image/${entry.id}.png`,
        attributes: {
          fileName: `${entry.id}.png`,
          description: escaped(entry.caption),
          isPublic: entry.isPublic,
          createdAt: { formattedDate: 'x', timestamp: entry.created / 1000 },
          views: 0,
        },
        metadata: { size: entry.content.length, mimeType: 'image/png', width: 1, height: 1 },
        collections: entry.albums.map((name) => ({ id: name, name })),
        tags: entry.tags.map((name) => ({ id: name, name, path: `#${name}` })),
      }));
      const end = start + size;
      return {
        json: {
          meta: { size, total: library.length, ...(end < library.length && { nextCursor: Buffer.from(String(end)).toString('base64') }) },
          data,
        },
      };
    }
    return storedPicture(path, library);
  },
  told: ({ name, ...entry }) => ({ ...withoutDate({ ...entry, name: `${entry.id}.png` }), favourite: false }),
};

/** Lists a thousand at once, those of partners as well, the number of the next page as text, and tags only of a single asset. */
const immich: Product = {
  isSignedIn: ({ headers }, token) => headers['x-api-key'] === token,
  refusal: (isForbidden) => ({
    status: isForbidden ? 403 : 401,
    json: { message: isForbidden ? 'Missing required permission: asset.read' : 'Invalid API key', error: 'x', statusCode: 1 },
  }),
  reply({ path, body }, library, { onPage }) {
    if (path === '/api/users/me') return { json: { id: 'me' } };
    if (path === '/api/tags') return { json: library.flatMap(({ tags }) => tags).slice(0, 1) };
    if (path === '/api/albums') return { json: albumNames(library).map((name) => ({ id: rawUrl(name), albumName: name })) };
    const [, album] = /^\/api\/albums\/(.+)$/.exec(path) ?? [];
    if (album)
      return {
        json: { id: album, assets: library.filter(({ albums }) => albums.includes(decodeURIComponent(album))).map(({ id }) => ({ id })) },
      };
    const asset = (entry: Entry, ownerId = 'me') => ({
      id: entry.id,
      ownerId,
      type: 'IMAGE',
      originalFileName: entry.name,
      originalMimeType: 'image/png',
      fileCreatedAt: iso(entry.created),
      localDateTime: iso(entry.created),
      createdAt: iso(entry.created + 86_400_000),
      isFavorite: entry.favourite,
      isTrashed: false,
      visibility: 'timeline',
      checksum: createHash('sha1').update(entry.content).digest('base64'),
      exifInfo: { description: entry.caption, fileSizeInByte: entry.content.length },
      people: [],
    });
    if (path === '/api/search/metadata') {
      const items = body.visibility === 'archive' ? [] : page(library, Number(body.page), Number(body.size)).map((entry) => asset(entry));
      onPage?.(Number(body.page));
      const partner = { ...asset(library[0] as Entry, 'partner'), id: 'partner-1' };
      const more = body.visibility !== 'archive' && Number(body.page) * Number(body.size) < library.length;
      return {
        json: {
          albums: {},
          assets: {
            total: items.length,
            count: items.length,
            items: [...items, partner],
            facets: [],
            nextPage: more ? String(Number(body.page) + 1) : null,
          },
        },
      };
    }
    const [, id, original] = /^\/api\/assets\/([^/]+)(\/original)?$/.exec(path) ?? [];
    const entry = library.find((one) => one.id === id);
    if (entry && original) return png(entry);
    return entry && { json: { ...asset(entry), tags: entry.tags.map((name) => ({ id: name, name, value: name })) } };
  },
  told: (entry) => ({ ...withoutDate(entry), isPublic: false }),
};

/** The products by the names that the command line has for them; `lsky+` is another version of `lsky`. */
export const PRODUCTS: Readonly<Record<string, Product>> = { zipline, lsky, 'lsky+': lskyPlus, chevereto, slink, immich };

/** Names that break careless programs. */
const HELL = ['a "b" \\ c.png', 'x;$uri {$HOME} {path}.png', '图片 #1 & <b>.png', 'e\u0301tude, 50 % off.png', "~it's=1,2.png"];

/** Pictures with all that products know, each different. */
export function madeUpLibrary(count: number, first = 20_000_000): Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `id-${first + index}`,
    name: index < HELL.length ? (HELL[index] as string) : `shot ${index}.png`,
    content: tinyPng(first + index),
    created: Date.UTC(2019, 0, 1) + index * 3_600_000,
    caption: index % 3 === 0 ? `No. ${index}: "a" & <b>` : '',
    tags: index % 4 === 0 ? ['work', `#${index}`] : [],
    albums: index % 2 === 0 ? [index % 4 === 0 ? 'Trips / Rome & "more"' : 'Trips', ...(index % 8 === 0 ? ['Best'] : [])] : [],
    isPublic: index % 5 !== 0,
    favourite: index % 7 === 0,
  }));
}

/** A server of a product. Every request is counted, with what showed the token. */
export async function startFakeSource(product: Product, library: Entry[], conduct: Conduct) {
  const below = random(4);
  const chance = () => below(10_000) / 10_000;
  const seen: { path: string; secrets: string }[] = [];
  const server = await startWebServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://source');
    const sent = await text(request).catch(() => '');
    const { authorization = '', cookie = '', 'x-api-key': key = '' } = request.headers;
    seen.push({ path: url.pathname + url.search, secrets: [authorization, cookie, key].join('') });
    if (conduct.redirectsTo) return void response.writeHead(302, { location: conduct.redirectsTo + request.url }).end();
    if (chance() < (conduct.faults ?? 0)) return fail(response, chance());
    const body = request.headers['content-type'] === 'application/json' ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent));
    const call = { path: url.pathname, query: url.searchParams, body, headers: request.headers };
    const isAllowed = product.isSignedIn(call, conduct.token) && !(conduct.isForbidden && url.pathname !== '/api/auth/login');
    const [, id] = /(id-\d+)/.exec(url.pathname) ?? [];
    const reply = !isAllowed
      ? product.refusal(Boolean(conduct.isForbidden))
      : id && conduct.vanished?.has(id)
        ? undefined
        : product.reply(call, library, conduct);
    if (!reply) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"not found"}');
    if ('bytes' in reply)
      return void response.writeHead(200, { 'content-type': reply.type, 'content-length': reply.bytes.length }).end(reply.bytes);
    if ('html' in reply)
      return void response
        .writeHead(200, { 'content-type': 'text/html', ...(reply.cookie && { 'set-cookie': reply.cookie }) })
        .end(reply.html);
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json));
  });
  return { ...server, seen };
}

/** One of the ways in which a request fails for a moment. */
function fail(response: ServerResponse, chance: number) {
  if (chance < 0.25) return void response.writeHead(429, { 'retry-after': '0' }).end('{"message":"Too Many Attempts."}');
  if (chance < 0.5) return void response.writeHead(503, { 'retry-after': new Date().toUTCString() }).end();
  if (chance < 0.75) return void response.writeHead(502).end('<h1>Bad Gateway</h1>');
  // The announced bytes don't all come.
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1000 });
  response.write('x', () => response.destroy());
}
