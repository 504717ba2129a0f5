import { z } from 'zod';
import type { SourceClient } from './client.ts';
import { instantOf, type SourceItem, type SourceKind } from './item.ts';

/** The most that it returns at once. */
const PAGE = 1000;

const tag = z.object({ name: z.string(), value: z.string().nullish() });
const asset = z.object({
  id: z.string(),
  ownerId: z.string().nullish(),
  type: z.string(),
  originalFileName: z.string(),
  originalMimeType: z.string().nullish(),
  fileCreatedAt: z.string().nullish(),
  createdAt: z.string().nullish(),
  isFavorite: z.boolean().nullish(),
  isArchived: z.boolean().nullish(),
  isOffline: z.boolean().nullish(),
  visibility: z.string().nullish(),
  checksum: z.string().nullish(),
  livePhotoVideoId: z.string().nullish(),
  exifInfo: z
    .object({
      description: z.string().nullish(),
      fileSizeInByte: z.number().nullish(),
      rating: z.number().nullish(),
      latitude: z.number().nullish(),
    })
    .nullish(),
  tags: z.array(tag).nullish(),
  people: z.array(z.unknown()).nullish(),
});
type Asset = z.infer<typeof asset>;
const found = z.object({ assets: z.object({ items: z.array(asset), nextPage: z.union([z.string(), z.number()]).nullish() }) });
const albumList = z.array(z.object({ id: z.string(), albumName: z.string() }));
const album = z.object({ assets: z.array(z.object({ id: z.string() })).nullish() });

/** Immich: https://api.immich.app, github.com/immich-app/immich, `server/src/controllers`. */
export const immich: SourceKind = {
  title: 'Immich',
  secret: 'API key (in Immich: Account settings, API keys; it needs asset.read, asset.download, album.read, tag.read and user.read)',
  credentials: (key) => ({ 'x-api-key': key }),
  never: ['sharing links', 'memories', 'stacks'],
  async *items(client) {
    const me = await client.json('/api/users/me', z.object({ id: z.string() }));
    const albums = await albumsOf(client);
    // A list has no tags, only an asset itself; who has none is spared the requests.
    const hasTags = (await client.json('/api/tags', z.array(z.unknown()))).length > 0;
    // Older versions don't know the second, and list archived ones with the first.
    for (const visibility of ['timeline', 'archive'])
      for await (const one of assets(client, { visibility, withArchived: true, withExif: true, order: 'asc' })) {
        // Those of partners are listed, too.
        if ((one.ownerId ?? me.id) !== me.id) continue;
        yield {
          ...itemOf(one, albums.get(one.id) ?? []),
          details: hasTags
            ? async () => {
                const whole = itemOf(await client.json(`/api/assets/${one.id}`, asset, { isItem: true }), []);
                return { tags: whole.tags, caption: whole.caption, lost: whole.lost };
              }
            : undefined,
        };
      }
  },
};

async function* assets(client: SourceClient, filter: Record<string, unknown>): AsyncGenerator<Asset> {
  for (let page = 1; page > 0; ) {
    const body = { ...filter, page, size: PAGE };
    const { assets: list }: z.infer<typeof found> = await client.json('/api/search/metadata', found, { method: 'POST', body });
    yield* list.items;
    const next = Number(list.nextPage ?? 0);
    page = list.items.length > 0 && next > page ? next : 0;
  }
}

/** The names of the albums of each asset. */
async function albumsOf(client: SourceClient): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  for (const { id, albumName } of await client.json('/api/albums', albumList)) {
    const { assets: listed } = await client.json(`/api/albums/${id}`, album);
    // Version 3 doesn't list them there, and earlier ones ignore this filter, which would put everything into every album.
    for await (const member of listed ?? assets(client, { albumIds: [id] }))
      names.set(member.id, [...(names.get(member.id) ?? []), albumName]);
  }
  return names;
}

function itemOf(one: Asset, albums: string[]): SourceItem {
  const { id, exifInfo, checksum, people } = one;
  const isVideo = one.type !== 'IMAGE';
  const isArchived = one.isArchived || one.visibility === 'archive';
  return {
    id,
    name: one.originalFileName,
    size: exifInfo?.fileSizeInByte ?? undefined,
    type: one.originalMimeType ?? (isVideo ? 'video/mp4' : undefined),
    version: checksum ?? undefined,
    sha1: checksum ? Buffer.from(checksum, 'base64').toString('hex') : undefined,
    url: `api/assets/${id}/original`,
    takenAt: instantOf(one.fileCreatedAt),
    uploadedAt: instantOf(one.createdAt),
    caption: exifInfo?.description ?? '',
    tags: one.tags?.map(({ value, name }) => value || name),
    albums: [...new Set(albums)],
    // Nobody else sees an asset without a link made for it.
    visibility: 'private',
    favourite: one.isFavorite ?? false,
    oldAddresses: [`/photos/${id}`],
    locked: one.isOffline ? 'its file is missing in Immich (offline)' : undefined,
    lost: [
      ...(people?.length ? ['people'] : []),
      ...(exifInfo?.latitude ? ['places'] : []),
      ...(exifInfo?.rating ? ['ratings'] : []),
      ...(one.livePhotoVideoId ? ['moving parts of Live Photos'] : []),
      ...(isArchived ? ['being archived'] : []),
    ],
  };
}
