import { z } from 'zod';
import { MAX_ALBUMS_AT_ONCE } from '#api/constants.ts';
import { formFields, uploadResult } from '#api/images/upload.ts';
import { CAPTURE_DELAYS, CAPTURE_MODES, RECORDING_TARGETS } from './capture.ts';
import { linkFormat, linkTemplate } from './preferences.ts';

// Requests and responses of `pixdock upload --clipboard`, `--capture` and `--record`, which the running desktop app carries out: JSON over HTTP on a
// private socket.

/** In the app's folder; its permissions guard the socket. */
export const HANDOVER_FOLDER = 'handover';
/** In that folder: the socket's address, for `socketPath` of `http.request`. */
export const HANDOVER_ADDRESS = 'address';
export const CLIPBOARD_PATH = '/clipboard';
export const CAPTURE_PATH = '/capture';
export const RECORD_PATH = '/record';

export const clipboardRequest = z.strictObject({
  /** Format of the links that replace the clipboard's content; default: the app's preference. */
  linkFormat: linkFormat.optional(),
  /** Replaces the format: the text of each link. */
  linkTemplate: linkTemplate.optional(),
  /** Name for the image; the clipboard must then hold a single one. */
  name: z.string().min(1).max(1024).optional(),
  /** Ids or names of albums, `owner/name` for another user's. */
  albums: z.array(z.string().min(1).max(1024)).min(1).max(MAX_ALBUMS_AT_ONCE).optional(),
  fields: formFields,
});
export type ClipboardRequest = z.infer<typeof clipboardRequest>;

export const captureRequest = clipboardRequest.extend({
  mode: z.enum(CAPTURE_MODES).default('region'),
  delay: z.literal(CAPTURE_DELAYS).default(0),
});
export type CaptureRequest = z.infer<typeof captureRequest>;

/** Starts a recording, or stops the one that runs. */
export const recordRequest = z.strictObject({ target: z.enum(RECORDING_TARGETS).default('region') });
export type RecordRequest = z.infer<typeof recordRequest>;

/** Errors and notes are sentences, in English like the command line. */
export const clipboardResponse = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    uploaded: z.array(uploadResult),
    failed: z.array(z.object({ name: z.string(), message: z.string() })),
    /** Whether the links were copied to the clipboard. */
    copied: z.boolean(),
    /** What the user should know, such as whose album it is. */
    notes: z.array(z.string()).optional(),
    /** The user cancelled the capture. */
    cancelled: z.boolean().optional(),
    /** A recording has started, or is a draft that the user looks at first. */
    recording: z.enum(['started', 'draft']).optional(),
  }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type ClipboardResponse = z.infer<typeof clipboardResponse>;
