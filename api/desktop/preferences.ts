import { z } from 'zod';
import { CONVERSIONS, MAX_ALBUMS_AT_ONCE } from '#api/constants.ts';
import { asSent } from '#api/contract.ts';
import { DESKTOP_LINK_FORMATS, type LinkStyle, SEPARATORS } from '#api/sharing/link-formats.ts';
import { DEFAULT_TEMPLATE, MAX_TEMPLATE_LENGTH } from '#api/sharing/link-template.ts';
import type { Call, Event } from './call.ts';
import { CAPTURE_DELAYS, CARD_CORNERS, CARD_SECONDS, COUNTDOWNS, FRAME_RATES } from './capture.ts';
import { DEFAULT_COPY_NAME, MAX_COPY_NAME_LENGTH } from './copy-name.ts';

/** The format of copied links. */
export const linkFormat = z.enum(DESKTOP_LINK_FORMATS);
/** The text of links in the format `custom`. */
export const linkTemplate = asSent(MAX_TEMPLATE_LENGTH).refine((text) => text.trim() !== '');

/** What is on the clipboard after an upload: text, a picture, or both in one item. */
const copiedContent = z.enum(['link', 'picture', 'both']);
export type CopiedContent = z.infer<typeof copiedContent>;

/** What a click on the tray icon does; on macOS it opens the menu. */
const trayClick = z.enum(['open', 'upload', 'capture', 'drop']);
export type TrayClick = z.infer<typeof trayClick>;

/** What happens to a new picture: `edit` and `ask` upload nothing before the user says so. */
export const afterCapture = z.enum(['upload', 'edit', 'ask']);
export type AfterCapture = z.infer<typeof afterCapture>;

/** A combination of keys, as Electron writes it. */
export const accelerator = z.string().min(1).max(100);

/** The user's preferences for the app on this computer. */
export const preferences = z.object({
  /** What is copied once a picture is uploaded; of several pictures, always the links. */
  copied: copiedContent,
  linkFormat,
  linkTemplate,
  /** Between the links of several images. */
  linkSeparator: z.enum(Object.keys(SEPARATORS) as (keyof typeof SEPARATORS)[]),
  /** Global shortcut that uploads the clipboard, as an Electron accelerator; null: none. */
  shortcut: accelerator.nullable(),
  /** Global shortcut that captures a part of the screen and uploads it; null: none. */
  captureShortcut: accelerator.nullable(),
  /** Global shortcut that starts and stops a recording; null: none. */
  recordShortcut: accelerator.nullable(),
  /** Before captures from the tray and by the shortcut. */
  captureDelay: z.literal(CAPTURE_DELAYS),
  /** Whether each picture that is copied is uploaded automatically. */
  watchClipboard: z.boolean(),
  /** After a capture of the screen. */
  afterCapture,
  /** After pictures from the clipboard, by the shortcut or automatically. */
  afterClipboard: afterCapture,
  /** After drops on the drop window. */
  afterDrop: afterCapture,
  /** After a recording of the screen. */
  afterRecording: afterCapture,
  recordFrames: z.literal(FRAME_RATES),
  /** Whether recordings show the pointer, and which sound they have. */
  recordPointer: z.boolean(),
  recordMicrophone: z.boolean(),
  recordSound: z.boolean(),
  recordCountdown: z.literal(COUNTDOWNS),
  /** What uploads are converted to, unless the page has asked for it. Watch folders and editors have their own. */
  convert: z.enum(CONVERSIONS),
  /** Which uploads are also saved to a folder of this computer: none, what exists nowhere else, or all but those from watch folders. */
  localCopy: z.enum(['none', 'captures', 'uploads']),
  /** Absolute path; null: the usual one. Only main sets it, to what the user chose: a page could write anywhere. */
  localCopyFolder: z.string().max(4096).nullable(),
  /** What copies are called, with placeholders (`copy-name.ts`). */
  localCopyName: asSent(MAX_COPY_NAME_LENGTH).refine((text) => text.trim() !== ''),
  trayClick,
  /** Language of tray, notifications and status page. */
  language: z.enum(['system', 'en', 'zh']),
  /** Colours of all windows. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Notifications about uploads that arrived. */
  notifications: z.boolean(),
  failureNotifications: z.boolean(),
  /** About uploads from watch folders, also failed ones. */
  folderNotifications: z.boolean(),
  /** What is shown on a card in a corner of the screen, in place of a notification: captures, other uploads, and those from watch folders. */
  captureCards: z.boolean(),
  uploadCards: z.boolean(),
  folderCards: z.boolean(),
  cardCorner: z.enum(CARD_CORNERS),
  /** 0: until it is closed. */
  cardSeconds: z.literal(CARD_SECONDS),
  /** Whether the service listens for other devices on the local network. */
  lan: z.boolean(),
  /** Keeps the computer awake while pictures are shared on the network, on mains power. */
  keepAwake: z.boolean(),
  /** Whether editors can upload through the PicGo-compatible address. */
  editors: z.boolean(),
  editorVisibility: z.enum(['public', 'private']),
  editorConvert: z.enum(CONVERSIONS),
  /** Ids of the albums for images from editors. */
  editorAlbums: z.array(z.string().min(1).max(100)).max(MAX_ALBUMS_AT_ONCE),
  /** Id of the account that the app uploads with; null: the owner. */
  account: z.int().positive().nullable(),
});
export type Preferences = z.infer<typeof preferences>;
export const DEFAULT_PREFERENCES: Preferences = {
  copied: 'link',
  linkFormat: 'url',
  linkTemplate: DEFAULT_TEMPLATE,
  linkSeparator: 'newline',
  shortcut: 'CommandOrControl+Shift+U',
  captureShortcut: null,
  recordShortcut: null,
  captureDelay: 0,
  watchClipboard: false,
  afterCapture: 'upload',
  afterClipboard: 'upload',
  afterDrop: 'upload',
  afterRecording: 'edit',
  recordFrames: 30,
  recordPointer: true,
  recordMicrophone: false,
  recordSound: false,
  recordCountdown: 3,
  convert: 'original',
  localCopy: 'none',
  localCopyFolder: null,
  localCopyName: DEFAULT_COPY_NAME,
  trayClick: 'open',
  language: 'system',
  theme: 'system',
  notifications: true,
  failureNotifications: true,
  folderNotifications: true,
  captureCards: true,
  uploadCards: false,
  folderCards: false,
  cardCorner: 'bottom-right',
  cardSeconds: 10,
  lan: false,
  keepAwake: false,
  editors: true,
  editorVisibility: 'public',
  editorConvert: 'original',
  editorAlbums: [],
  account: null,
};

