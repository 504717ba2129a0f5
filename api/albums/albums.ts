import { z } from 'zod';
import { MAX_ALBUMS, MEMBER_ROLES } from '#api/constants.ts';
import { albumId, asSent, count, imageKey, instant, line, nothing, page, pageQuery, prose, route } from '#api/contract.ts';
import { expiresAt, expiresIn } from '#api/images/expiry.ts';
import { keyList } from '#api/images/images.ts';
import { openShare, unlockBody } from '#api/sharing/shares.ts';

const visibility = z.enum(['public', 'private']);
const name = line(200, 1);
const description = prose(5_000);
const accessPassword = asSent(1024, 1).nullable();

const expiry = {
  expires_in: expiresIn.nullable().optional().meta({
    description: 'Seconds from now until its link responds with 410 to visitors; 0 or null: never. Its pictures stay as they are',
  }),
  expires_at: expiresAt.optional(),
};

/** Another user, as those see them who share an album with them. */
export const person = z.object({
  id: count,
  username: z.string(),
  avatar_url: z.string().nullable(),
});
export type Person = z.infer<typeof person>;

export const memberRole = z.enum(MEMBER_ROLES);

/** An album as its owner and members see it. */
export const album = z.object({
  id: albumId,
  name: z.string(),
  description: z.string(),
  visibility,
  has_password: z.boolean(),
  owner: person,
  role: z.enum(['owner', ...MEMBER_ROLES]).meta({ description: 'What the caller may do: the album is theirs, or shared with them' }),
  member_count: count.meta({ description: 'Users with whom its owner shares it, by name, with their group or with everyone' }),
  shared_through: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.enum(['user', 'everyone']) }),
      z.object({ kind: z.literal('group'), name: z.string() }),
    ])
    .nullable()
    .meta({
      description: 'Why the caller sees it: it is shared with them by name, with their group, or with everyone; null: it is theirs',
    }),
  for_team: z.boolean().meta({ description: 'Whether it is shared with everyone, or with a group: of others’ albums, the caller’s' }),
  image_count: count.meta({
    description: "Pictures, excluding the trash; of other users' pictures, those that the caller can open and that have no view limit",
  }),
  sorted: z.boolean().meta({ description: 'Whether pictures have been moved within the album; until then, the newest come first' }),
  cover_key: imageKey.nullable().meta({ description: 'The chosen cover; null: the first picture' }),
  allow_download: z.boolean().meta({ description: 'Whether visitors may download all pictures at once' }),
  expires_at: instant.nullable().meta({ description: 'When its link ends for visitors; null: never' }),
  cover_url: z
    .string()
    .nullable()
    .meta({ description: 'Thumbnail of the chosen cover, or of the first picture; null: the album is empty' }),
  share_url: z.string(),
  created_at: instant,
  updated_at: instant,
});
export type Album = z.infer<typeof album>;

const byId = z.object({ id: albumId });

export const listAlbums = route({
  method: 'GET',
  path: '/albums',
  access: 'user',
  summary: "List the caller's albums in their chosen order, new ones first, or those that others share with them",
  query: pageQuery.extend({
    shared: z
      .stringbool()
      .optional()
      .meta({ description: 'The albums that are shared with the caller, instead of their own; latest first' }),
  }),
  data: page(album),
});

export const createAlbum = route({
  method: 'POST',
  path: '/albums',
  access: 'user',
  summary: 'Create an album; private by default',
  body: z.object({
    name,
    description: description.optional(),
    visibility: visibility.default('private'),
    access_password: accessPassword.optional(),
    allow_download: z.boolean().default(true),
    ...expiry,
  }),
  data: album,
  errors: ['conflict'],
});

export const orderAlbums = route({
  method: 'POST',
  path: '/albums/order',
  access: 'user',
  summary: 'Move these albums to the front, in this order; the others keep their order',
  body: z.object({ ids: z.array(albumId).min(1).max(MAX_ALBUMS) }),
  data: nothing,
  errors: ['not_found'],
});

export const getAlbum = route({
  method: 'GET',
  path: '/albums/:id',
  access: 'user',
  summary: 'Get one album of the caller, or one that is shared with them',
  params: byId,
  data: album,
  errors: ['not_found'],
});

