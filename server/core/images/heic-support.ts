import type { Logger } from 'pino';
import { probeHeic } from '#server/platform/imaging/heic.ts';

/** Whether this build can decode HEIC; tested once, with a tiny picture. */
export interface HeicSupport {
  isSupported(): Promise<boolean>;
}

/** @param probe tests the decoder; replaced in tests of a broken one */
export function createHeicSupport(log: Logger, probe: () => Promise<boolean> = probeHeic): HeicSupport {
  let supported: Promise<boolean> | undefined;
  const test = async () => {
    const works = await probe();
    if (!works) log.warn('this build can’t decode HEIC pictures and rejects them');
    return works;
  };
  return { isSupported: () => (supported ??= test()) };
}
