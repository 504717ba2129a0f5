import { useCallback } from 'react';
import type { Image } from '#api/images.ts';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { type ImageChange, useChangeImage } from '#renderer/images/change.ts';

export type Change = (change: ImageChange) => void;

/** Changes the picture that is shown; a refusal is told in the corner. */
export function useChange(image: Image): Change {
  const { mutate } = useChangeImage();
  const notifyError = useNotifyError();
  return useCallback((change) => mutate({ image, change }, { onError: (error) => notifyError(error) }), [image, mutate, notifyError]);
}
