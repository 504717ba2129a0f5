import type { Logger } from 'pino';
import { probeHeic } from '#server/platform/imaging/convert.ts';

/** Whether this build can decode HEIC; tested with a tiny picture until there is a result. */
export interface HeicSupport {
  /** Also true when the test could not run: an upload then fails for its own reason, which may have passed. */
  isSupported(): Promise<boolean>;
}

/** @param probe tests the decoder; replaced in tests of a broken one */
export function createHeicSupport(log: Pick<Logger, 'error' | 'warn'>, probe: () => Promise<boolean> = probeHeic): HeicSupport {
  let supported: Promise<boolean> | undefined;
  const test = async () => {
    try {
      const works = await probe();
      if (!works) log.warn('this build can’t decode HEIC pictures and rejects them');
      return works;
    } catch (err) {
      log.error({ err }, 'could not test whether this build decodes HEIC pictures');
      supported = undefined;
      return true;
    }
  };
  return { isSupported: () => (supported ??= test()) };
}
