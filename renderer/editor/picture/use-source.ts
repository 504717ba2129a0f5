import { useEffect, useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { loadSource, type Source } from './source.ts';

/** The picture to edit, loaded once; `retry` tries again after an error. */
export function useSource(image: Image) {
  const [source, setSource] = useState<Source>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // The file that was opened: the picture may be replaced elsewhere in the meantime.
  const [{ key, ext, sha256 }] = useState(image);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    const controller = new AbortController();
    let loaded: Source | undefined;
    loadSource({ key, ext, sha256 }, controller.signal).then(
      (result) => {
        if (controller.signal.aborted) return result.close();
        loaded = result;
        setSource(result);
      },
      (reason: unknown) => {
        if (!controller.signal.aborted) setError(reason);
      },
    );
    return () => {
      controller.abort();
      loaded?.close();
    };
  }, [key, ext, sha256, attempt]);
  const retry = () => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  return { source, error, retry };
}
