import { createFairQueue } from '#server/platform/admission/fair-queue.ts';

/** Whose picture is decoded, and what for. */
export interface DecodingTurn {
  /** Whom the work is for: a user, or a network of guests. Those who wait share the time equally. */
  who: string;
  /** Uploads come first, then thumbnails that clients wait for, then background work. */
  purpose: 'upload' | 'view' | 'background';
  /** Guests' uploads leave a slot free for others, however many guests there are. */
  isGuest?: boolean;
  /** Drops the work while it waits. */
  signal?: AbortSignal | undefined;
}

/** Runs one caller's work that holds an image in memory. */
export interface Decoding {
  /**
   * @param bytes the work's peak memory (`memory.ts`); work that needs more than the whole budget runs alone
   * @param work told whether nothing else is decoded or waits, so that it may use more than one core
   * @param pixels how much is decoded (`decodingPixels`); long work leaves a place to short work
   * @throws BusyError when too much work waits, CallerGoneError when the caller left before its turn
   */
  <T>(bytes: number, work: (isAlone?: boolean) => Promise<T>, pixels?: number): Promise<T>;
  /** Runs work that reads headers and decodes nothing. Such work has a queue of its own. @throws like decoding */
  reading<T>(work: () => Promise<T>): Promise<T>;
}

/** All decoding of the service, which bounds its memory and shares its time. */
export interface DecodingQueue {
  as(turn: DecodingTurn): Decoding;
  /** Milliseconds since the last upload or view asked for a turn. */
  quietMs(): number;
  /** Images in progress. */
  counts(): Record<'decoding' | 'reading', { running: number; waiting: number }>;
}

const RANKS: Record<DecodingTurn['purpose'], number> = { upload: 0, view: 1, background: 2 };

/** Decoding more pixels than this takes about half a second or longer. */
const LONG_PIXELS = 25_000_000;

/** The pixels of work of unknown length. */
export const UNKNOWN_PIXELS = Number.POSITIVE_INFINITY;

/** Reading headers blocks threads that uploads need for their files. */
const READING_AT_ONCE = 2;

/**
 * @param atOnce the number of images that are decoded at the same time; long work and guests' work may take all but one place
 * @param bytes the memory that they share
 */
export function createDecoding({ atOnce, bytes: room }: { atOnce: number; bytes: number }): DecodingQueue {
  const allButOne = Math.max(1, atOnce - 1);
  const images = createFairQueue({ atOnce, room, lanes: { long: allButOne, guests: allButOne } });
  const headers = createFairQueue({ atOnce: READING_AT_ONCE });
  let lastAsked = Number.NEGATIVE_INFINITY;
  const isAlone = () => {
    const { running, waiting } = images.counts();
    return running <= 1 && waiting === 0;
  };
  return {
    as({ who, purpose, isGuest = false, signal }) {
      if (purpose !== 'background') lastAsked = performance.now();
      const turn = { who, rank: RANKS[purpose], signal };
      const guests = isGuest ? ['guests'] : [];
      const decode = <T>(bytes: number, work: (isAlone?: boolean) => Promise<T>, pixels = 0) =>
        images.run(turn, { room: bytes, lanes: pixels > LONG_PIXELS ? [...guests, 'long'] : guests }, () => work(isAlone()));
      return Object.assign(decode, { reading: <T>(work: () => Promise<T>) => headers.run(turn, {}, work) });
    },
    quietMs: () => performance.now() - lastAsked,
    counts: () => ({ decoding: images.counts(), reading: headers.counts() }),
  };
}
