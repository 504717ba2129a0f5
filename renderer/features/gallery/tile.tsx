import { IconCheck, IconLock, IconStarFilled } from '@tabler/icons-react';
import { type MouseEvent, memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { Thumbnail } from '#renderer/images/thumbnail.tsx';
import classes from './tile.module.css';

interface Props {
  image: Image;
  index: number;
  width: number;
  height: number;
  selected: boolean;
  /** While anything is selected, a press on a picture selects instead of opening. */
  selecting: boolean;
  /** Whether Tab stops here; the arrow keys reach the others. */
  reachable: boolean;
  /** A new object moves the focus here. */
  focus: object | undefined;
  onOpen: (image: Image) => void;
  onToggle: (image: Image) => void;
  onExtend: (image: Image) => void;
  onFocus: (index: number) => void;
}

/** One picture of the timeline. */
export const Tile = memo(function Tile(props: Props) {
  const { image, index, width, height, selected, selecting, reachable, focus, onOpen, onToggle, onExtend, onFocus } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focus) opener.current?.focus({ preventScroll: true });
  }, [focus]);
  const select = (event: MouseEvent) => (event.shiftKey ? onExtend(image) : onToggle(image));
  const press = (event: MouseEvent) => (selecting || event.shiftKey || event.ctrlKey || event.metaKey ? select(event) : onOpen(image));
  return (
    <div className={classes.tile} style={{ width, height }} data-selected={selected || undefined} data-selecting={selecting || undefined}>
      <button
        ref={opener}
        type="button"
        className={classes.open}
        data-picture={image.key}
        tabIndex={reachable ? 0 : -1}
        aria-label={t('gallery.open', { name: image.name, date: format.moment(image.created_at) })}
        onClick={press}
        onFocus={() => onFocus(index)}
      >
        <Thumbnail image={image} width={width} height={height} className={classes.image} />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: an input could not take a shift press for a range */}
      <button
        type="button"
        role="checkbox"
        aria-checked={selected}
        aria-label={t('gallery.select', { name: image.name })}
        className={classes.check}
        tabIndex={-1}
        onClick={select}
      >
        <IconCheck size={16} stroke={3} aria-hidden />
      </button>
      {image.favourite && (
        <span className={classes.badge} data-favourite title={t('library.favourite')}>
          <IconStarFilled size={14} aria-hidden />
        </span>
      )}
      {image.visibility === 'private' && (
        <span className={classes.badge} title={t('gallery.private')}>
          <IconLock size={14} aria-hidden />
        </span>
      )}
    </div>
  );
});
