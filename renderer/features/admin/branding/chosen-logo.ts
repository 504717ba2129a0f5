import { useEffect, useState } from 'react';
import type { Branding } from '#api/branding.ts';
import { plateOf } from '#api/plate.ts';

type Logo = Branding['logo'];

/** As large as what the service compares with the page. */
const SAMPLE_SIDE = 64;
/** For a drawing that names no size. */
const UNKNOWN_SIDE = 300;

/** What a file will look like as the logo; undefined until it is read, null if the browser can't show it. */
export function useChosenLogo(file: File | undefined): Logo | undefined {
  const [logo, setLogo] = useState<Logo>();
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    let isCurrent = true;
    const show = (found: Logo) => isCurrent && setLogo(found);
    read(url).then(show, () => show(null));
    return () => {
      isCurrent = false;
      setLogo(undefined);
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return logo;
}

async function read(url: string): Promise<Logo> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth: width = UNKNOWN_SIDE, naturalHeight: height = UNKNOWN_SIDE } = image;
  const scale = SAMPLE_SIDE / Math.max(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return { url, width: width || UNKNOWN_SIDE, height: height || UNKNOWN_SIDE, plate: plateOf(pixels) };
}
