import { useEffect, useRef, useState } from 'react';
import { originalSrc } from '#renderer/images/sharing/address.ts';
import badge from './badges.module.css';

interface Props {
  image: { key: string; sha256?: string };
  ext: string;
  className: string | undefined;
}

/** Marks a GIF, and plays it over its thumbnail while the mouse points at it. */
export function Moving({ image, ext, className }: Props) {
  const mark = useRef<HTMLSpanElement>(null);
  const [plays, setPlays] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const tile = mark.current?.parentElement;
    const start = ({ pointerType }: PointerEvent) => setPlays(pointerType === 'mouse');
    const stop = () => {
      setPlays(false);
      setLoaded(false);
    };
    tile?.addEventListener('pointerenter', start);
    tile?.addEventListener('pointerleave', stop);
    return () => {
      tile?.removeEventListener('pointerenter', start);
      tile?.removeEventListener('pointerleave', stop);
    };
  }, []);
  return (
    <>
      {plays && (
        <img
          src={originalSrc({ ...image, ext })}
          alt=""
          draggable={false}
          hidden={!loaded}
          className={`${className} ${badge.playing}`}
          onLoad={() => setLoaded(true)}
        />
      )}
      <span ref={mark} className={badge.moving} data-playing={loaded || undefined} aria-hidden>
        GIF
      </span>
    </>
  );
}
