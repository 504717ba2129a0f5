import { Menu } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconLock, IconPhoto, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Album } from '#api/albums/albums.ts';
import { AlbumActions } from '#renderer/albums/album-actions.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { keepSize } from '#renderer/images/grid/keep-size.ts';
import classes from './albums.module.css';

interface Props {
  album: Album;
  first: boolean;
  last: boolean;
  onMove: (step: -1 | 1) => void;
}

const STEPS: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** One album. Its cover links to it. */
export function AlbumCard({ album, first, last, onMove }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!event.altKey || !step) return;
    // Alt+Left would go back in the history.
    event.preventDefault();
    onMove(step);
  };
  const count = t('gallery.count', { count: album.image_count, formatted: format.number(album.image_count) });
  return (
    <article>
      <Link
        to="/albums/$albumId"
        params={{ albumId: album.id }}
        className={classes.link}
        aria-label={`${album.name}, ${count}`}
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
        draggable={false}
        onKeyDown={onKeyDown}
      >
        <span className={classes.cover}>
          {album.cover_url ? (
            <img src={onThisOrigin(album.cover_url)} alt="" loading="lazy" decoding="async" draggable={false} onLoad={keepSize} />
          ) : (
            <IconPhoto size={40} stroke={1.2} aria-hidden />
          )}
        </span>
      </Link>
      <div className={classes.caption}>
        <div>
          <h2 title={album.name}>{album.name}</h2>
          <p>
            {count}
            {album.visibility === 'private' && <IconUser size={14} role="img" aria-label={t('gallery.private')} />}
            {album.has_password && <IconLock size={14} role="img" aria-label={t('details.protected')} />}
          </p>
        </div>
        <AlbumActions album={album}>
          <Menu.Item leftSection={<IconArrowLeft size={16} />} disabled={first} onClick={() => onMove(-1)}>
            {t('albums.earlier')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowRight size={16} />} disabled={last} onClick={() => onMove(1)}>
            {t('albums.later')}
          </Menu.Item>
        </AlbumActions>
      </div>
    </article>
  );
}

const COVER_WIDTH = 480;

/** A cover's address on the page's own origin, wide enough for a card. Absolute links are meant for others. */
function onThisOrigin(address: string): string {
  return `${new URL(address, location.origin).pathname}?w=${COVER_WIDTH}`;
}
