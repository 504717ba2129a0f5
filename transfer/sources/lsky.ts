import { z } from 'zod';
import { type SourceClient, SourceError } from './client.ts';
import { instantOf, numberedPages, type SourceItem, type SourceKind } from './item.ts';

const id = z.union([z.string(), z.number()]).transform(String);
const named = z.object({ id, name: z.string() });

/** The list of the open-source version, and of Lsky Pro+ for older clients. */
const picture = z.object({
  key: id,
  name: z.string(),
  origin_name: z.string().nullish(),
  mimetype: z.string().nullish(),
  md5: z.string().nullish(),
  date: z.string().nullish(),
  links: z.object({ url: z.string() }),
});
const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.object({ data: z.array(item), last_page: z.number(), total: z.number().nullish() }) });
const pictures = pageOf(picture);
const albums = pageOf(named);

/** The list of Lsky Pro+ 2. */
const photo = z.object({
  id,
  name: z.string().nullish(),
  intro: z.string().nullish(),
  filename: z.string().nullish(),
  mimetype: z.string().nullish(),
  md5: z.string().nullish(),
  is_public: z.union([z.boolean(), z.number()]).nullish(),
  expired_at: z.string().nullish(),
  created_at: z.string().nullish(),
  public_url: z.string(),
  albums: z.array(named).nullish(),
  tags: z.array(named).nullish(),
});
const photos = z.object({
  data: z.object({ data: z.array(photo), meta: z.object({ total: z.number(), last_page: z.number() }).nullish() }),
});

/**
 * Lsky Pro: github.com/lsky-org/lsky-pro, `routes/api.php`; Lsky Pro+: https://lsky-pro.apifox.cn.
 * The older list doesn't say in which album a picture is, nor who may see it, so each album is asked for its public and its private ones.
 */
export const lsky: SourceKind = {
  title: 'Lsky Pro',
  secret: 'token (POST /api/v1/tokens with your email and password returns one; in Lsky Pro+: Tokens, in your account)',
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
  never: ['sharing links', 'storage strategies'],
  async *items(client) {
    if (await hasPhotos(client)) yield* photosOf(client);
    else yield* picturesOf(client);
  },
};

/** @throws what isn't about the address */
async function hasPhotos(client: SourceClient): Promise<boolean> {
  try {
    await client.json('/api/v2/user/photos?page=1&per_page=1', photos);
    return true;
  } catch (error) {
    if (error instanceof SourceError && error.constructor === SourceError) return false;
    throw error;
  }
}

async function* photosOf(client: SourceClient): AsyncGenerator<SourceItem> {
  const read = async (page: number) => {
    const { data } = await client.json(`/api/v2/user/photos?page=${page}&per_page=100&order_by=oldest`, photos);
    return { items: data.data, total: data.meta?.total, isLast: page >= (data.meta?.last_page ?? Number.POSITIVE_INFINITY) };
  };
  for await (const one of numberedPages(read, (item) => item.id))
    yield {
      id: one.id,
      name: one.filename || one.name || one.id,
      type: one.mimetype ?? undefined,
      version: one.md5 ?? undefined,
      url: one.public_url,
      uploadedAt: instantOf(one.created_at),
      caption: one.intro ?? '',
      // Names may come twice.
      tags: [...new Set(one.tags?.map(({ name }) => name))],
      albums: [...new Set(one.albums?.map(({ name }) => name))],
      visibility: one.is_public ? 'public' : 'private',
      expiresAt: instantOf(one.expired_at),
      oldAddresses: [one.public_url],
    };
}

async function* picturesOf(client: SourceClient): AsyncGenerator<SourceItem> {
  const list = <T>(path: string, schema: z.ZodType<{ data: { data: T[]; last_page: number; total?: number | null | undefined } }>) => {
    return async (page: number) => {
      const { data } = await client.json(`${path}&page=${page}`, schema);
      return { items: data.data, total: data.total ?? undefined, isLast: page >= data.last_page };
    };
  };
  const found: z.infer<typeof named>[] = [];
  for await (const album of numberedPages(list('/api/v1/albums?order=earliest', albums), (one) => one.id)) found.push(album);
  // Without an album, some versions list all pictures: by then, those of albums are known, and what comes again isn't taken.
  for (const album of [...found, undefined])
    for (const visibility of ['public', 'private'] as const) {
      const path = `/api/v1/images?order=earliest&permission=${visibility}${album ? `&album_id=${encodeURIComponent(album.id)}` : ''}`;
      for await (const one of numberedPages(list(path, pictures), ({ key }) => key))
        yield {
          id: one.key,
          name: one.origin_name || one.name,
          type: one.mimetype ?? undefined,
          version: one.md5 ?? undefined,
          url: one.links.url,
          // In the time zone of that server, which it doesn't tell: it is taken to be that of this computer.
          uploadedAt: instantOf(one.date?.replace(' ', 'T')),
          albums: album ? [album.name] : [],
          visibility,
          oldAddresses: [one.links.url],
        };
    }
}
