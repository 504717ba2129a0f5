import { z } from 'zod';
import { LINK_FORMATS } from './link-formats.ts';

// The contract between the desktop app's main process and its window. One map of calls and one of events: main parses with them,
// the preload script and the web application take their types from them.

/** How a copied link is written. */
export const linkFormat = z.enum(LINK_FORMATS);

/** What a person has chosen for this computer's app. */
export const preferences = z.object({
  linkFormat,
  /** Uploads the clipboard from anywhere, as an Electron accelerator; null: none. */
  shortcut: z.string().min(1).max(100).nullable(),
  /** Of tray, notifications and status page. */
  language: z.enum(['system', 'en', 'zh']),
  notifications: z.boolean(),
  /** Whether editors may upload through this computer's PicGo-compatible address. */
  editors: z.boolean(),
  editorVisibility: z.enum(['public', 'private']),
  /** Id of the album for pictures from editors; null: none. */
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
  /** False when another program holds the shortcut, or none is chosen. */
  shortcutActive: z.boolean(),
});

/** Why the service is not running. `detail` is a sentence for people, in English. */
export const serviceProblem = z.object({
  code: z.enum(['port_in_use', 'port_forbidden', 'data_folder', 'no_answer', 'ended', 'failed']),
  detail: z.string(),
});
export type ServiceProblem = z.infer<typeof serviceProblem>;

/** How the service, a process of its own, is doing. */
const serviceStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('starting') }),
  z.object({
    state: z.literal('running'),
    url: z.string().meta({ description: 'Where this computer reaches it' }),
    linkAddress: z.string().meta({ description: 'What links start with' }),
  }),
  z.object({
    state: z.literal('down'),
    problem: serviceProblem,
    retryAt: z.int().nullable().meta({ description: 'Milliseconds since 1970; null: not tried again by itself' }),
  }),
  z.object({ state: z.literal('stopped') }),
]);
export type ServiceStatus = z.infer<typeof serviceStatus>;

/** How the address for editors is doing. */
const editorsStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off') }),
  z.object({ state: z.literal('on'), url: z.string() }),
  /** `by`: whether what has the port answers like an uploader (PicGo, PicList), or is something else. */
  z.object({ state: z.literal('taken'), by: z.enum(['uploader', 'other']), port: z.int() }),
  z.object({ state: z.literal('failed'), detail: z.string() }),
]);
export type EditorsStatus = z.infer<typeof editorsStatus>;

/** One file on its way through main's uploader. `reason` is a sentence for people. */
const uploadEvent = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['queued', 'uploading', 'done', 'failed', 'discarded']),
  /** The picture's key, once done. */
  key: z.string().optional(),
  reason: z.string().optional(),
});
export type UploadEvent = z.infer<typeof uploadEvent>;

/** One of the latest pictures, as the tray lists them. */
const recentUpload = z.object({
  key: z.string(),
  name: z.string(),
  /** In the preferred format. */
  link: z.string(),
  shareUrl: z.string(),
  thumbnailUrl: z.string(),
});

/** `pages`: which pages may call; `status` is the packaged page that shows while the service is down. */
type Call = { pages: readonly ('app' | 'status')[]; input: z.ZodTuple; output: z.ZodType };

/** Everything that a page may ask of main. */
export const desktopCalls = {
  getVersion: { pages: ['app', 'status'], input: z.tuple([]), output: z.string() },
  copyText: { pages: ['app'], input: z.tuple([z.string().max(1_000_000)]), output: z.undefined() },
  /** Puts files of this computer into main's queue, by absolute path; answers their ids there. */
  uploadPaths: { pages: ['app'], input: z.tuple([z.array(z.string().min(1).max(32_768)).max(10_000)]), output: z.array(z.string()) },
  retryUpload: { pages: ['app'], input: z.tuple([z.string().max(100)]), output: z.undefined() },
  discardUpload: { pages: ['app'], input: z.tuple([z.string().max(100)]), output: z.undefined() },
  getRecentUploads: { pages: ['app'], input: z.tuple([]), output: z.array(recentUpload) },
  getPreferences: { pages: ['app', 'status'], input: z.tuple([]), output: preferencesAnswer },
  setPreferences: { pages: ['app'], input: z.tuple([preferences.partial()]), output: preferencesAnswer },
  /** Tries to have the port again when it was taken. */
  getEditorsStatus: { pages: ['app'], input: z.tuple([]), output: editorsStatus },
  getServiceStatus: { pages: ['app', 'status'], input: z.tuple([]), output: serviceStatus },
  retryService: { pages: ['app', 'status'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;

/** Everything that main tells its pages. */
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

/** What an IPC channel answers: errors cross it as sentences. */
export type CallAnswer<C extends DesktopCall> = { ok: true; value: CallOutput<C> } | { ok: false; message: string };

type Method<C extends DesktopCall> = (...input: CallInput<C>) => Promise<CallOutput<C>>;
type Subscribe<E extends DesktopEvent> = (listener: (payload: EventPayload<E>) => void) => () => void;

/**
 * `window.pixdock`: what the desktop app adds to the web application. Absent in a browser.
 * Only what a browser cannot do; a refusal rejects with an `Error` whose message is a sentence for people.
 */
export type DesktopBridge = { readonly [C in Exclude<DesktopCall, 'uploadPaths'>]: Method<C> } & {
  readonly platform: 'darwin' | 'linux' | 'win32';
  /** Hands files that came by drop or file dialog to main's queue, which survives this page; answers their ids. Pasted pictures have no path: upload those over HTTP. */
  readonly uploadFiles: (files: File[]) => Promise<string[]>;
  /** Returns what ends the subscription. */
  readonly onUploadEvent: Subscribe<'uploadEvent'>;
  readonly onServiceStatus: Subscribe<'serviceStatus'>;
};
