import { z } from 'zod';
import { CONVERSIONS, MAX_ALBUMS_AT_ONCE } from '#api/constants.ts';
import { visibility } from '#api/images/upload.ts';
import type { Call, Event } from './call.ts';
import { afterCapture } from './preferences.ts';

const path = z.string().min(1).max(32_768);
const id = z.string().min(1).max(100);
/** Like those of `.gitignore`, relative to the folder. */
const patterns = z.array(z.string().trim().min(1).max(500)).max(50);

/** What a watch folder takes, and what happens to its pictures. */
export const folderOptions = z.object({
  recursive: z.boolean(),
  /** Empty: every file with a picture's extension. */
  include: patterns,
  ignore: patterns,
  /** Whether pictures that are already in the folder are uploaded too. */
  existing: z.boolean(),
  album: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('fixed'), ids: z.array(z.string().min(1).max(100)).min(1).max(MAX_ALBUMS_AT_ONCE) }),
    /** One per subfolder, named after it and created when missing. */
    z.object({ kind: z.literal('perFolder') }),
  ]),
  visibility,
  /** What its pictures are converted to. Journals of release 0.4 lack it. */
  convert: z.enum(CONVERSIONS).default('original'),
  /** Whether new files are uploaded at once, or become drafts. Journals of release 0.4 lack it. */
  review: afterCapture.default('upload'),
  /** What happens to a file once it is uploaded. */
  after: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('keep') }),
    /** Into a subfolder with this name. */
    z.object({
      kind: z.literal('move'),
      to: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .regex(/^[^/\\:*?"<>|]*[^/\\:*?"<>|.]$/),
    }),
    z.object({ kind: z.literal('trash') }),
  ]),
  /** Asks the folder for changes instead of waiting for the system's messages, which network drives don't send. */
  poll: z.boolean(),
  /** Whether links replace the clipboard's content. */
  copyLinks: z.boolean(),
});
export type FolderOptions = z.infer<typeof folderOptions>;

/** What a watch folder is doing. `reason` is a sentence for users. */
const folderStatus = z.discriminatedUnion('state', [
  /** `notice`: a restriction, such as that changes are only found by scanning. */
  z.object({ state: z.literal('watching'), notice: z.string().optional() }),
  z.object({ state: z.literal('scanning'), notice: z.string().optional() }),
  z.object({ state: z.literal('waiting'), reason: z.string() }),
  z.object({ state: z.literal('problem'), reason: z.string() }),
  z.object({ state: z.literal('paused') }),
]);
export type FolderStatus = z.infer<typeof folderStatus>;

const watchFolder = z.object({
  id: z.string(),
  path: z.string(),
  /** The last part of its path. */
  name: z.string(),
  options: folderOptions,
  status: folderStatus,
  /** Numbers of files. `settling`: found, but perhaps still being written. */
  counts: z.object({ settling: z.int(), queued: z.int(), uploaded: z.int(), rejected: z.int() }),
  /** Files and subfolders that can't be read, with the paths of some; they are tried again every minute. */
  unreadable: z.object({ count: z.int(), names: z.array(z.string()) }),
  /** When all of it was last looked through, in milliseconds since 1970. */
  scannedAt: z.number().nullable(),
});
export type WatchFolder = z.infer<typeof watchFolder>;

/** What is in a folder before anything is uploaded from it. */
const folderPreview = z.object({
  /** Pictures that match, and that Pixdock hasn't dealt with. */
  count: z.int(),
  bytes: z.number(),
  largest: z.object({ name: z.string(), bytes: z.number() }).nullable(),
  samples: z.array(z.string()),
  /** Pictures that Pixdock has already dealt with. */
  seen: z.int(),
  /** Pictures above the account's limit for one file. */
  tooLarge: z.int(),
  /** Files with a picture's name that are empty or hold something else. */
  noPictures: z.int(),
  /** Files and subfolders that can't be read, with the paths of some. */
  unreadable: z.object({ count: z.int(), names: z.array(z.string()) }),
  /** False if the folder has more files than were counted. */
  complete: z.boolean(),
  /** Bytes that the account can still store; null: unlimited. Undefined while the service can't be asked. */
  left: z.number().nullable().optional(),
  /** Free bytes on this computer's disk, where the pictures are stored; undefined where they are stored elsewhere. */
  free: z.number().optional(),
});
export type FolderPreview = z.infer<typeof folderPreview>;

export const FOLDER_EVENTS = [
  'queued',
  'uploaded',
  'rejected',
  'discarded',
  'changed',
  'duplicate',
  'moved',
  'skipped',
  'gone',
  'filed',
  'trashed',
  'kept',
] as const;
export type FolderEventKind = (typeof FOLDER_EVENTS)[number];

/** Something that happened to a file of a watch folder. */
const folderEvent = z.object({
  id: z.int(),
  /** Its path in the folder, with `/` between names. */
  file: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  what: z.enum(FOLDER_EVENTS),
  /** A sentence for users. */
  reason: z.string().optional(),
  /** The other file: the one with the same content, or where the file is now. */
  other: z.string().optional(),
  /** Of the image. */
  key: z.string().optional(),
});
export type FolderEvent = z.infer<typeof folderEvent>;

const app = ['app', 'joined'] as const;

export const folderCalls = {
  getFolders: { pages: app, input: z.tuple([]), output: z.array(watchFolder) },
  /** Lets the user choose a folder of this computer; null if they cancel. */
  chooseFolder: { pages: app, input: z.tuple([]), output: z.string().nullable() },
  /** Looks through a folder that is to be watched (`path` as for `addFolder`), or is watched already. */
  previewFolder: {
    pages: app,
    input: z.tuple([z.object({ path, options: folderOptions, id: id.optional() })]),
    output: folderPreview,
  },
  /** `path`: from `chooseFolder` or `offerScreenshots` since the app started; others are refused. */
  addFolder: { pages: app, input: z.tuple([z.object({ path, options: folderOptions })]), output: watchFolder },
  changeFolder: { pages: app, input: z.tuple([id, folderOptions]), output: watchFolder },
  /** Absent `id`: all folders. */
  pauseFolders: { pages: app, input: z.tuple([z.object({ paused: z.boolean(), id: id.optional() })]), output: z.undefined() },
  /** Uploads that wait are discarded; pictures and files stay. */
  removeFolder: { pages: app, input: z.tuple([id]), output: z.undefined() },
  /** The folder is elsewhere now, at a path from `chooseFolder`: the same files aren't uploaded again. */
  repointFolder: { pages: app, input: z.tuple([id, path]), output: watchFolder },
  rescanFolder: { pages: app, input: z.tuple([id]), output: z.undefined() },
  /** What happened to files, latest first. `search`: part of the path. `before`: the id of the last event of the previous page. */
  getFolderEvents: {
    pages: app,
    input: z.tuple([
      z.object({
        id,
        search: z.string().max(500).default(''),
        before: z.int().positive().optional(),
        limit: z.int().min(1).max(200).default(50),
      }),
    ]),
    output: z.object({ items: z.array(folderEvent), more: z.boolean() }),
  },
  /** The system's folder for screenshots, unless it is watched already; null: none. */
  offerScreenshots: { pages: app, input: z.tuple([]), output: z.string().nullable() },
} as const satisfies Record<string, Call>;

export const folderEvents = {
  folders: { pages: app, payload: z.array(watchFolder) },
} as const satisfies Record<string, Event>;