/** How the user wants links to be written. */
export function linkStyleOf({ linkFormat, linkTemplate, linkSeparator }: Preferences): LinkStyle {
  return { format: linkFormat, template: linkTemplate, separator: linkSeparator };
}

/**
 * `refused`: another program holds the shortcut, or it's invalid. Under Wayland the system doesn't tell: `unchecked`; `unknown` when it can't
 * know the key; `unsupported` when the desktop offers apps no shortcuts at all.
 */
export const shortcutState = z.enum(['none', 'active', 'refused', 'unchecked', 'unknown', 'unsupported']);
export type ShortcutState = z.infer<typeof shortcutState>;

const preferencesState = z.object({
  ...preferences.shape,
  shortcutState,
  captureShortcutState: shortcutState,
  recordShortcutState: shortcutState,
  /** Whether shortcuts can only have keys that the desktop's portal knows (Wayland). */
  portalShortcuts: z.boolean(),
  /** False where the system doesn't let apps in the background read the clipboard (Wayland). */
  clipboardWatchable: z.boolean(),
  /** False where apps in the background can copy only text (Wayland). */
  canCopyPictures: z.boolean(),
  /** Whether programs are missing with which the app uses the clipboard in the background (wl-clipboard, under Wayland). */
  lacksClipboardPrograms: z.boolean(),
  /** Where local copies are saved. */
  localCopyPlace: z.string(),
  /** False where apps can neither keep a window on top nor choose its place (Wayland). */
  canFloat: z.boolean(),
  /** Whether the system lets apps record what the computer plays. */
  canRecordSound: z.boolean(),
});

const preferenceChange = preferences.omit({ localCopyFolder: true }).partial().strict();
export type PreferenceChange = z.infer<typeof preferenceChange>;

export const preferenceCalls = {
  getPreferences: { pages: ['app', 'status', 'joined', 'drop', 'edit'], input: z.tuple([]), output: preferencesState },
  setPreferences: { pages: ['app', 'joined'], input: z.tuple([preferenceChange]), output: preferencesState },
  /** Lets the user choose the folder of local copies. */
  chooseCopyFolder: { pages: ['app', 'joined'], input: z.tuple([]), output: preferencesState },
} as const satisfies Record<string, Call>;

export const preferenceEvents = {
  languageChanged: { pages: ['joined', 'edit', 'drop', 'pin'], payload: preferences.shape.language },
} as const satisfies Record<string, Event>;
