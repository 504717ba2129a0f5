import { z } from 'zod';
import { MAX_EXPIRES_IN, MAX_REQUEST_BYTES, MAX_REQUEST_FILES, MAX_SENDER_LENGTH, REQUEST_DEFAULTS } from '#api/constants.ts';
import {
  albumId,
  asSent,
  count,
  imageKey,
  instant,
  line,
  nothing,
  opaqueId,
  page,
  pageQuery,
  prose,
  requestId,
  route,
} from '#api/contract.ts';
import { FILE_ERRORS, senderFields, senderHeaders, uploadHeaders } from '#api/images/upload.ts';
import { unlockBody } from './shares.ts';

/** Which of the pictures that were sent through a request link its senders see. */
const requestShow = z.enum(['none', 'own', 'all']);

/** Why a request link takes no pictures. */
const state = z.enum(['open', 'paused', 'ended', 'full']);

const fields = {
  title: line(200, 1),
  message: prose(2_000),
  expires_in: z.int().min(0).max(MAX_EXPIRES_IN),
  max_files: z.int().min(1).max(MAX_REQUEST_FILES),
  max_bytes: z.int().min(1).max(MAX_REQUEST_BYTES).meta({ description: 'Of all pictures together' }),
  access_password: asSent(1024, 1).nullable(),
  show: requestShow.meta({
    description: 'What senders see of the pictures that were sent through this link, never of the rest of the album',
  }),
};

/** A request link as those who manage it see it. */
export const requestLink = z.object({
  id: requestId,
  url: z.string(),
  album_id: albumId,
  own: z.boolean().meta({ description: 'Whether the caller has created it; others can only pause, end or delete it' }),
  title: z.string(),
  message: z.string(),
  show: requestShow,
  has_password: z.boolean(),
  max_files: count,
  max_bytes: count,
  file_count: count.meta({
    description: 'Pictures that were sent. Those that their senders have removed count until they are deleted permanently',
  }),
  byte_count: count,
  state,
  expires_at: instant,
  created_at: instant,
});
export type RequestLink = z.infer<typeof requestLink>;

const ofAlbum = z.object({ id: albumId });
const ofRequest = ofAlbum.extend({ request: requestId });

