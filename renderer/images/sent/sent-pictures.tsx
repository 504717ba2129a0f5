import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SentImage } from '#api/sent.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Thumbnail } from '#renderer/images/grid/thumbnail.tsx';
import classes from './sent-pictures.module.css';

/** The side of the pictures, in CSS pixels. */
const SIDE = 132;

interface Props {
  images: readonly SentImage[];
  label: string;
  /** In one row, which scrolls. */
  isRow?: boolean;
  onOpen: (image: SentImage) => void;
  /** More at the end. */
  children?: ReactNode;
}

/** Pictures that were sent, to open one. */
export function SentPictures({ images, label, isRow = false, onOpen, children }: Props) {
  const { t } = useTranslation();
  return (
    <ul className={`${classes.pictures} ${isRow ? classes.row : ''}`} aria-label={label}>
      {images.map((image) => (
        <li key={image.key}>
          <button
            type="button"
            className={classes.picture}
            aria-label={t('sentPictures.open', { name: image.title || image.name })}
            onClick={() => onOpen(image)}
          >
            <Thumbnail image={image} width={SIDE} height={SIDE} className={classes.thumbnail} />
          </button>
        </li>
      ))}
      {children}
    </ul>
  );
}

/** The picture that is open. One that is taken back meanwhile closes, and the user is told. */
export function useOpened(images: readonly SentImage[], shown: string | undefined, close: () => void): SentImage | undefined {
  const { t } = useTranslation();
  const opened = images.find(({ key }) => key === shown);
  const last = useRef<SentImage>(undefined);
  useEffect(() => {
    const before = last.current;
    last.current = opened;
    if (!before || opened || before.key !== shown) return;
    notifications.show({
      title: t('sentPictures.goneTitle', { name: before.title || before.name }),
      message: t('sentPictures.goneText'),
      autoClose: 8_000,
    });
    close();
  }, [opened, shown, close, t]);
  return opened;
}
