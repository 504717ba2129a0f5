import { z } from 'zod';
import { extOf, formatsWith } from '#api/formats.ts';
import { textLine } from '#api/images/text.ts';
import type { Call, Event } from './call.ts';
import { MAX_PASTED_BYTES } from './uploads.ts';

/** Characters of the marks on a draft. */
const MAX_MARKS = 20_000_000;

const id = z.string().max(100);
/** A picture that the page has drawn. */
const drawn = z.object({
  bytes: z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength > 0 && bytes.byteLength <= MAX_PASTED_BYTES),
  ext: z.enum(formatsWith('canvas').map(extOf)),
});

/** A picture that is uploaded only once the user sends it. */
const draft = z.object({
  id,
  name: z.string(),
  /** The file; absent if it can't be read, with the reason as a sentence for users. */
  bytes: z.instanceof(Uint8Array).optional(),
  problem: z.string().optional(),
  /** What is drawn on it, as the page kept it; null: nothing. */
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
  sendDraft: { pages: ['edit'], input: z.tuple([id, drawn.nullable(), z.boolean()]), output: z.undefined() },
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
