import { z } from 'zod';
import { accountCalls } from './account.ts';
import type { Call, Event } from './call.ts';
import { cardCalls, cardEvents } from './cards.ts';
import { draftCalls, draftEvents } from './drafts.ts';
import { editorCalls } from './editors.ts';
import { folderCalls, folderEvents } from './folders.ts';
import { joiningCalls, joiningEvents } from './joining.ts';
import { lanCalls, lanEvents } from './lan.ts';
import type { DesktopCall, DesktopEvent } from './names.ts';
import { preferenceCalls, preferenceEvents, preferences } from './preferences.ts';
import { recordingCalls, recordingEvents } from './recording.ts';
import { serviceCalls, serviceEvents } from './service.ts';
import { setupCalls } from './setup.ts';
import { startupCalls } from './startup.ts';
import { MAX_PASTED_BYTES, type UploadOptions, uploadCalls, uploadEvents, whoOpens } from './uploads.ts';

/** The least opacity of a pinned picture: a window that can't be seen can't be closed. */
const MIN_PIN_OPACITY = 0.2;

const id = z.uuid();
const png = z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength > 0 && bytes.byteLength <= MAX_PASTED_BYTES);
const side = z.int().min(1).max(65_535);
/** Device-independent pixels. */
const distance = z.int().min(-100_000).max(100_000);
/** A share of the window's width or height. */
const share = z.number().min(0).max(1);

/** A picture in a window above all others. */
const pin = z.object({
  name: z.string(),
  bytes: z.instanceof(Uint8Array),
  language: preferences.shape.language,
  /** False where windows can't be translucent. */
  canFade: z.boolean(),
});

const pinCalls = {
  /** Pins a PNG of this size in pixels. */
  pinPicture: {
    pages: ['edit'],
    input: z.tuple([z.string().min(1).max(255), png, z.object({ width: side, height: side })]),
    output: z.undefined(),
  },
  /** Null once it is closed. */
  getPin: { pages: ['pin'], input: z.tuple([id]), output: pin.nullable() },
  /** Moves the window by a distance: only main knows where it is. */
  movePin: { pages: ['pin'], input: z.tuple([id, z.strictObject({ x: distance, y: distance })]), output: z.undefined() },
  /** Resizes the window around a point of it; null: until a pixel of the picture is one of the screen. */
  resizePin: {
    pages: ['pin'],
    input: z.tuple([id, z.number().min(0.01).max(100).nullable(), z.strictObject({ x: share, y: share })]),
    output: z.undefined(),
  },
  fadePin: { pages: ['pin'], input: z.tuple([id, z.number().min(MIN_PIN_OPACITY).max(1)]), output: z.undefined() },
  closePin: { pages: ['pin'], input: z.tuple([id]), output: z.undefined() },
} as const satisfies Record<string, Call>;

/** Uploads whose result the user has been told. */
const delivery = z.object({
  /** In the preferred format; empty: nothing was uploaded. */
  links: z.string(),
  count: z.int(),
  /** Who can open them. */
  who: whoOpens,
  /** The same as a sentence. */
  opens: z.string(),
  failed: z.int(),
  /** Whether the links are on the clipboard. */
  copied: z.boolean(),
});

const dropCalls = {
  /** Uploads a picture from the internet by its address, such as one dragged from a browser. Resolves once it is uploaded or has failed. */
  uploadAddress: { pages: ['drop', 'joined'], input: z.tuple([z.url({ protocol: /^https?$/ }).max(2_048)]), output: z.undefined() },
  closeDropWindow: { pages: ['drop'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;

const dropEvents = {
  delivery: { pages: ['app', 'drop', 'edit', 'joined'], payload: delivery },
} as const satisfies Record<string, Event>;

// The contract between the desktop app's main process and its window. One map of calls and one of events: main parses with them,
// the preload script and the web application take their types from them. Each subject has a file in `desktop/`.

const appCalls = {
  getVersion: { pages: ['app', 'joined'], input: z.tuple([]), output: z.string() },
  copyText: { pages: ['app', 'drop', 'joined'], input: z.tuple([z.string().max(1_000_000)]), output: z.undefined() },
} as const satisfies Record<string, Call>;

/** Calls from pages to main. */
export const desktopCalls = {
  ...appCalls,
  ...uploadCalls,
  ...draftCalls,
  ...pinCalls,
  ...cardCalls,
  ...recordingCalls,
  ...dropCalls,
  ...preferenceCalls,
  ...editorCalls,
  ...folderCalls,
  ...accountCalls,
  ...startupCalls,
  ...lanCalls,
  ...serviceCalls,
  ...setupCalls,
  ...joiningCalls,
} as const satisfies Record<DesktopCall, Call>;

/** Events from main to its pages. */
export const desktopEvents = {
  ...uploadEvents,
  ...lanEvents,
  ...draftEvents,
  ...cardEvents,
  ...recordingEvents,
  ...preferenceEvents,
  ...dropEvents,
  ...serviceEvents,
  ...folderEvents,
  ...joiningEvents,
} as const satisfies Record<DesktopEvent, Event>;

export type CallInput<C extends DesktopCall> = z.input<(typeof desktopCalls)[C]['input']>;
export type CallParsed<C extends DesktopCall> = z.output<(typeof desktopCalls)[C]['input']>;
export type CallOutput<C extends DesktopCall> = z.output<(typeof desktopCalls)[C]['output']>;
export type EventPayload<E extends DesktopEvent> = z.output<(typeof desktopEvents)[E]['payload']>;

/** The result of a call over IPC, where errors are sentences. */
export type CallResult<C extends DesktopCall> = { ok: true; value: CallOutput<C> } | { ok: false; message: string };

type Methods = { readonly [C in Exclude<DesktopCall, 'uploadPaths' | 'uploadPasted'>]: (...input: CallInput<C>) => Promise<CallOutput<C>> };
/** Each returns a function that ends the subscription. */
type Subscriptions = {
  readonly [E in DesktopEvent as `on${Capitalize<E>}`]: (listener: (payload: EventPayload<E>) => void) => () => void;
};

/**
 * `window.pixdock`: functions that the desktop app adds to the web application, absent in a browser.
 * Failed calls reject with an `Error` whose message is a sentence for users.
 */
export interface DesktopBridge extends Methods, Subscriptions {
  readonly platform: 'darwin' | 'linux' | 'win32';
  /** Passes dropped, chosen or pasted files to main's queue, which survives this page and the app; returns their ids, in order. */
  readonly uploadFiles: (files: File[], options?: UploadOptions) => Promise<string[]>;
}
