import { z } from 'zod';
import { albumPaths, instantOf, numberedPages, type SourceItem, type SourceKind } from './item.ts';

const PAGE = 100;

const file = z.object({
  id: z.string(),
  name: z.string(),
  originalName: z.string().nullish(),
  createdAt: z.string(),
  deletesAt: z.string().nullish(),
  favorite: z.boolean().nullish(),
  size: z.coerce.number().nullish(),
  type: z.string().nullish(),
  views: z.number().nullish(),
  maxViews: z.number().nullish(),
  // True or false; older versions leave it out, or show a hash.
  password: z.unknown(),
  folderId: z.string().nullish(),
  tags: z.array(z.object({ name: z.string() })).nullish(),
  url: z.string().nullish(),
});
const files = z.object({ page: z.array(file), total: z.number().nullish(), pages: z.number().nullish() });
const folders = z.array(z.object({ id: z.string(), name: z.string(), parentId: z.string().nullish() }));

/** Zipline 4: github.com/diced/zipline, `src/server/routes/api/user`. */
export const zipline: SourceKind = {
  title: 'Zipline',
  secret: 'token (in Zipline: the menu of your account, Copy Token)',
  credentials: (token) => ({ authorization: token }),
  never: ['short links', 'invites'],
  async *items(client) {
    const found = await client.json('/api/user/folders?noincl=true', folders);
    const albums = albumPaths(found.map(({ id, name, parentId }) => ({ id, name, parent: parentId ?? undefined })));
    const read = async (page: number) => {
      const query = `page=${page}&perpage=${PAGE}&filter=all&sortBy=createdAt&order=asc`;
      const { page: items, total, pages } = await client.json(`/api/user/files?${query}`, files);
      return { items, total: total ?? undefined, isLast: page >= (pages ?? Number.POSITIVE_INFINITY) };
    };
    for await (const one of numberedPages(read, ({ id }) => id)) yield itemOf(one, albums);
  },
};

function itemOf(one: z.infer<typeof file>, albums: Map<string, string>): SourceItem {
  const { id, name, views, maxViews } = one;
  const album = one.folderId ? albums.get(one.folderId) : undefined;
  const segment = encodeURIComponent(name);
  return {
    id,
    name: one.originalName || name,
    size: one.size ?? undefined,
    type: one.type ?? undefined,
    url: `api/user/files/${encodeURIComponent(id)}/raw`,
    uploadedAt: instantOf(one.createdAt),
    tags: one.tags?.map((tag) => tag.name),
    albums: album ? [album] : [],
    visibility: 'public',
    expiresAt: instantOf(one.deletesAt),
    favourite: one.favorite ?? false,
    viewsLeft: maxViews ? Math.max(0, maxViews - (views ?? 0)) : undefined,
    oldAddresses: [...(one.url ? [one.url] : []), `/view/${segment}`, `/raw/${segment}`],
    locked: one.password
      ? 'it is protected by a password in Zipline, which gives it to nobody without. Remove the password there, and import again'
      : undefined,
    lost: views ? ['numbers of views'] : [],
  };
}
