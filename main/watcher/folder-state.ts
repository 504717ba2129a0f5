import type { Failure } from '#main/base/reasons.ts';
import type { Trouble } from './folder-health.ts';

/** Between scans of all of a folder, and where watching is incomplete. */
const SCAN_INTERVAL_MS = 600_000;
const FREQUENT_SCAN_INTERVAL_MS = 60_000;
/** Between checks that the folder is there, while it is and while it isn't. */
const CHECK_INTERVAL_MS = 30_000;
const FREQUENT_CHECK_INTERVAL_MS = 5_000;
/** How long the first scan waits for the watcher, which may have to open thousands of subfolders. */
const READY_TIMEOUT_MS = 30_000;
/** Until watching is tried again after it has failed, for example at the system's limit. */
const REWATCH_DELAY_MS = 600_000;
/** Number of simultaneous messages after which a scan ensures that none was lost, and the time until it does. */
const BURST = 500;
const BURST_DELAY_MS = 5_000;
/** Files that don't match: the time until they are recorded, when passing names are gone, and how many are remembered meanwhile. */
const OTHERS_DELAY_MS = 2_000;
const MAX_OTHERS = 5_000;

/** What a folder is doing, as others see it. `notice` and `reason` as the journal keeps them. */
export type WatchState = { state: 'watching' | 'scanning'; notice: Failure | undefined } | Trouble | { state: 'paused' };

export interface FolderState {
  phase: 'stopped' | 'unavailable' | 'starting' | 'watching';
  /** The folder sends no messages: only frequent scans find what changes in place. */
  polled: boolean;
  /** The scan under way and those that follow it, as paths in the folder; `''`: all of it. */
  scans: readonly string[];
  /** Number of hints since all of the folder was scanned. */
  hints: number;
  /** Files that appeared, don't match, and aren't recorded yet. */
  others: readonly string[];
  /** Why the folder is unavailable; undefined before the first check. */
  trouble?: Trouble;
  /** Why watching is incomplete. */
  notice?: Failure | undefined;
  /** Why the journal can't be written, for example because the disk is full. */
  failure?: Failure | undefined;
  /** Why files that were found can't be added to the queue yet. */
  delay?: Failure | undefined;
  /** When all of the folder was last scanned, in milliseconds since 1970. */
  scannedAt?: number | undefined;
}

/** Events that a timer can bring, at most one of each kind at a time. */
export type Timer = 'look' | 'ready' | 'rescan' | 'burst' | 'rewatch' | 'others';

export type Event =
  | { type: Timer | 'stop' | 'healthy' }
  | { type: 'start'; polled: boolean }
  | { type: 'trouble'; trouble: Trouble }
  | { type: 'scan'; start: string }
  /** `hasUnreadable`: some files or subfolders couldn't be read, which may change soon. */
  | { type: 'scanned'; at: number; hasUnreadable?: boolean }
  /** `isFull`: no further file can be looked at now. */
  | { type: 'hint'; relPath: string; match: 'taken' | 'other' | 'outside'; isFull: boolean }
  | { type: 'incomplete'; notice: Failure }
  | { type: 'failed'; failure: Failure; inScan: boolean }
  | { type: 'delayed'; delay: Failure | undefined };

export type Effect =
  /** `stop`: ends all that was begun, timers included. `hold` and `release`: the folder's uploads in the queue. */
  | { type: 'stop' | 'check' | 'hold' | 'release' | 'watch' }
  | { type: 'scan'; start: string }
  | { type: 'touch'; relPath: string }
  | { type: 'noteOthers'; relPaths: readonly string[] }
  /** Replaces a timer for the same event. */
  | { type: 'later'; event: Timer; ms: number };

interface Transition {
  state: FolderState;
  effects: readonly Effect[];
}

export const INITIAL: FolderState = { phase: 'stopped', polled: false, scans: [], hints: 0, others: [] };

const later = (event: Timer, ms: number): Effect => ({ type: 'later', event, ms });

/**
 * A watch folder's life as a state machine without files or clocks; `folder-watch.ts` performs the effects. A scan is the source of
 * truth, and hints only say where to look (decision 065).
 *
 * | Event        | `stopped` | `unavailable`                      | `starting`           | `watching`                                  |
 * |--------------|-----------|------------------------------------|----------------------|---------------------------------------------|
 * | `start`      | everything stops; check → `unavailable` | ″    | ″                    | ″                                           |
 * | `stop`       | everything stops → `stopped` | ″               | ″                    | ″                                           |
 * | `look`       | –         | check                              | check                | check                                       |
 * | `trouble`    | –         | everything stops; hold uploads; look again soon → `unavailable` | ″ | ″                                 |
 * | `healthy`    | –         | release uploads; watch → `starting` | look again later    | look again later                            |
 * | `ready`      | –         | –                                  | scan all → `watching` | –                                          |
 * | `scan`       | –         | –                                  | –                    | scan, now or after the scan under way       |
 * | `rescan`, `burst` | –    | –                                  | –                    | the same for all of the folder              |
 * | `scanned`    | –         | –                                  | –                    | next scan; after one of all, plan the next  |
 * | `hint`       | –         | –                                  | touch the file, or remember that it doesn't match; plan a scan in a burst | ″ |
 * | `others`     | –         | –                                  | record files that don't match | ″                                  |
 * | `incomplete` | –         | –                                  | notice; plan `rewatch` | the same; scan all                        |
 * | `rewatch`    | –         | –                                  | watch                | watch; scan all                             |
 * | `failed`     | –         | –                                  | failure, until a scan succeeds; plan `rescan` | ″                  |
 * | `delayed`    | –         | –                                  | delay, or its end    | ″                                           |
 */