export const albumHidden = route({
  method: 'GET',
  path: '/albums/:id/hidden',
  access: 'user',
  summary: "Count the pictures of an album that its visitors don't see; each counts once, for the first reason that applies",
  params: byId,
  data: z.object({
    private: count,
    expired: count.meta({ description: "In their owner's trash" }),
    password_protected: count.meta({ description: 'Visible only to visitors who have entered the picture’s password' }),
    view_limited: count,
  }),
  errors: ['forbidden', 'not_found'],
});

export const changeAlbum = route({
  method: 'PATCH',
  path: '/albums/:id',
  access: 'user',
  summary: 'Change an album; null removes its password or chosen cover. Managers may change its name, description, cover and order',
  params: byId,
  body: z.object({
    name: name.optional(),
    description: description.optional(),
    visibility: visibility.optional(),
    access_password: accessPassword.optional(),
    cover_key: imageKey.nullable().optional(),
    sorted: z.literal(false).optional().meta({ description: 'Shows the newest pictures first again' }),
    allow_download: z.boolean().optional(),
    ...expiry,
  }),
  data: album,
  errors: ['forbidden', 'not_found'],
});

export const deleteAlbum = route({
  method: 'DELETE',
  path: '/albums/:id',
  access: 'user',
  summary: "Delete an album; its pictures are kept or, on request, the caller's own are moved to the trash",
  params: byId,
  query: z.object({ images: z.enum(['keep', 'trash']).default('keep') }),
  data: nothing,
  errors: ['forbidden', 'not_found'],
});

/** Ids in public links may be mistyped or cut off: a malformed one is not found, rather than invalid. */
const byPublicId = z.object({ id: asSent().meta({ description: 'Album ID' }) });

/** A protected album before its password is entered. */
const lockedPublicAlbum = z.object({ id: albumId, password_required: z.literal(true) });

/** An album as its visitors see it. */
export const openPublicAlbum = z.object({
  id: albumId,
  password_required: z.literal(false),
  name: z.string(),
  description: z.string(),
  image_count: count.meta({ description: 'Pictures that this visitor can open' }),
  limited_count: count.meta({ description: 'Other pictures, which have a view limit and open only with their own links' }),
  expires_at: instant.nullable().meta({ description: 'When its link ends for visitors; null: never' }),
  can_download: z.boolean().meta({ description: 'Whether this visitor may download all pictures at once' }),
  cover_url: z.string().nullable(),
  created_at: instant,
});
export type OpenPublicAlbum = z.infer<typeof openPublicAlbum>;

const publicAlbum = z.discriminatedUnion('password_required', [lockedPublicAlbum, openPublicAlbum]);
export type PublicAlbum = z.infer<typeof publicAlbum>;

/** A picture in a public album. */
export const publicAlbumImage = z.object({
  ...openShare.pick({ key: true, name: true, title: true, alt: true, ext: true, width: true, height: true }).shape,
  ...openShare.pick({ kind: true, duration: true, has_audio: true }).shape,
  url: z.string(),
  thumbnail_url: z.string(),
  share_url: z.string(),
});
export type PublicAlbumImage = z.infer<typeof publicAlbumImage>;

export const getPublicAlbum = route({
  method: 'GET',
  path: '/a/:id',
  access: 'open',
  summary: 'Get a public album',
  params: byPublicId,
  data: publicAlbum,
  errors: ['not_found', 'expired'],
});

export const listPublicAlbumImages = route({
  method: 'GET',
  path: '/a/:id/images',
  access: 'open',
  summary: 'List the pictures of a public album that this visitor can open, in its order, without those that have a view limit',
  params: byPublicId,
  query: pageQuery,
  data: page(publicAlbumImage),
  errors: ['password_required', 'not_found', 'expired'],
});

export const downloadAlbum = route({
  method: 'GET',
  path: '/a/:id/download',
  access: 'open',
  summary:
    'Download a zip of the pictures of a public album that this visitor can open, or of some of them, without those that have a view limit',
  params: byPublicId,
  query: z.object({ keys: keyList.optional().meta({ description: 'Only these: up to 500 comma-separated keys' }) }),
  binary: 'application/zip',
  errors: ['password_required', 'forbidden', 'not_found', 'expired', 'rate_limited'],
});

export const unlockAlbum = route({
  method: 'POST',
  path: '/a/:id/unlock',
  access: 'open',
  summary: 'Unlock a protected album in this browser for 24 hours, by cookie',
  params: byPublicId,
  body: unlockBody,
  data: openPublicAlbum,
  errors: ['wrong_password', 'cross_site', 'not_found', 'expired', 'rate_limited'],
});
