import { z } from 'zod';
import { linkFormat } from './desktop.ts';
import { formFields, uploaded } from './upload.ts';

// What `pixdock upload --clipboard` asks of the running desktop app, and what the app answers: JSON over HTTP on a private socket.

/** In the app's folder: who may look into it may use the socket. */
export const HANDOVER_FOLDER = 'handover';
/** In that folder: the address of the socket, for `http.request`'s `socketPath`. */
export const HANDOVER_ADDRESS = 'address';
export const CLIPBOARD_PATH = '/clipboard';

export const clipboardRequest = z.strictObject({
  /** How the links are written that replace the clipboard's content; default: as chosen in the app. */
  linkFormat: linkFormat.optional(),
  /** Name for the picture; the clipboard must then hold a single one. */
  name: z.string().min(1).max(1024).optional(),
  /** Id or name of an album. */
  album: z.string().min(1).max(1024).optional(),
  fields: formFields,
});
export type ClipboardRequest = z.infer<typeof clipboardRequest>;

/** Errors cross the socket as sentences, in English like the whole command line. */
export const clipboardAnswer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    uploaded: z.array(uploaded),
    failed: z.array(z.object({ name: z.string(), message: z.string() })),
    /** Whether the links are in the clipboard now. */
    copied: z.boolean(),
  }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type ClipboardAnswer = z.infer<typeof clipboardAnswer>;