export function transition(state: FolderState, event: Event): Transition {
  const { phase, polled, scans, scannedAt } = state;
  const fresh = { ...INITIAL, scannedAt };
  if (event.type === 'stop') return { state: fresh, effects: [{ type: 'stop' }] };
  if (event.type === 'start') {
    return { state: { ...fresh, phase: 'unavailable', polled: event.polled }, effects: [{ type: 'stop' }, { type: 'check' }] };
  }
  if (phase === 'stopped') return { state, effects: [] };
  if (event.type === 'look') return { state, effects: [{ type: 'check' }] };
  if (event.type === 'trouble') {
    return {
      state: { ...fresh, phase: 'unavailable', polled, trouble: event.trouble },
      effects: [{ type: 'stop' }, { type: 'hold' }, later('look', FREQUENT_CHECK_INTERVAL_MS)],
    };
  }
  if (phase === 'unavailable') {
    if (event.type !== 'healthy') return { state, effects: [] };
    return {
      state: { ...fresh, phase: 'starting', polled },
      effects: [{ type: 'release' }, { type: 'watch' }, later('ready', READY_TIMEOUT_MS), later('look', CHECK_INTERVAL_MS)],
    };
  }

  switch (event.type) {
    case 'healthy':
      return { state, effects: [later('look', CHECK_INTERVAL_MS)] };
    case 'ready':
      return phase === 'starting' ? addScan({ ...state, phase: 'watching' }, '') : { state, effects: [] };
    case 'scan':
      return addScan(state, event.start);
    case 'rescan':
    case 'burst':
      return addScan(state, '');
    case 'scanned': {
      const [start, ...next] = scans;
      if (start !== '') return beginScan({ ...state, failure: undefined, scans: next });
      const { state: after, effects } = beginScan({ ...state, failure: undefined, scans: next, hints: 0, scannedAt: event.at });
      const interval = polled || state.notice || event.hasUnreadable ? FREQUENT_SCAN_INTERVAL_MS : SCAN_INTERVAL_MS;
      return { state: after, effects: [later('rescan', interval), ...effects] };
    }
    case 'hint':
      return hint(state, event);
    case 'others':
      return { state: { ...state, others: [] }, effects: [{ type: 'noteOthers', relPaths: state.others }] };
    case 'incomplete':
      return before(state.notice ? [] : [later('rewatch', REWATCH_DELAY_MS)], addScan({ ...state, notice: event.notice }, ''));
    case 'rewatch':
      return before([{ type: 'watch' }], addScan({ ...state, notice: undefined }, ''));
    case 'failed':
      return {
        state: { ...state, failure: event.failure, scans: event.inScan ? [] : scans.slice(0, 1) },
        effects: [later('rescan', FREQUENT_SCAN_INTERVAL_MS)],
      };
    case 'delayed':
      return { state: { ...state, delay: event.delay }, effects: [] };
  }
}

const before = (first: readonly Effect[], { state, effects }: Transition): Transition => ({ state, effects: [...first, ...effects] });

/** Starts or queues a scan: one runs at a time. While the folder is starting, a scan of all of it follows anyway. */
function addScan(state: FolderState, start: string): Transition {
  const [current, ...next] = state.scans;
  if (state.phase === 'starting' || next.includes('') || next.includes(start)) return { state, effects: [] };
  if (current === undefined) return beginScan({ ...state, scans: [start] });
  return { state: { ...state, scans: [current, ...(start === '' ? [] : next), start] }, effects: [] };
}

function beginScan(state: FolderState): Transition {
  const [start] = state.scans;
  if (start === undefined) return { state, effects: [] };
  return { state: start === '' ? { ...state, failure: undefined } : state, effects: [{ type: 'scan', start }] };
}

function hint(before: FolderState, { relPath, match, isFull }: Extract<Event, { type: 'hint' }>): Transition {
  const state = { ...before, hints: before.hints + 1 };
  const { others } = state;
  const isLost = match === 'taken' && isFull;
  const burst = isLost || state.hints >= BURST ? [later('burst', BURST_DELAY_MS)] : [];
  if (match === 'taken') return { state, effects: isLost ? burst : [...burst, { type: 'touch', relPath }] };
  if (match === 'outside' || others.length >= MAX_OTHERS || others.includes(relPath)) return { state, effects: burst };
  const first = others.length === 0 ? [later('others', OTHERS_DELAY_MS)] : [];
  return { state: { ...state, others: [...others, relPath] }, effects: [...burst, ...first] };
}

export function statusOf({ phase, trouble, failure, delay, notice, scans }: FolderState): WatchState {
  if (phase === 'stopped') return { state: 'paused' };
  if (trouble) return trouble;
  if (failure) return { state: 'problem', reason: failure };
  if (phase !== 'watching' || scans[0] === '') return { state: 'scanning', notice };
  return delay ? { state: 'waiting', reason: delay } : { state: 'watching', notice };
}
