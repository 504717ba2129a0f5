import { useCallback } from 'react';
import type { Image } from '#api/images.ts';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { type ImageChange, useChangeImage } from '#renderer/images/change.ts';

export type Change = (change: ImageChange) => void;

/** Returns a function that changes the shown image and reports errors as notifications. */
export function useChange(image: Image): Change {
  const { mutate } = useChangeImage();
  const notifyError = useNotifyError();
  return useCallback((change) => mutate({ image, change }, { onError: (error) => notifyError(error) }), [image, mutate, notifyError]);
}
