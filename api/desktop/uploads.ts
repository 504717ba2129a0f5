import { z } from 'zod';
import { imageKey } from '#api/contract.ts';
import { formFields } from '#api/images/upload.ts';
import type { Call, Event } from './call.ts';

/** The app's lists of uploads: drafts, which wait for the user, those that wait or run, those that have failed, and those that are done. */
export const uploadSection = z.enum(['draft', 'open', 'failed', 'done']);
export type UploadSection = z.infer<typeof uploadSection>;

/** What can be done with uploads: `discard` ends drafts and open ones, `dismiss` takes failed ones off the list, `forget` those that are done. */
export const uploadAction = z.enum(['retry', 'discard', 'dismiss', 'forget', 'pause', 'resume']);
export type UploadAction = z.infer<typeof uploadAction>;

const uploadSummary = z.object({
  drafts: z.int(),
  sending: z.int(),
  queued: z.int(),
  /** Paused one by one. */
  paused: z.int(),
  failed: z.int(),
  /** Meant for an account that isn't the one in use. */
  forOthers: z.int(),
  /** Listed as done: those of the last week. */
  done: z.int(),
  doneToday: z.int(),
  /** Since the app started; grows with each picture. */
  finished: z.int(),
  /** All of them are paused. */
  isPaused: z.boolean(),
  /** All of them wait for the service. */
  isWaiting: z.boolean(),
});
export type UploadSummary = z.infer<typeof uploadSummary>;

/** The uploads as a whole, and why they wait: a sentence for users. */
const uploadStatus = uploadSummary.extend({
  reason: z.string().optional(),
  /** The account on the hosted service that they go to, once known. */
  userId: z.int().optional(),
});
export type UploadStatus = z.infer<typeof uploadStatus>;

/** Who can open a link: only its owner, or those that `Reach` names. */
export const whoOpens = z.enum(['private', 'computer', 'network', 'internet']);

/** One upload. Times are in milliseconds since 1970. */
const upload = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['draft', 'queued', 'sending', 'waiting', 'paused', 'failed', 'done']),
  origin: z.enum(['app', 'editor', 'folder']),
  /** Bytes, where known. */
  size: z.number().optional(),
  sent: z.number().optional(),
  bytesPerSecond: z.number().optional(),
  /** A sentence for users: why it has failed, or waits. */
  reason: z.string().optional(),
  /** When it is tried again. */
  retryAt: z.number().optional(),
  addedAt: z.number(),
  endedAt: z.number().optional(),
  /** Whether something is drawn on a draft. */
  isMarked: z.boolean().optional(),
  /** Once done. */
  image: z
    .object({
      key: z.string(),
      link: z.string(),
      shareUrl: z.string(),
      thumbnailUrl: z.string(),
      /** Who can open the link. */
      who: whoOpens,
    })
    .optional(),
});
export type Upload = z.infer<typeof upload>;

const ids = z.array(z.string().max(100)).max(1_000);
const path = z.string().min(1).max(32_768);
/** What a page can ask for its files. */
const uploadOptions = z.object({
  fields: formFields.optional(),
  /** Whether the links are to be copied; default: yes. */
  copy: z.boolean().optional(),
  /** They were dropped on the drop window: they may become drafts. `inverted`: with the key that does the other thing. */
  dropped: z.object({ inverted: z.boolean() }).optional(),
});
export type UploadOptions = z.infer<typeof uploadOptions>;

/** Bytes of a pasted picture, which has no file. */
export const MAX_PASTED_BYTES = 256 * 1024 * 1024;

export const uploadCalls = {
  /** Adds files to main's queue, by absolute path, and the pictures in folders; returns their ids there. */
  uploadPaths: {
    pages: ['app', 'drop', 'joined'],
    input: z.tuple([z.array(path).max(10_000), uploadOptions.optional()]),
    output: z.array(z.string()),
  },
  /** Adds a pasted picture, which then survives the app. */
  uploadPasted: {
    pages: ['app', 'drop', 'joined'],
    input: z.tuple([
      z.object({
        name: z.string().min(1).max(255),
        bytes: z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength <= MAX_PASTED_BYTES),
      }),
      uploadOptions.optional(),
    ]),
    output: z.array(z.string()),
  },
  getUploadStatus: { pages: ['app', 'status', 'drop', 'joined'], input: z.tuple([]), output: uploadStatus },
  getUploads: {
    pages: ['app', 'joined'],
    input: z.tuple([z.object({ section: uploadSection, limit: z.int().min(1).max(200), offset: z.int().min(0) })]),
    output: z.object({ items: z.array(upload), total: z.int() }),
  },
  changeUploads: { pages: ['app', 'joined'], input: z.tuple([uploadAction, z.union([z.literal('all'), ids])]), output: z.undefined() },
  /** A small thumbnail of a picture on the joined host, as a `data:` address; null where only its owner may see one. */
  getThumbnail: { pages: ['joined'], input: z.tuple([imageKey]), output: z.string().nullable() },
  /** Pauses or resumes all uploads. */
  pauseUploads: { pages: ['app', 'joined'], input: z.tuple([z.boolean()]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const uploadEvents = {
  /** At most four a second. */
  uploadStatus: { pages: ['app', 'status', 'drop', 'joined'], payload: uploadStatus },
} as const satisfies Record<string, Event>;
