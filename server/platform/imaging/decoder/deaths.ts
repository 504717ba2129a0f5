import { LRUCache } from 'lru-cache';
import { BusyError, RequestError } from '#server/platform/base/errors.ts';
import { DamagedImageError, tooLong } from '../errors.ts';
import type { Exit } from './launch.ts';

/** What becomes of a job whose decoder has ended. */
export type Verdict =
  /** It runs once more. */
  | 'again'
  /** Its caller may try later. */
  | 'later'
  /** Its picture is to blame. */
  | 'never';

/** How a decoder has ended that had a job. */
export interface Ending {
  exit: Exit;
  /** Whether it was killed because its job took too long; then, the processor time of the job, where that is known. */
  late?: { cpuSeconds: number | undefined; limit: number };
  /** Whether the job has already run once more. */
  isRepeated: boolean;
}

export interface Deaths {
  /** @param picture undefined: the job has none */
  judge(ending: Ending, picture: { sha256: string; size: number } | undefined): { verdict: Verdict; error: Error };
  /** Whether a picture of this size was there when a decoder died. */
  hasSize(size: number): boolean;
  /** Call it when a picture was decoded after all. */
  forget(sha256: string): void;
}

/** Deaths of decoders that had the same picture until it is to blame. */
const MAX_DEATHS = 3;
/** The pictures that are remembered, and for how long. */
const REMEMBERED = { max: 1_000, ttl: 24 * 60 * 60 * 1000 };
/** A process that couldn't load its code, or the system's libraries. Those of crashes are larger; where signals are reported as codes, so are theirs. */
const LAST_OWN_CODE = 1;

/** @param what happened, as a sentence */
const forNow = (what: string) => new RequestError('unavailable', `${what} Try again in a minute.`, { retry_after: 60 });

/**
 * Judges how decoders ended (decision 078): one death says nothing about the picture. Memory, the processor, the system or V8 may be to blame, and so may
 * whatever sent the signal.
 */
export function createDeaths(): Deaths {
  const pictures = new LRUCache<string, { deaths: number; size: number }>(REMEMBERED);

  function countDeath(sha256: string, size: number): number {
    const deaths = (pictures.get(sha256)?.deaths ?? 0) + 1;
    pictures.set(sha256, { deaths, size });
    return deaths;
  }

  return {
    judge({ exit, late, isRepeated }, picture) {
      const { code, signal, err } = exit;
      const cause = err ?? new Error(`The decoder ended with ${signal ?? `code ${code}`}.`);
      if (late) {
        const isTooLong = late.cpuSeconds !== undefined && late.cpuSeconds >= late.limit;
        if (isTooLong) return { verdict: 'never', error: tooLong(cause) };
        return { verdict: 'later', error: forNow('The server is too busy to decode the picture.') };
      }
      // The system could not start it.
      if (code === null && signal === null) return { verdict: 'later', error: new BusyError() };
      const isCrash = signal !== null || (code ?? 0) > LAST_OWN_CODE;
      const deaths = isCrash && picture ? countDeath(picture.sha256, picture.size) : 0;
      if (deaths >= MAX_DEATHS) return { verdict: 'never', error: undecodable(cause) };
      const error = isCrash ? forNow('The picture couldn’t be decoded this time.') : new Error('The decoder can’t be loaded.', { cause });
      return { verdict: isRepeated ? 'later' : 'again', error };
    },
    hasSize(size) {
      for (const known of pictures.values()) if (known.size === size) return true;
      return false;
    },
    forget: (sha256) => void pictures.delete(sha256),
  };
}

const undecodable = (cause: unknown) =>
  new DamagedImageError('The picture can’t be decoded. Open it in another program, save it as a new file and upload that.', { cause });
