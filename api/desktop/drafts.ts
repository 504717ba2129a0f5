import { z } from 'zod';
import { extOf, formatsWith } from '#api/formats.ts';
import { textLine } from '#api/images/text.ts';
import type { Call, Event } from './call.ts';
import { MAX_PASTED_BYTES } from './uploads.ts';

/** Characters of the marks on a draft. */
const MAX_MARKS = 20_000_000;

const id = z.string().max(100);
/** A picture that the page has drawn, or an animation that it has made of a video. */
const drawn = z.object({
  bytes: z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength > 0 && bytes.byteLength <= MAX_PASTED_BYTES),
  ext: z.enum([...formatsWith('canvas').map(extOf), extOf('gif')]),
});

/** Bytes of a video that one call reads or writes. */
export const MAX_VIDEO_PART = 4 * 1024 * 1024;
const part = z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength <= MAX_VIDEO_PART);
const MAX_POSTER_BYTES = 16 * 1024 * 1024;
const sentVideo = z.object({
  /** Whether the page has written a file that takes the place of the draft's own. */
  isWritten: z.boolean(),
  /** A JPEG that stands for it. */
  poster: z
    .instanceof(Uint8Array)
    .refine((bytes) => bytes.byteLength <= MAX_POSTER_BYTES)
    .optional(),
});

/** How a video is sent. */
export type SentVideo = z.infer<typeof sentVideo>;

/** A picture or video that is uploaded only once the user sends it. */
const draft = z.object({
  id,
  name: z.string(),
  /** The file of a picture. Without this and the next, it can't be read, and the reason is a sentence for users. */
  bytes: z.instanceof(Uint8Array).optional(),
  /** The address at which the window plays a video, and the bytes of its file, which is read in parts. */
  video: z.object({ address: z.string(), size: z.int() }).optional(),
  problem: z.string().optional(),
  /** What is drawn on it, or how a video is cut, as the page kept it; null: nothing. */
  marks: z.string().nullable(),
  /** Drafts that follow once this one is sent, discarded or closed. */
  following: z.int(),
  /** False where windows can't stay on top (Wayland). */
  canPin: z.boolean(),
  /** False in a joined app: the text is recognised by the service on this computer. */
  readsText: z.boolean(),
});
export type Draft = z.infer<typeof draft>;

export const draftCalls = {
  /** Opens a draft in its window. */
  openDraft: { pages: ['app', 'joined'], input: z.tuple([id]), output: z.undefined() },
  /** Uploads a draft from the list. One that is open or drawn on is opened in its window instead, which has what is drawn. */
  sendListedDraft: { pages: ['app', 'joined'], input: z.tuple([id]), output: z.undefined() },
  /** A small JPEG of a draft; of one that is drawn on, its own file and what is drawn. Null where there is none. */
  getDraftThumbnail: {
    pages: ['app', 'joined'],
    input: z.tuple([id]),
    output: z.object({ bytes: z.instanceof(Uint8Array), marks: z.string().nullable() }).nullable(),
  },
  /** The draft that the window shows; null: none. */
  getDraft: { pages: ['edit'], input: z.tuple([]), output: draft.nullable() },
  /** Keeps what is drawn on a draft; null: nothing. Resolves once a crash can't lose it. */
  keepMarks: { pages: ['edit'], input: z.tuple([id, z.string().max(MAX_MARKS).nullable()]), output: z.undefined() },
  /**
   * Uploads a draft and copies its link. Another picture, drawn from it, takes its place; null: it is sent as it is. `true`: the user then chooses
   * to whom on the server it is sent.
   */
  sendDraft: { pages: ['edit'], input: z.tuple([id, z.union([drawn, sentVideo]).nullable(), z.boolean()]), output: z.undefined() },
  /** Reads a part of a draft's file, up to the second position. */
  readDraftPart: { pages: ['edit'], input: z.tuple([id, z.int().min(0), z.int().min(0)]), output: part },
  /** Begins another file for a draft's video, with this extension. What was written before is removed. */
  beginDraftFile: { pages: ['edit'], input: z.tuple([id, z.enum(formatsWith('video').map(extOf))]), output: z.undefined() },
  writeDraftPart: { pages: ['edit'], input: z.tuple([id, z.int().min(0), part]), output: z.undefined() },
  /** Asks where to save a draft's own file, or the one that the page has written, and whether it was saved. */
  saveDraftFile: { pages: ['edit'], input: z.tuple([id, z.boolean()]), output: z.boolean() },
  /** Copies a PNG. */
  copyPicture: { pages: ['edit'], input: z.tuple([drawn.shape.bytes]), output: z.undefined() },
  /** Asks where to save a picture, and whether it was saved. */
  savePicture: { pages: ['edit'], input: z.tuple([z.string().min(1).max(255), drawn.shape.bytes]), output: z.boolean() },
  /** The text in a draft, recognised on this computer. */
  readDraftText: { pages: ['edit'], input: z.tuple([id]), output: z.array(textLine) },
  /** Removes a draft and what is drawn on it. */
  discardDraft: { pages: ['edit'], input: z.tuple([id]), output: z.undefined() },
  /** Closes the window; drafts stay listed among the uploads. */
  closeDraft: { pages: ['edit'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const draftEvents = {
  /** The window shows another draft, or none. */
  draftChanged: { pages: ['edit'], payload: z.null() },
} as const satisfies Record<string, Event>;