export const createRequest = route({
  method: 'POST',
  path: '/albums/:id/requests',
  access: 'user',
  summary:
    'Create a link through which anyone can send pictures to this album. They are private, and count towards the quota of the caller',
  params: ofAlbum,
  body: z.object({
    title: fields.title,
    message: fields.message.optional(),
    expires_in: fields.expires_in.min(1).default(REQUEST_DEFAULTS.expires_in),
    max_files: fields.max_files.default(REQUEST_DEFAULTS.max_files),
    max_bytes: fields.max_bytes.default(REQUEST_DEFAULTS.max_bytes),
    access_password: fields.access_password.optional(),
    show: fields.show,
  }),
  data: requestLink,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const listRequests = route({
  method: 'GET',
  path: '/albums/:id/requests',
  access: 'user',
  summary: 'List the request links of an album, newest first',
  params: ofAlbum,
  query: pageQuery,
  data: page(requestLink),
  errors: ['forbidden', 'not_found'],
});

export const changeRequest = route({
  method: 'PATCH',
  path: '/albums/:id/requests/:request',
  access: 'user',
  summary:
    'Pause, resume, change or end a request link; `expires_in: 0` ends it, and a null password removes it. The owner of the album can pause or end those of its managers',
  params: ofRequest,
  body: z.object({ ...fields, paused: z.boolean() }).partial(),
  data: requestLink,
  errors: ['forbidden', 'not_found'],
});

export const deleteRequest = route({
  method: 'DELETE',
  path: '/albums/:id/requests/:request',
  access: 'user',
  summary: 'Delete a request link, with the record of who sent what; the pictures stay',
  params: ofRequest,
  data: nothing,
  errors: ['forbidden', 'not_found'],
});

/** What one sender has sent at once. */
const receivedBatch = z.object({
  id: opaqueId,
  request_id: requestId,
  album_id: albumId,
  title: z.string().meta({ description: 'Of the request link' }),
  from: z.string().meta({ description: 'The name that the sender has given; may be empty' }),
  keys: z.array(imageKey).meta({ description: 'Pictures that aren’t in the trash' }),
  received_at: instant,
  complete: z.boolean().meta({ description: 'False while the sender may still be sending' }),
});

export const listRequestBatches = route({
  method: 'GET',
  path: '/albums/:id/requests/:request/received',
  access: 'user',
  summary: 'List who sent which pictures through a request link, the latest first',
  params: ofRequest,
  query: pageQuery,
  data: page(receivedBatch),
  errors: ['forbidden', 'not_found'],
});

export const getReceived = route({
  method: 'GET',
  path: '/requests/received/:batch',
  access: 'user',
  summary: "Get what a sender has sent through one of the caller's request links; the event `request.received` names it",
  params: z.object({ batch: opaqueId }),
  data: receivedBatch,
  errors: ['not_found'],
});

/** Ids in public links may be mistyped or cut off: a malformed one is not found, rather than invalid. */
const byId = z.object({ id: asSent().meta({ description: 'ID of a request link' }) });
const byFile = byId.extend({ file: asSent().meta({ description: 'ID of a picture that was sent' }) });

const lockedRequest = z.object({ id: requestId, password_required: z.literal(true) });
const openRequest = z.object({
  id: requestId,
  password_required: z.literal(false),
  title: z.string(),
  message: z.string(),
  show: requestShow,
  accepts: z
    .object({ exts: z.array(z.string()), max_file_bytes: count, max_video_bytes: count, max_video_seconds: count })
    .meta({ description: '0: unlimited' }),
  files_left: count,
  bytes_left: count,
  expires_at: instant,
});
export type OpenRequest = z.infer<typeof openRequest>;
const publicRequest = z.discriminatedUnion('password_required', [lockedRequest, openRequest]);

export const getRequest = route({
  method: 'GET',
  path: '/r/:id',
  access: 'open',
  summary: 'Get what a request link asks for, and how much it still takes',
  params: byId,
  headers: senderHeaders,
  data: publicRequest,
  errors: ['not_found', 'request_closed'],
});

export const unlockRequest = route({
  method: 'POST',
  path: '/r/:id/unlock',
  access: 'open',
  summary: 'Unlock a protected request link in this browser for 24 hours, by cookie',
  params: byId,
  body: unlockBody,
  data: openRequest,
  errors: ['wrong_password', 'cross_site', 'not_found', 'request_closed', 'rate_limited'],
});

/** What a sender learns about a picture: neither its key nor its links. */
export const sentFile = z.object({
  name: z.string(),
  size: count,
  remove_url: z.string().nullable().meta({ description: 'A page that asks before it removes the picture. Null without `X-Sender`' }),
  remove_until: instant.nullable(),
});
export type SentFile = z.infer<typeof sentFile>;

export const sendPicture = route({
  method: 'POST',
  path: '/r/:id/upload',
  access: 'open',
  summary: 'Send one picture through a request link',
  multipart: true,
  files: { poster: 'For a video: a picture that stands for it' },
  params: byId,
  headers: uploadHeaders.extend(senderHeaders.shape),
  body: senderFields,
  data: sentFile,
  errors: [
    'damaged_image',
    'image_too_large',
    'video_too_long',
    'password_required',
    'cross_site',
    'not_found',
    'request_closed',
    'idempotency_conflict',
    'replaced',
    'deleted',
    ...FILE_ERRORS,
  ],
});

export const finishSending = route({
  method: 'POST',
  path: '/r/:id/done',
  access: 'open',
  summary: 'Tell the owner of a request link that this sender has sent everything. Two minutes without an upload do so as well',
  params: byId,
  headers: senderHeaders,
  body: z.object({
    from: line(MAX_SENDER_LENGTH)
      .optional()
      .meta({ description: 'The name of the sender, for everything that they have sent within the last 24 hours' }),
  }),
  data: z.object({ count: count.meta({ description: 'Pictures that the owner is told of' }) }),
  errors: ['cross_site', 'not_found'],
});

export const listSent = route({
  method: 'GET',
  path: '/r/:id/pictures',
  access: 'open',
  summary: 'List the pictures that a request link shows to this sender, the latest first',
  params: byId,
  query: pageQuery,
  headers: senderHeaders,
  data: page(
    z.object({
      id: requestId,
      own: z.boolean(),
      name: z.string().nullable().meta({ description: 'Null: another sender’s' }),
      thumbnail_url: z.string(),
    }),
  ),
  errors: ['password_required', 'not_found', 'request_closed'],
});

export const sentThumbnail = route({
  method: 'GET',
  path: '/r/:id/pictures/:file',
  access: 'open',
  summary: 'Get the thumbnail of a picture that a request link shows to this sender, 400 pixels at most',
  params: byFile,
  headers: senderHeaders,
  binary: 'image/jpeg',
  errors: ['password_required', 'not_found', 'request_closed'],
});

export const listOwnSent = route({
  method: 'GET',
  path: '/r/:id/remove',
  access: 'open',
  summary: 'List the pictures that this sender can still remove, the latest first, whatever the state of the link',
  params: byId,
  headers: senderHeaders,
  data: z.object({ items: z.array(sentFile) }),
  errors: ['not_found'],
});

export const getSent = route({
  method: 'GET',
  path: '/r/:id/remove/:file',
  access: 'open',
  summary: 'Get the picture that would be removed, without removing it',
  params: byFile,
  headers: senderHeaders,
  data: sentFile,
  errors: ['not_found'],
});

export const removeSentFile = route({
  method: 'POST',
  path: '/r/:id/remove/:file',
  access: 'open',
  summary: 'Remove a picture that this sender has sent within the last 24 hours: it moves to the trash of its owner',
  params: byFile,
  headers: senderHeaders,
  body: nothing,
  data: nothing,
  errors: ['cross_site', 'not_found', 'rate_limited'],
});
