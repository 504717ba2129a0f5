import type { RouteParsed } from '#api/contract.ts';
import { isVideo } from '#api/formats.ts';
import type { batchImages } from '#api/images/changes.ts';
import type { Image, LIST_SORTS } from '#api/images/images.ts';
import { toShape } from '#api/shapes.ts';
import { type Library, momentOf, nextNumber, pageOf } from './library.ts';
import { type Api, refuse } from './service.ts';

/** A public JPEG of 600 × 400 pixels, changed by what is given; later ones are newer. Its key says how large it is: so large is the picture in the page. */
export function anImage({ width = 600, height = 400, ...changes }: Partial<Image> = {}): Image {
  const number = nextNumber();
  const digits = (value: number, length = 4) => String(value).padStart(length, '0');
  const { key = `${digits(width)}x${digits(height)}${digits(number % 1_000, 3)}`, ext = 'jpg' } = changes;
  const url = `${location.origin}/i/${key}.${ext}`;
  const name = changes.name ?? `picture-${number}.${ext}`;
  return {
    key,
    slug: null,
    name,
    title: '',
    caption: '',
    alt: '',
    ext,
    mime: ext === 'jpg' ? 'image/jpeg' : `${isVideo(ext) ? 'video' : 'image'}/${ext}`,
    size: 100_000 + number,
    width,
    height,
    kind: isVideo(ext) ? 'video' : 'picture',
    duration: isVideo(ext) ? 10 : null,
    has_audio: isVideo(ext),
    has_poster: isVideo(ext),
    sha256: digits(number, 64),
    visibility: 'public',
    album_id: changes.albums?.[0] ?? null,
    albums: [],
    expires_at: null,
    max_views: 0,
    views: 0,
    views_left: null,
    has_password: false,
    favourite: false,
    tags: [],
    taken_at: momentOf(number),
    created_at: momentOf(number),
    deleted_at: null,
    thumbhash: null,
    animated: false,
    replaced_at: null,
    version_of: null,
    links: {
      url,
      markdown: `![${name}](${url})`,
      html: `<img src="${url}" alt="${name}">`,
      bbcode: `[img]${url}[/img]`,
      thumbnail_url: `${location.origin}/t/${key}.jpg`,
      share_url: `${location.origin}/s/${key}`,
    },
    ...changes,
  };
}

/** Notes the addresses of the pictures that the page loads from now on. */
export function followPictures(): string[] {
  const addresses: string[] = [];
  const note = ({ name }: PerformanceEntry) => {
    if (/\/[it]\//.test(name)) addresses.push(name);
  };
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: 'resource' });
  return addresses;
}

type Sort = (typeof LIST_SORTS)[number];

/** In the order of a list; that of an album is given, and otherwise begins with the newest. */
export function sorted<T extends Pick<Image, 'key' | 'name' | 'size' | 'created_at' | 'taken_at'> & Partial<Pick<Image, 'deleted_at'>>>(
  images: readonly T[],
  sort: Sort,
  order: readonly string[] = [],
): T[] {
  if (sort === 'album_order' && order.length > 0) return images.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  if (sort === 'name_asc') return images.toSorted((a, b) => a.name.localeCompare(b.name));
  if (sort === 'size_desc') return images.toSorted((a, b) => b.size - a.size);
  const later = images.toSorted((a, b) => timeOf(b, sort).localeCompare(timeOf(a, sort)));
  return sort.endsWith('asc') ? later.reverse() : later;
}

const timeOf = (image: Pick<Image, 'created_at' | 'taken_at'> & Partial<Pick<Image, 'deleted_at'>>, sort: string): string =>
  (sort.startsWith('taken') ? image.taken_at : sort.startsWith('deleted') ? image.deleted_at : image.created_at) ?? '';

