import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FORMATS, formatOf } from '#api/formats.ts';
import { originalSrc } from '#renderer/images/sharing/address.ts';
import badge from './badges.module.css';

interface Props {
  image: { key: string; sha256?: string };
  ext: string;
  className: string | undefined;
}

/** Where motion is unwelcome, animations play in the viewer only. */
const isMotionWelcome = () => !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Marks an animation, and plays it over its thumbnail while the mouse points at it or the keyboard's focus is on it. */
export function Moving({ image, ext, className }: Props) {
  const name = formatOf(ext);
  const mark = useRef<HTMLSpanElement>(null);
  const [plays, setPlays] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const tile = mark.current?.parentElement;
    const start = ({ pointerType }: PointerEvent) => setPlays(pointerType === 'mouse' && isMotionWelcome());
    const startByKeys = () => setPlays(tile?.matches(':focus-visible') === true && isMotionWelcome());
    const stop = () => {
      setPlays(false);
      setLoaded(false);
    };
    tile?.addEventListener('pointerenter', start);
    tile?.addEventListener('pointerleave', stop);
    tile?.addEventListener('focus', startByKeys);
    tile?.addEventListener('blur', stop);
    return () => {
      tile?.removeEventListener('pointerenter', start);
      tile?.removeEventListener('pointerleave', stop);
      tile?.removeEventListener('focus', startByKeys);
      tile?.removeEventListener('blur', stop);
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
        <IconPlayerPlayFilled size={10} />
        {name ? FORMATS[name].label : ext}
      </span>
    </>
  );
}
