import { EventEmitter } from 'node:events';
import type { RecordingTarget } from '#api/desktop/capture.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { FilmOptions, RecordingPhase, Region } from '#api/desktop/recording.ts';
import type { Clock } from '#main/base/clock.ts';
import { Reason } from '#main/base/reasons.ts';
import type { RecordingFile } from './recording-file.ts';

/** The page has that long to send what it still has. */
const END_LIMIT_MS = 10_000;
/** Seconds that are left when the bar warns, and those that the end itself may take. */
const WARNING = 30;
const RESERVE = 2;

/** What the user has chosen to record. */
export interface Chosen {
  /** As `desktopCapturer` names it; undefined: the system asks. */
  source: string | undefined;
  /** The display that it is on, as far as it is known. */
  display: string | undefined;
  /** The largest picture of it, in pixels. */
  size: { width: number; height: number };
  /** In the display's device-independent pixels, and as a part of the picture. */
  region?: Region;
  crop?: Region;
}

/** What the account takes; 0: any. */
export interface RecordingLimits {
  seconds: number;
  bytes: number;
}

/** Why a recording has ended without the user. */
export type Ending = 'recordingAtLimit' | 'recordingAsleep' | 'recordingDisplayChanged' | 'recordingDiskFull' | 'recordingBroken';

/** The windows that a recording needs. */
export interface Stage {
  /** Lets the user choose; undefined: they cancelled. */
  choose(target: RecordingTarget): Promise<Chosen | undefined>;
  /** Ends the choice, as if the user had cancelled. */
  cancel(): void;
  /** Opens the bar, whose page then sees the screen. */
  open(chosen: Chosen): void;
  /** Makes the page see the bar's new state. */
  refresh(): void;
  close(): void;
}

interface Options {
  stage: Stage;
  clock: Clock;
  preferences(): Preferences;
  /** @throws Reason unless the screen may be recorded, and uploaded as a video */
  limits(): Promise<RecordingLimits>;
  /** A new file, and the journal's id of it once it has a fragment. */
  begin(): Promise<{ file: RecordingFile; list(): string }>;
  /** Makes it a draft, and does with that what the user chose. */
  keep(id: string, size: number, inverted: boolean): Promise<void>;
  /** Forgets it. `id`: where the journal knows it. */
  forget(path: string, id: string | undefined): Promise<void>;
  /** Whether the computer plays sound that can be recorded. */
  canRecordSound: boolean;
  /** Tells the user why there is no recording, or why it has ended. */
  tell(error: unknown): void;
}

interface Running {
  chosen: Chosen;
  limits: RecordingLimits;
  film: FilmOptions;
  file?: RecordingFile;
  list?: () => string;
  id?: string;
  /** Its length at the last part, in seconds. */
  seconds: number;
  inverted: boolean;
  /** Why it ends without the user. */
  reason?: Ending | undefined;
  ended: PromiseWithResolvers<string | undefined>;
}

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * The one recording that there can be. The journal lists it from its first fragment on, and whatever happens then, a draft is left. The page only
 * films; when it begins and ends is decided here.
 */
