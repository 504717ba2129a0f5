import { z } from 'zod';
import type { Call, Event } from './call.ts';

/** Bytes that the page sends at once: a second of a recording, and what a slow disk has let pile up. */
const MAX_PART_BYTES = 256 * 1024 * 1024;
/** The first frame as JPEG. */
const MAX_POSTER_BYTES = 8 * 1024 * 1024;

/** What a window says: it loads no texts of its own. */
const texts = z.record(z.string(), z.string());

/** A part of a display, in its device-independent pixels. */
const region = z.strictObject({
  x: z.number().min(0).max(100_000),
  y: z.number().min(0).max(100_000),
  width: z.number().min(1).max(100_000),
  height: z.number().min(1).max(100_000),
});
export type Region = z.infer<typeof region>;
const share = z.number().min(0).max(1);

/** What the page records, and how. */
const film = z.object({
  /** The part of the picture, from 0 to 1; null: all of it. */
  crop: z.object({ x: share, y: share, width: share, height: share }).nullable(),
  /** The largest picture, in pixels. */
  width: z.int(),
  height: z.int(),
  framesPerSecond: z.number(),
  pointer: z.boolean(),
  microphone: z.boolean(),
  /** What the computer plays. */
  sound: z.boolean(),
});
export type FilmOptions = z.infer<typeof film>;

/** Where a recording is. `counting`: down to its start. */
const phase = z.enum(['idle', 'choosing', 'opening', 'counting', 'recording', 'paused', 'stopping']);
export type RecordingPhase = z.infer<typeof phase>;

/** The bar, which is also the page that records. */
const bar = z.object({ shows: z.literal('bar'), phase, count: z.int(), film, texts });
/** A display that stands still, on which the user selects a part. */
const display = z.object({
  shows: z.literal('region'),
  picture: z.instanceof(Uint8Array),
  scale: z.number(),
  last: region.nullable(),
  texts,
});
/** What can be recorded as a whole. */
const sources = z.object({
  shows: z.literal('sources'),
  sources: z.array(z.object({ id: z.string(), name: z.string(), picture: z.instanceof(Uint8Array) })),
  texts,
});
const view = z.discriminatedUnion('shows', [bar, display, sources]);
export type RecorderView = z.infer<typeof view>;

export const recordingCalls = {
  /** What a window shows, by the name in its address; null once it is over. */
  getRecorder: { pages: ['record'], input: z.tuple([z.string().max(100)]), output: view.nullable() },
  /** Chooses a part of the display with this name, or the source with this id. */
  chooseRegion: { pages: ['record'], input: z.tuple([z.string().max(100), region]), output: z.undefined() },
  chooseSource: { pages: ['record'], input: z.tuple([z.string().max(1_000)]), output: z.undefined() },
  cancelChoice: { pages: ['record'], input: z.tuple([]), output: z.undefined() },
  /** The page sees the screen, and could begin. */
  filmReady: { pages: ['record'], input: z.tuple([]), output: z.undefined() },
  /** Appends to the file, at a position that must be its end; `seconds`: the length so far. Resolves once a power cut can't lose it: to the seconds that are left, where they are few. */
  appendFilm: {
    pages: ['record'],
    input: z.tuple([
      z.int().min(0),
      z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength > 0 && bytes.byteLength <= MAX_PART_BYTES),
      z.number().min(0),
    ]),
    output: z.number().nullable(),
  },
  keepFilmPoster: {
    pages: ['record'],
    input: z.tuple([z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength <= MAX_POSTER_BYTES)]),
    output: z.undefined(),
  },
  /** All of it has been appended; or the page can't go on, for a reason that its browser gives. */
  filmEnded: { pages: ['record'], input: z.tuple([z.string().max(1_000).nullable()]), output: z.undefined() },
  steerRecording: { pages: ['record'], input: z.tuple([z.enum(['pause', 'resume', 'stop', 'discard'])]), output: z.undefined() },
} as const satisfies Record<string, Call>;

export const recordingEvents = {
  /** The bar shows something else. */
  recorderChanged: { pages: ['record'], payload: z.null() },
} as const satisfies Record<string, Event>;