interface Filters {
  sort: Sort;
  q?: string | undefined;
  album_id?: string | undefined;
  visibility?: string | undefined;
  type?: string | undefined;
  favourite?: boolean | undefined;
  tag?: string | undefined;
  taken?: string | undefined;
  date?: 'taken' | 'uploaded' | 'deleted' | undefined;
  /** Instants. */
  from?: string | undefined;
  to?: string | undefined;
  keys?: string[] | undefined;
  trash?: boolean | undefined;
}

/** Images in one page of the timeline. */
const PAGE_SIZE = 100;

/** Lists of the user's pictures, and what the viewer does to one. A search finds parts of names; whatever else it means is for the service's own tests. */
export function imagesApi(library: Library): Api {
  const find = (key: string) => library.images.find((image) => image.key === key);
  /** Exchanges the files of a version and its picture, and returns the picture. */
  const exchange = (version: string): Image | undefined => {
    const earlier = find(version);
    const image = find(earlier?.version_of ?? '');
    if (!earlier || !image) return undefined;
    const fileOf = ({ sha256, size, width, height, ext, mime }: Image) => ({ sha256, size, width, height, ext, mime });
    const now = new Date().toISOString();
    const [present, former] = [fileOf(image), fileOf(earlier)];
    Object.assign(earlier, present, { deleted_at: now });
    return Object.assign(image, former, { replaced_at: now, deleted_at: null });
  };
  /** What a batch or a change of the trash is about. */
  const targetOf = ({ keys, query, except_keys = [] }: Target, trash = false) =>
    (keys ?? listed({ sort: trash ? 'deleted_desc' : 'uploaded_desc', ...query }).map(({ key }) => key))
      .filter((key) => !except_keys.includes(key))
      .flatMap((key) => find(key) ?? []);
  const listed = ({ sort, q, album_id, visibility, type, favourite, tag, taken, date, from, to, keys, trash }: Filters) =>
    sorted(
      library.images.filter(
        (image) =>
          Boolean(image.deleted_at) === Boolean(trash || sort === 'deleted_desc') &&
          (!q || image.name.includes(q)) &&
          (!album_id || image.albums.includes(album_id)) &&
          (!visibility || image.visibility === visibility) &&
          (!type || (type === 'video' ? image.kind === type : image.ext === type)) &&
          (!favourite || image.favourite) &&
          (!tag || image.tags.includes(tag)) &&
          (!taken || image.taken_at.startsWith(taken)) &&
          (!from || timeOf(image, date ?? sort) >= from) &&
          (!to || timeOf(image, date ?? sort) < to) &&
          (!keys || keys.includes(image.key)),
      ),
      sort,
      album_id === undefined ? undefined : library.orders[album_id],
    );
  return {
    // Cursors are places in the list.
    'GET /images': ({ query: { cursor = '0', until, limit, ...filters } }) => {
      const all = listed(filters).slice(0, until === undefined ? undefined : Number(until));
      const end = Number(cursor) + limit;
      return { items: all.slice(Number(cursor), end), next_cursor: end < all.length ? String(end) : null };
    },
    'GET /images/timeline': ({ query: { sort = 'uploaded_desc', ...filters } }) => timelineOf(listed({ sort, ...filters }), sort),
    'GET /images/placeholders': ({ query }) => pageOf(listed(query).map(({ thumbhash }) => thumbhash)),
    'GET /images/count': ({ query: { by, ...query } }) => {
      const images = listed({ sort: query.trash ? 'deleted_desc' : 'uploaded_desc', ...query });
      const byAlbum = Map.groupBy(
        images.flatMap(({ albums }) => (by === 'first_album' ? albums.slice(0, 1) : albums)),
        (id) => id,
      );
      const now = new Date().toISOString();
      return {
        count: images.length,
        as_of: '1c',
        counted_at: now,
        ...(query.trash && { expired: images.filter(({ expires_at }) => expires_at && expires_at <= now).length }),
        ...(by && { albums: [...byAlbum].map(([id, { length: count }]) => ({ id, count })) }),
      };
    },
    'GET /images/months': () => ({ months: [...new Set(library.images.map(({ taken_at }) => taken_at.slice(0, 7)))].sort().reverse() }),
    'GET /tags': () => {
      const tags = [...new Set(library.images.flatMap((image) => image.tags))].sort();
      return pageOf(tags.map((tag) => ({ tag, image_count: library.images.filter((image) => image.tags.includes(tag)).length })));
    },
    'GET /images/:key': ({ params }) => find(params.key) ?? refuse('not_found'),
    // Files with the same content are one picture.
    'POST /upload': async ({ file, poster, body: { name = file.name, visibility = library.preferences.visibility, albums, album_id } }) => {
      const { width, height, sha256 } = await measure(file);
      const known = library.images.find((image) => image.sha256 === sha256);
      if (known) return { ...known, reused: true };
      const image = anImage({
        name,
        width,
        height,
        sha256,
        visibility,
        ext: file.type === 'video/webm' ? 'webm' : file.type === 'image/png' ? 'png' : 'jpg',
        has_poster: poster !== undefined,
        albums: albums ?? (album_id ? [album_id] : []),
      });
      library.images.push(image);
      return { ...image, reused: false };
    },
    'PUT /images/:key/file': async ({ params, file }) => {
      const image = find(params.key);
      if (!image) return refuse('not_found');
      const { key } = anImage();
      const now = new Date().toISOString();
      library.images.push({ ...image, key, visibility: 'private', replaced_at: null, version_of: image.key, deleted_at: now });
      return { ...Object.assign(image, await measure(file), { size: file.size, replaced_at: now }), reused: false };
    },
    'PUT /images/:key/poster': ({ params }) => {
      const image = find(params.key);
      return image ? Object.assign(image, { has_poster: true }) : refuse('not_found');
    },
    'GET /images/:key/versions': ({ params }) => ({
      items: sorted(
        library.images.filter(({ version_of }) => version_of === params.key),
        'deleted_desc',
      ).map((image) => ({ ...image, reason: 'replaced' as const, purge_at: momentOf(nextNumber()) })),
    }),
    'POST /images/:key/versions/:version/restore': ({ params }) => exchange(params.version) ?? refuse('not_found'),
    'PATCH /images/:key': ({ params, body: { access_password, expires_in, expires_at, album_id: _album, max_views, ...rest } }) => {
      const image = find(params.key);
      if (!image) return refuse('not_found');
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
      return Object.assign(image, given, {
        ...((expires_in !== undefined || expires_at !== undefined) && { expires_at: endOf({ expires_in, expires_at }) }),
        ...(max_views !== undefined && { max_views: max_views ?? 0, views_left: max_views || null }),
        ...(access_password !== undefined && { has_password: access_password !== null }),
      });
    },
    'DELETE /images/:key': ({ params }) => {
      const image = find(params.key);
      if (!image) return refuse('not_found');
      image.deleted_at = new Date().toISOString();
      return {};
    },
    'POST /images/batch': ({ body }) => {
      if (body.action === 'undo' || (body.action === 'restore' && body.undo)) {
        const before = library.undone[body.undo ?? ''] ?? [];
        for (const image of before) Object.assign(find(image.key) ?? {}, image);
        return outcomeOf(before.map(({ key }) => key));
      }
      const images = targetOf(body);
      const undo = library.remember(images, body.action === 'trash' ? body.continues : undefined);
      if (body.action === 'purge') library.images = library.images.filter((image) => !images.includes(image));
      for (const image of images) Object.assign(image, changeOf(body, image));
      return { ...outcomeOf(images.map(({ key }) => key)), undo };
    },

    'GET /trash/batches': () => ({
      items: Object.entries(library.undone)
        .reverse()
        .flatMap(([undo, before]) => {
          const deleted = before
            .flatMap(({ key, deleted_at }) => (deleted_at ? [] : (find(key) ?? [])))
            .filter((image) => image.deleted_at);
          return deleted.length > 1 ? [{ undo, count: deleted.length, deleted_at: deleted[0]?.deleted_at ?? '' }] : [];
        }),
    }),
    'POST /trash/restore': ({ body }) => {
      const images = targetOf(body, true);
      const left = body.include_versions ? [] : images.filter(({ version_of }) => version_of && find(version_of));
      const restored = images.filter((image) => !left.includes(image));
      for (const image of restored) if (!exchange(image.key)) image.deleted_at = null;
      const versions = left.length > 0 ? { versions_left_out: left.length } : {};
      return { ...outcomeOf(restored.map(({ key }) => key)), failed: left.length, ...versions };
    },
    'POST /trash/purge': ({ body }) => {
      const images = targetOf(body, true);
      library.images = library.images.filter((image) => !images.includes(image));
      return outcomeOf(images.map(({ key }) => key));
    },
    'POST /trash/empty': () => {
      const { length: purged } = listed({ sort: 'deleted_desc' });
      library.images = library.images.filter(({ deleted_at }) => !deleted_at);
      return { purged };
    },
  };
}

