import { useEffect, useState } from 'react';
import { FORMATS, formatsWith, isDrawing, isVideo } from '#api/formats.ts';
import { isVideoFile } from '#renderer/upload/queue/refusal.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';
import classes from './panel-item.module.css';
import { StateIcon } from './panel-item.tsx';

/** Of previews, in CSS pixels. */
const SIDE = 40;
/** What browsers show, without drawings: those may take any time. */
const SHOWN: readonly string[] = formatsWith('shown')
  .filter((name) => !isDrawing(name) && !isVideo(name))
  .flatMap((name) => FORMATS[name].types);
/** Larger files, and pictures of more pixels, would slow down their own upload. */
const MAX_BYTES = 20_000_000;
const MAX_PIXELS = 50_000_000;

/** The file itself, until it has arrived; otherwise a symbol. */
export function LocalPreview({ item: { state, source } }: { item: Pick<UploadItem, 'state' | 'source'> }) {
  const file = state !== 'failed' && state !== 'done' && typeof source !== 'string' ? source : undefined;
  if (file && isVideoFile(file)) return <ShownVideo file={file} />;
  if (file && SHOWN.includes(file.type) && file.size <= MAX_BYTES) return <Shown file={file} />;
  return <StateIcon failed={state === 'failed'} done={state === 'done'} />;
}

function useAddress(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** The beginning of a video, of which only a part is read, whatever its size. */
function ShownVideo({ file }: { file: File }) {
  const url = useAddress(file);
  const [isLoaded, setLoaded] = useState(false);
  return (
    <>
      {!isLoaded && <StateIcon />}
      {url && (
        <video
          className={classes.preview}
          // Past what is often black.
          src={`${url}#t=1`}
          width={SIDE}
          height={SIDE}
          muted
          playsInline
          preload="metadata"
          style={{ display: isLoaded ? undefined : 'none', objectFit: 'cover' }}
          onLoadedData={({ currentTarget: { videoWidth } }) => setLoaded(videoWidth > 0)}
        />
      )}
    </>
  );
}

function Shown({ file }: { file: File }) {
  const url = useAddress(file);
  const [fit, setFit] = useState<'cover' | 'scale-down'>();
  return (
    <>
      {!fit && <StateIcon />}
      {url && (
        // Its size is known before it is decoded, which happens only when it is shown.
        <img
          className={classes.preview}
          src={url}
          alt=""
          width={SIDE}
          height={SIDE}
          decoding="async"
          style={{ display: fit ? undefined : 'none', objectFit: fit }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            if (naturalWidth * naturalHeight > MAX_PIXELS) return;
            setFit(Math.min(naturalWidth, naturalHeight) < SIDE ? 'scale-down' : 'cover');
          }}
        />
      )}
    </>
  );
}
