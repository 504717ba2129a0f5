import type { Logger } from 'pino';
import { probeHeic } from '#server/platform/imaging/heic.ts';

/** Whether this build can decode HEIC; tried once, with a tiny picture. */
export interface HeicSupport {
  isSupported(): Promise<boolean>;
}

/** @param probe tries the decoder; replaced where a broken one is to be shown */
export function createHeicSupport(log: Logger, probe: () => Promise<boolean> = probeHeic): HeicSupport {
  let answer: Promise<boolean> | undefined;
  const ask = async () => {
    const supported = await probe();
    if (!supported) log.warn('this build can’t decode HEIC pictures and rejects them');
    return supported;
  };
  return { isSupported: () => (answer ??= ask()) };
}