async function measure(file: File) {
  const { width, height } = file.type.startsWith('video/') ? { width: 160, height: 90 } : await createImageBitmap(file);
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return { width, height, sha256: [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}

interface Target {
  keys?: string[] | undefined;
  query?: Omit<Filters, 'sort' | 'keys' | 'trash'> | undefined;
  except_keys?: string[] | undefined;
}

const outcomeOf = (keys: string[]) => ({ results: keys.map((key) => ({ key, ok: true })), processed: keys.length, failed: 0 });

/** When an image expires that gets this expiry. */
const endOf = ({ expires_in, expires_at }: { expires_in?: number | null | undefined; expires_at?: string | null | undefined }) =>
  expires_in ? new Date(Date.now() + expires_in * 1_000).toISOString() : (expires_at ?? null);

/** What a batch does to an image. */
function changeOf(body: RouteParsed<typeof batchImages, 'body'>, { albums, tags, taken_at }: Image): Partial<Image> {
  switch (body.action) {
    case 'trash':
      return { deleted_at: new Date().toISOString() };
    case 'restore':
      return { deleted_at: null };
    case 'move': {
      const moved = body.album_id === null ? [] : [body.album_id, ...albums.slice(1).filter((id) => id !== body.album_id)];
      return { albums: moved, album_id: body.album_id };
    }
    case 'tag': {
      const others = tags.filter((tag) => !body.tags.includes(tag));
      return { tags: { add: [...others, ...body.tags], remove: others, set: body.tags }[body.mode] };
    }
    case 'visibility':
      return { visibility: body.visibility };
    case 'favourite':
      return { favourite: body.favourite };
    case 'expiry':
      return { expires_at: endOf(body) };
    case 'date': {
      const moment = body.taken_at ?? new Date(Date.parse(taken_at) + (body.shift_seconds ?? 0) * 1_000).toISOString();
      return { taken_at: moment };
    }
    default:
      return {};
  }
}

/** The timeline of a sorted list. Orders without days are one part. */
function timelineOf(images: readonly Image[], sort: Sort) {
  const hasDays = !['name_asc', 'size_desc', 'album_order'].includes(sort);
  const dayOf = (image: Image) => (hasDays ? new Date(timeOf(image, sort)).toLocaleDateString('sv') : undefined);
  const byMonth = Map.groupBy(images, (image) => dayOf(image)?.slice(0, 7) ?? null);
  return {
    count: images.length,
    page_size: PAGE_SIZE,
    cursors: images.flatMap((_, index) => (index > 0 && index % PAGE_SIZE === 0 ? [String(index)] : [])),
    months: [...byMonth].map(([month, inMonth]) => ({
      month,
      count: inMonth.length,
      days: [...Map.groupBy(inMonth, dayOf)].flatMap(([day, onDay]): [number, number][] =>
        day ? [[Number(day.slice(8)), onDay.length]] : [],
      ),
      shapes: btoa(String.fromCharCode(...inMonth.map(({ width, height }) => toShape(width, height)))),
    })),
    similar: [],
  };
}
