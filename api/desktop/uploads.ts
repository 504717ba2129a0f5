import { z } from 'zod';
import type { Call, Event } from './call.ts';

/** One file in main's upload queue. `reason` is a sentence for users. */
const uploadEvent = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['queued', 'uploading', 'done', 'failed', 'discarded']),
  /** The image's key, once done. */
  key: z.string().optional(),
  reason: z.string().optional(),
});
export type UploadEvent = z.infer<typeof uploadEvent>;

/** One of the recent images in the tray. */
const recentUpload = z.object({
  key: z.string(),
  name: z.string(),
  /** In the preferred format. */
  link: z.string(),
  shareUrl: z.string(),
  thumbnailUrl: z.string(),
});

export const uploadCalls = {
  /** Adds files to main's queue, by absolute path; returns their ids there. */
  uploadPaths: { pages: ['app'], input: z.tuple([z.array(z.string().min(1).max(32_768)).max(10_000)]), output: z.array(z.string()) },
  retryUpload: { pages: ['app'], input: z.tuple([z.string().max(100)]), output: z.undefined() },
  discardUpload: { pages: ['app'], input: z.tuple([z.string().max(100)]), output: z.undefined() },
  getRecentUploads: { pages: ['app'], input: z.tuple([]), output: z.array(recentUpload) },
} as const satisfies Record<string, Call>;

export const uploadEvents = {
  uploadEvent: { pages: ['app'], payload: uploadEvent },
} as const satisfies Record<string, Event>;
