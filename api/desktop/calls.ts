import { z } from 'zod';
import { accountCalls } from './account.ts';
import type { Call, Event } from './call.ts';
import { draftCalls, draftEvents } from './drafts.ts';
import { dropCalls, dropEvents } from './drop.ts';
import { editorCalls } from './editors.ts';
import { folderCalls, folderEvents } from './folders.ts';
import { joiningCalls, joiningEvents } from './joining.ts';
import { lanCalls, lanEvents } from './lan.ts';
import type { DesktopCall, DesktopEvent } from './names.ts';
import { pinCalls } from './pins.ts';
import { preferenceCalls, preferenceEvents } from './preferences.ts';
import { serviceCalls, serviceEvents } from './service.ts';
import { setupCalls } from './setup.ts';
import { startupCalls } from './startup.ts';
import { type UploadOptions, uploadCalls, uploadEvents } from './uploads.ts';

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
