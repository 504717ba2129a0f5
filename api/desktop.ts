import { z } from 'zod';
import { LINK_FORMATS } from './link-formats.ts';

// The contract between the desktop app's main process and its window. One map of calls and one of events: main parses with them,
// the preload script and the web application take their types from them.

/** The format of copied links. */
export const linkFormat = z.enum(LINK_FORMATS);

/** The user's preferences for the app on this computer. */
export const preferences = z.object({
  linkFormat,
  /** Global shortcut that uploads the clipboard, as an Electron accelerator; null: none. */
  shortcut: z.string().min(1).max(100).nullable(),
  /** Language of tray, notifications and status page. */
  language: z.enum(['system', 'en', 'zh']),
  notifications: z.boolean(),
  /** Whether editors can upload through the PicGo-compatible address. */
  editors: z.boolean(),
  editorVisibility: z.enum(['public', 'private']),
  /** Id of the album for images from editors; null: none. */
  editorAlbum: z.string().min(1).max(100).nullable(),
});
export type Preferences = z.infer<typeof preferences>;
export const DEFAULT_PREFERENCES: Preferences = {
  linkFormat: 'url',
  shortcut: 'CommandOrControl+Shift+U',
  language: 'system',
  notifications: true,
  editors: true,
  editorVisibility: 'public',
  editorAlbum: null,
};

const preferencesAnswer = z.object({
  ...preferences.shape,
  /** False if another program holds the shortcut, or none is set. */
  shortcutActive: z.boolean(),
});

/** Why the service isn't running. `detail` is an English sentence for users. */
export const serviceProblem = z.object({
  code: z.enum(['port_in_use', 'port_forbidden', 'data_folder', 'no_answer', 'ended', 'failed']),
  detail: z.string(),
});
export type ServiceProblem = z.infer<typeof serviceProblem>;

/** The state of the service process. */
const serviceStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting') }),
  z.object({
    state: z.literal('running'),
    url: z.string().meta({ description: 'Its address on this computer' }),
    linkAddress: z.string().meta({ description: 'The start of every link' }),
  }),
  z.object({
    state: z.literal('down'),
    problem: serviceProblem,
    retryAt: z.int().nullable().meta({ description: 'Milliseconds since 1970; null: not restarted automatically' }),
  }),
  z.object({ state: z.literal('stopped') }),
]);
export type ServiceStatus = z.infer<typeof serviceStatus>;

/** The state of the address for editors. */
const editorsStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('on'), url: z.string() }),
  /** `by`: whether the program on the port responds like an uploader (PicGo, PicList). */
  z.object({ state: z.literal('taken'), by: z.enum(['uploader', 'other']), port: z.int() }),
  z.object({ state: z.literal('failed'), detail: z.string() }),
]);
export type EditorsStatus = z.infer<typeof editorsStatus>;

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

/** `pages`: the pages that may call; `status` is the packaged page shown while the service is down. */
type Call = { pages: readonly ('app' | 'status')[]; input: z.ZodTuple; output: z.ZodType };

/** Calls from pages to main. */
export const desktopCalls = {
  getVersion: { pages: ['app', 'status'], input: z.tuple([]), output: z.string() },
  copyText: { pages: ['app'], input: z.tuple([z.string().max(1_000_000)]), output: z.undefined() },
  /** Adds files to main's queue, by absolute path; returns their ids there. */
  uploadPaths: { pages: ['app'], input: z.tuple([z.array(z.string().min(1).max(32_768)).max(10_000)]), output: z.array(z.string()) },
  retryUpload: { pages: ['app'], input: z.tuple([z.string().max(100)]), output: z.undefined() },
  discardUpload: { pages: ['app'], input: z.tuple([z.string().max(100)]), output: z.undefined() },
  getRecentUploads: { pages: ['app'], input: z.tuple([]), output: z.array(recentUpload) },
  getPreferences: { pages: ['app', 'status'], input: z.tuple([]), output: preferencesAnswer },
  setPreferences: { pages: ['app'], input: z.tuple([preferences.partial()]), output: preferencesAnswer },
  /** Tries the port again if it was taken. */
  getEditorsStatus: { pages: ['app'], input: z.tuple([]), output: editorsStatus },
  getServiceStatus: { pages: ['app', 'status'], input: z.tuple([]), output: serviceStatus },
  retryService: { pages: ['app', 'status'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;

/** Events from main to its pages. */
export const desktopEvents = {
  uploadEvent: { pages: ['app'], payload: uploadEvent },
  serviceStatus: { pages: ['app', 'status'], payload: serviceStatus },
} as const;

export type DesktopCall = keyof typeof desktopCalls;
export type DesktopEvent = keyof typeof desktopEvents;
export type CallInput<C extends DesktopCall> = z.input<(typeof desktopCalls)[C]['input']>;
export type CallParsed<C extends DesktopCall> = z.output<(typeof desktopCalls)[C]['input']>;
export type CallOutput<C extends DesktopCall> = z.output<(typeof desktopCalls)[C]['output']>;
export type EventPayload<E extends DesktopEvent> = z.output<(typeof desktopEvents)[E]['payload']>;

/** The result of a call over IPC, where errors are sentences. */
export type CallAnswer<C extends DesktopCall> = { ok: true; value: CallOutput<C> } | { ok: false; message: string };

type Method<C extends DesktopCall> = (...input: CallInput<C>) => Promise<CallOutput<C>>;
type Subscribe<E extends DesktopEvent> = (listener: (payload: EventPayload<E>) => void) => () => void;

/**
 * `window.pixdock`: functions that the desktop app adds to the web application, absent in a browser.
 * Failed calls reject with an `Error` whose message is a sentence for users.
 */
export type DesktopBridge = { readonly [C in Exclude<DesktopCall, 'uploadPaths'>]: Method<C> } & {
  readonly platform: 'darwin' | 'linux' | 'win32';
  /** Passes dropped or chosen files to main's queue, which survives this page; returns their ids. Pasted images have no path: upload those over HTTP. */
  readonly uploadFiles: (files: File[]) => Promise<string[]>;
  /** Returns a function that ends the subscription. */
  readonly onUploadEvent: Subscribe<'uploadEvent'>;
  readonly onServiceStatus: Subscribe<'serviceStatus'>;
};
