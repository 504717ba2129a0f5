import { z } from 'zod';
import { albumId, count, imageKey, instant, nothing, page, pageQuery, route } from './contract.ts';

export const IMAGE_SORTS = ['uploaded_desc', 'uploaded_asc', 'taken_desc', 'taken_asc', 'name_asc', 'size_desc'] as const;

/** Ready-made links of one picture, all absolute. */
export const imageLinks = z.object({
  url: z.string().meta({ description: 'The direct link' }),
  markdown: z.string(),
  html: z.string(),
  bbcode: z.string(),
  thumbnail_url: z.string(),
  share_url: z.string(),
  delete_url: z.string().optional().meta({ description: "Only in the uploader's own answers: a page that asks before it deletes" }),
});
export type ImageLinks = z.infer<typeof imageLinks>;

/** A picture as its owner sees it. `size`, `mime`, `ext` and `sha256` describe the bytes behind the direct link. */
export const image = z.object({
  key: imageKey,
  name: z.string(),
  ext: z.string(),
  mime: z.string(),
  size: count,
  width: count,
  height: count,
  sha256: z.string(),
  visibility: z.enum(['public', 'private']),
  album_id: albumId.nullable(),
  expires_at: instant.nullable(),
  max_views: count,
  views: count,
  has_password: z.boolean(),
  favourite: z.boolean(),
  tags: z.array(z.string()),
  taken_at: instant,
  created_at: instant,
  deleted_at: instant.nullable(),
  links: imageLinks,
});
export type Image = z.infer<typeof image>;

export const listImages = route({
  method: 'GET',
  path: '/images',
  access: 'user',
  summary: "The caller's pictures, newest first unless sorted otherwise",
  query: pageQuery.extend({ sort: z.enum(IMAGE_SORTS).default('uploaded_desc') }),
  data: page(image),
});

const byKey = z.object({ key: imageKey });

export const getImage = route({
  method: 'GET',
  path: '/images/:key',
  access: 'user',
  summary: 'One picture',
  params: byKey,
  data: image,
  errors: ['not_found'],
});

export const trashImage = route({
  method: 'DELETE',
  path: '/images/:key',
  access: 'user',
  summary: 'Move a picture to the trash',
  params: byKey,
  data: nothing,
  errors: ['not_found'],
});
