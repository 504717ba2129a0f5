import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NetworkError, readEnvelope } from '#api/client.ts';
import { originalSrc } from '#renderer/images/sharing/address.ts';

/** Fetches an image's bytes. For a view-limited image, each fetch spends a view. */
async function fetchImage(image: { key: string; ext: string }): Promise<Blob> {
  try {
    const response = await fetch(originalSrc(image), { headers: { accept: '*/*' } });
    // Throws: errors come in the envelope.
    if (!response.ok) await readEnvelope(response);
    return await response.blob();
  } catch (error) {
    if (error instanceof TypeError) throw new NetworkError('Could not reach the service.', { cause: error });
    throw error;
  }
}

/**
 * Fetches a view-limited image on request. The bytes are kept for both viewing and saving, so that one press costs one view.
 */
export function useGuarded(image: { key: string; ext: string }) {
  const { mutate: show, data: blob, error, isPending } = useMutation({ mutationFn: () => fetchImage(image) });
  const [src, setSrc] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    setSrc(address);
    return () => URL.revokeObjectURL(address);
  }, [blob]);
  return { src, show: () => show(), error, isPending };
}