export function createRecorder(options: Options) {
  const { stage, clock, preferences, limits, begin, keep, forget, canRecordSound, tell } = options;
  const events = new EventEmitter<{ change: [] }>();
  let phase = 'idle' as RecordingPhase;
  let count = 0;
  let running: Running | undefined;
  /** False once the user doesn't want to choose any more. */
  let isWanted = false;
  let cancelTimer: () => void = () => undefined;

  function become(next: RecordingPhase) {
    phase = next;
    events.emit('change');
    stage.refresh();
  }

  /** Resolves once there is a bar, or the user has cancelled. @throws Reason when it can't be recorded */
  async function start(target: RecordingTarget) {
    if (phase !== 'idle') throw new Reason('recordingOpen');
    isWanted = true;
    become('choosing');
    try {
      const allowed = await limits();
      const chosen = isWanted ? await stage.choose(target) : undefined;
      if (!chosen || !isWanted) return become('idle');
      const { recordFrames, recordPointer, recordMicrophone, recordSound } = preferences();
      const film = {
        crop: chosen.crop ?? null,
        ...chosen.size,
        framesPerSecond: recordFrames,
        pointer: recordPointer,
        microphone: recordMicrophone,
        sound: recordSound && canRecordSound,
      };
      running = { chosen, limits: allowed, film, seconds: 0, inverted: false, ended: Promise.withResolvers() };
      become('opening');
      stage.open(chosen);
    } catch (error) {
      become('idle');
      throw error;
    }
  }

  function countDown(left: number) {
    if (left === 0) return void roll().catch(giveUp);
    count = left;
    become('counting');
    cancelTimer = clock.after(1_000, () => countDown(left - 1));
  }

  async function roll() {
    const recording = running;
    if (!recording) return;
    const { file, list } = await begin();
    if (running !== recording) return forget(file.path, undefined);
    Object.assign(recording, { file, list });
    become('recording');
  }

  /** Ends it before there is anything to keep. */
  function giveUp(error?: unknown) {
    cancelTimer();
    const recording = running;
    running = undefined;
    stage.close();
    become('idle');
    recording?.ended.resolve(undefined);
    if (error !== undefined) tell(error);
  }

  /** Keeps what is on the disk. */
  async function end(reason?: Ending) {
    const recording = running;
    if (!recording?.file) return giveUp(reason && new Reason('recordingFailed'));
    cancelTimer();
    running = undefined;
    stage.close();
    const { file, id, inverted, ended } = recording;
    try {
      const size = await file.end();
      const isKept = id !== undefined && size > 0;
      if (!isKept) await forget(file.path, id);
      else {
        await keep(id, size, inverted);
        ended.resolve(id);
      }
      if (reason) tell(new Reason(isKept ? reason : 'recordingFailed'));
    } catch (error) {
      tell(error);
    } finally {
      ended.resolve(undefined);
      become('idle');
    }
  }

  /** Lets the page send what it has, and then ends. */
  function stop({ inverted = false, reason }: { inverted?: boolean; reason?: Ending } = {}) {
    if (phase === 'choosing') {
      isWanted = false;
      return stage.cancel();
    }
    if (phase === 'opening' || phase === 'counting') return giveUp(reason && new Reason('recordingFailed'));
    if (!running || (phase !== 'recording' && phase !== 'paused')) return;
    const stopped = Object.assign(running, { inverted, reason });
    cancelTimer = clock.after(END_LIMIT_MS, () => running === stopped && void end(reason));
    become('stopping');
  }

  async function discard() {
    const recording = running;
    if (!recording?.file) return giveUp();
    running = undefined;
    cancelTimer();
    stage.close();
    try {
      await recording.file.end();
      await forget(recording.file.path, recording.id);
    } catch (error) {
      tell(error);
    } finally {
      recording.ended.resolve(undefined);
      become('idle');
    }
  }

  function leftOf({ limits, seconds, file }: Running): number | undefined {
    const bytes = file?.size() ?? 0;
    const left = Math.min(
      limits.seconds ? limits.seconds - seconds : Number.POSITIVE_INFINITY,
      limits.bytes && bytes ? ((limits.bytes - bytes) * seconds) / bytes : Number.POSITIVE_INFINITY,
    );
    return left === Number.POSITIVE_INFINITY ? undefined : left - RESERVE;
  }

  return {
    phase: () => phase,
    /** What the bar shows. */
    bar: () => running && { phase, count, film: running.film },
    chosen: () => running?.chosen,
    onChange: (listener: () => void) => void events.on('change', listener),
    start,
    stop,
    discard,
    pause: () => phase === 'recording' && become('paused'),
    resume: () => phase === 'paused' && become('recording'),
    /** What the shortcut does. */
    async toggle(target: RecordingTarget, inverted = false) {
      if (phase === 'idle') await start(target);
      else stop({ inverted });
    },
    /** Resolves to the journal's id of the recording once it is a draft; undefined: nothing was kept. */
    ended: () => running?.ended.promise ?? Promise.resolve(undefined),
    /** The page sees the screen. */
    ready: () => phase === 'opening' && countDown(preferences().recordCountdown),
    /** See `appendFilm`. */
    async append(position: number, bytes: Uint8Array, seconds: number): Promise<number | null> {
      const recording = running;
      if (!recording?.file) throw new Error('There is no recording.');
      try {
        await recording.file.append(position, bytes);
      } catch (error) {
        console.error('Couldn’t write a recording:', error);
        const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
        if (running === recording) await end(isFull ? 'recordingDiskFull' : 'recordingBroken');
        throw error;
      }
      recording.id ??= recording.list?.();
      recording.seconds = seconds;
      const left = leftOf(recording);
      if (left !== undefined && left <= 0) stop({ reason: 'recordingAtLimit' });
      return left === undefined || left > WARNING ? null : Math.max(0, left);
    },
    keepPoster: async (bytes: Uint8Array) => running?.file?.keepPoster(bytes),
    /** The page has sent everything, or can't go on. */
    async filmEnded(problem: string | null) {
      if (problem !== null) console.error('A recording ended:', problem);
      if (phase === 'opening') return giveUp(new Reason('recordingRefused', problem === null ? {} : { detail: problem }));
      await end(problem === null ? running?.reason : 'recordingBroken');
    },
    /** The page is gone, with its window or without it. */
    lost: (isClosed: boolean) => running && void end(isClosed ? undefined : 'recordingBroken'),
    /** Keeps the recording before the app quits. */
    async close() {
      const ended = running?.ended.promise;
      stop();
      await ended;
    },
  };
}
