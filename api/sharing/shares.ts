import { z } from 'zod';
import { asSent, count, imageKey, instant, nothing, route } from '#api/contract.ts';
import { descriptions } from '#api/images/descriptions.ts';
import { imageLinks, videoFields } from '#api/images/images.ts';

/** Keys in public links may be mistyped or cut off: a malformed one is not found, rather than invalid. */
const byKey = z.object({ key: asSent().meta({ description: 'Picture key', examples: ['b7Rk2mQx9LpT'] }) });

/** A protected image before its password is entered. */
const lockedShare = z.object({ key: imageKey, password_required: z.literal(true) });

/** An image as its viewers see it. It never names its owner or album. */
export const openShare = z.object({
  key: imageKey,
  password_required: z.literal(false),
  name: z.string(),
  ...descriptions.shape,
  ext: z.string(),
  mime: z.string(),
  size: count,
  width: count,
  height: count,
  ...videoFields.shape,
  created_at: instant,
  expires_at: instant.nullable(),
  max_views: count.meta({ description: '0: unlimited' }),
  views_left: count.nullable().meta({ description: 'Null: unlimited' }),
  links: imageLinks.omit({ delete_url: true }),
});
export type OpenShare = z.infer<typeof openShare>;

const share = z.discriminatedUnion('password_required', [lockedShare, openShare]);
export type Share = z.infer<typeof share>;

export const getShare = route({
  method: 'GET',
  path: '/s/:key',
  access: 'open',
  summary: 'Get a shared picture; the header X-Image-Password unlocks a protected one',
  params: byKey,
  data: share,
  errors: ['wrong_password', 'not_found', 'expired', 'view_limit_reached', 'rate_limited'],
});

/** The password of an image or an album. */
export const unlockBody = z.object({ password: asSent(1024, 1) });

export const unlockShare = route({
  method: 'POST',
  path: '/s/:key/unlock',
  access: 'open',
  summary: 'Unlock a protected picture in this browser for 24 hours, by cookie',
  params: byKey,
  body: unlockBody,
  data: openShare,
  errors: ['wrong_password', 'cross_site', 'not_found', 'expired', 'view_limit_reached', 'rate_limited'],
});

const byDeletion = byKey.extend({ secret: asSent().meta({ description: 'The last part of `delete_url`' }) });

/** The image that a deletion link would delete. */
const deletion = z.object({
  key: imageKey,
  name: z.string(),
  ext: z.string(),
  size: count,
  width: count,
  height: count,
  created_at: instant,
  thumbnail_url: z.string().nullable().meta({ description: "Null if the caller can't see a preview" }),
  permanent: z.boolean().meta({ description: "True if it is deleted permanently instead of moved to its owner's trash" }),
});
export type Deletion = z.infer<typeof deletion>;

export const getDeletion = route({
  method: 'GET',
  path: '/delete/:key/:secret',
  access: 'open',
  summary: 'Get the picture that a deletion link would delete, without deleting it',
  params: byDeletion,
  data: deletion,
  errors: ['not_found'],
});

export const deleteBySecret = route({
  method: 'POST',
  path: '/delete/:key/:secret',
  access: 'open',
  summary: "Delete a picture by its deletion link: moves it to its owner's trash, or deletes a guest's upload permanently",
  params: byDeletion,
  data: nothing,
  errors: ['cross_site', 'not_found'],
});
