import { useEffect, useState } from 'react';
import { FORMATS, formatsWith, hasTrait, isDrawing } from '#api/formats.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';
import classes from './panel-item.module.css';
import { StateIcon } from './panel-item.tsx';

/** Of previews, in CSS pixels. */
const SIDE = 40;
/** What browsers show, without drawings: those may take any time. */
const SHOWN: readonly string[] = formatsWith('shown')
  .filter((name) => !isDrawing(name) && !hasTrait(name, 'video'))
  .flatMap((name) => FORMATS[name].types);
/** Larger files, and pictures of more pixels, would slow down their own upload. */
const MAX_BYTES = 20_000_000;
const MAX_PIXELS = 50_000_000;

/** The file itself, until it has arrived; otherwise a symbol. */
export function LocalPreview({ item: { state, source } }: { item: Pick<UploadItem, 'state' | 'source'> }) {
  const file = state !== 'failed' && state !== 'done' && typeof source !== 'string' ? source : undefined;
  if (file && SHOWN.includes(file.type) && file.size <= MAX_BYTES) return <Shown file={file} />;
  return <StateIcon failed={state === 'failed'} done={state === 'done'} />;
}

function Shown({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  const [fit, setFit] = useState<'cover' | 'scale-down'>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
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
