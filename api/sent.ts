import { z } from 'zod';
import { person } from '#api/albums/albums.ts';
import { sharedImage } from '#api/albums/pictures.ts';
import { MAX_BATCH, MAX_NAMED_RECIPIENTS, MAX_PAGE, MAX_SENT, MAX_SENT_MESSAGE } from '#api/constants.ts';
import { albumId, count, imageKey, instant, line, nothing, page, pageQuery, prose, route, sentId } from '#api/contract.ts';

/** A picture that was sent, as its recipients see it. */
export const sentImage = sharedImage.omit({ added_by: true, matched_text: true, text_snippet: true });
export type SentImage = z.infer<typeof sentImage>;

const seenAt = instant.nullable();

/** Pictures that one user has sent to others. */
const sent = z.object({
  id: sentId,
  sender: person,
  recipients: z
    .array(person.extend({ seen_at: seenAt }))
    .optional()
    .meta({ description: 'In the sender’s list only: to whom, and when each has seen it' }),
  message: z.string(),
  created_at: instant,
  seen_at: seenAt.meta({ description: 'When the caller has seen it; null: not yet, or it is theirs' }),
  image_count: count.meta({
    description: 'The number of pictures that were sent; recipients get no `items` for those that are deleted, locked or view-limited',
  }),
  items: z.array(sentImage),
});
export type Sent = z.infer<typeof sent>;

export const send = route({
  method: 'POST',
  path: '/sent',
  access: 'user',
  summary: `Send the caller's pictures, up to ${MAX_BATCH}, to users of this server, by their exact names or by a listed group, which means those who are in it now. Recipients can open them, private ones as well. The latest ${MAX_SENT} are kept`,
  body: z.object({
    keys: z.array(imageKey).min(1).max(MAX_BATCH),
    to: z
      .array(z.union([z.strictObject({ username: line(200, 1) }), z.strictObject({ group_id: count })]))
      .min(1)
      .max(MAX_NAMED_RECIPIENTS),
    message: prose(MAX_SENT_MESSAGE).default(''),
  }),
  data: sent,
  errors: ['not_found', 'rate_limited'],
});

export const listSent = route({
  method: 'GET',
  path: '/sent',
  access: 'user',
  deviceScope: true,
  summary:
    'List what was sent to the caller (`in`) or what they have sent (`out`), the latest first. A page has fewer entries than `limit` where these have many pictures or recipients',
  query: pageQuery.extend({
    box: z.enum(['in', 'out']),
    limit: z.coerce.number().int().min(0).max(MAX_PAGE).default(50).meta({ description: '0: only `unseen`' }),
  }),
  data: page(sent).extend({ unseen: count.meta({ description: 'What was sent to the caller and they haven’t seen' }) }),
});

const byId = z.object({ id: sentId });

export const markSeen = route({
  method: 'POST',
  path: '/sent/:id/seen',
  access: 'user',
  summary: 'Tell the sender that the caller has seen what was sent to them',
  params: byId,
  data: nothing,
  errors: ['not_found'],
});

export const removeSent = route({
  method: 'DELETE',
  path: '/sent/:id',
  access: 'user',
  summary: 'As the sender, take pictures back from everyone at once; as a recipient, remove them from one’s own list',
  params: byId,
  data: nothing,
  errors: ['not_found'],
});

const inAlbum = z.object({ id: albumId });

export const listReceived = route({
  method: 'GET',
  path: '/albums/:id/received',
  access: 'user',
  summary:
    'List the pictures that were sent to the caller and that they have put into an album of theirs, the latest first. Nobody else sees these in it, and they leave it with what was sent',
  params: inAlbum,
  query: pageQuery,
  data: page(sentImage),
  errors: ['forbidden', 'not_found'],
});

export const addReceived = route({
  method: 'POST',
  path: '/albums/:id/received',
  access: 'user',
  summary: 'Put pictures that were sent to the caller into an album of theirs, where only they see them',
  params: inAlbum,
  body: z.object({ sent_id: sentId, keys: z.array(imageKey).min(1).max(MAX_BATCH) }),
  data: nothing,
  errors: ['forbidden', 'not_found'],
});

export const removeReceived = route({
  method: 'DELETE',
  path: '/albums/:id/received/:key',
  access: 'user',
  summary: 'Take a picture that was sent to the caller out of an album of theirs; it stays among what was sent to them',
  params: inAlbum.extend({ key: imageKey }),
  data: nothing,
  errors: ['forbidden', 'not_found'],
});
