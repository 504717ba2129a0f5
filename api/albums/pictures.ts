import { z } from 'zod';
import { MAX_BATCH } from '#api/constants.ts';
import { albumId, imageKey, instant, page, pageQuery, route, typed } from '#api/contract.ts';
import { batchOutcome, target, undo } from '#api/images/changes.ts';
import { IMAGE_SORTS, image, imageFilters } from '#api/images/images.ts';
import { openShare } from '#api/sharing/shares.ts';
import { person } from './albums.ts';

const byId = z.object({ id: albumId });

/** A picture of an album as those see it who share the album. It names neither tags nor views nor other albums. */
export const sharedImage = openShare.extend({
  taken_at: instant,
  thumbhash: z.string().nullable(),
  animated: z.boolean(),
  matched_text: image.shape.matched_text,
  text_snippet: image.shape.text_snippet,
  owner: person,
  added_by: person.nullable().meta({ description: 'Who added it to the album; null: an account that has been deleted' }),
});
export type SharedImage = z.infer<typeof sharedImage>;

export const listAlbumImages = route({
  method: 'GET',
  path: '/albums/:id/images',
  access: 'user',
  summary:
    'List the pictures of an album of the caller, or of one that is shared with them: their own, and those of others that they can open; without those that have a view limit. With `visibility`, `favourite` or `tag`, only their own',
  params: byId,
  query: pageQuery.extend({
    ...imageFilters.omit({ album_id: true, date: true }).shape,
    q: typed(300)
      .optional()
      .meta({ description: 'Parts of words in the name, title, caption or alternative text, dates, types and sizes, as in `GET /images`' }),
    sort: z.enum(['album_order', ...IMAGE_SORTS]).default('album_order'),
  }),
  data: page(sharedImage),
  errors: ['not_found'],
});

export const addToAlbum = route({
  method: 'POST',
  path: '/albums/:id/images',
  access: 'user',
  summary:
    "Add the caller's pictures to their own album, or as a contributor or manager to a shared one, up to 500 by `keys` or any number by `query`; they stay in their other albums",
  params: byId,
  body: z.object(target),
  data: batchOutcome,
  errors: ['forbidden', 'not_found'],
});

export const removeFromAlbum = route({
  method: 'POST',
  path: '/albums/:id/images/remove',
  access: 'user',
  summary:
    "Remove pictures from an album without deleting them. Members remove their own, managers by `keys` also others'; `query` finds the caller's own in this album",
  params: byId,
  body: z.object(target),
  data: batchOutcome,
  errors: ['forbidden', 'not_found'],
});

export const orderAlbumImages = route({
  method: 'POST',
  path: '/albums/:id/images/order',
  access: 'user',
  summary: 'Move pictures within an album, as its owner or a manager, in the order given, before another one or to the end',
  params: byId,
  body: z.object({
    keys: z.array(imageKey).min(1).max(MAX_BATCH),
    before: imageKey.nullable().meta({ description: 'The picture that will follow; null: to the end' }),
  }),
  data: z.object({ undo: undo.optional() }),
  errors: ['forbidden', 'not_found'],
});
