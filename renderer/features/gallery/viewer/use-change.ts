import { useCallback } from 'react';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { type ImageChange, useChangeImage } from '#renderer/images/list/change.ts';

/** Changes the shown image; `onDone` is called with the result. */
export type Change = (change: ImageChange, onDone?: (image: Image) => void) => void;

/** Returns a function that changes the shown image and reports errors as notifications. */
export function useChange(image: Image): Change {
  const { mutateAsync } = useChangeImage();
  const notifyError = useNotifyError();
  return useCallback(
    // The promise, since the fields that asked may be gone when the service responds.
    (change, onDone) => void mutateAsync({ image, change }).then(onDone, (error) => notifyError(error)),
    [image, mutateAsync, notifyError],
  );
}
