import { VisuallyHidden } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { moved, useOrderAlbums } from '#renderer/albums/albums.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { AlbumCard, type AlbumMove } from './album-card.tsx';
import classes from './albums.module.css';

/** Albums by their covers, reordered by dragging, with Alt and the arrow keys, Home or End, or from their menus. */
export function AlbumGrid({ albums, heading }: { albums: readonly Album[]; heading: 'h2' | 'h3' }) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const order = useOrderAlbums();
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const [announcement, announce] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const justMoved = useRef<string>(undefined);
  // An album that goes far would leave the window.
  useEffect(() => {
    const place = albums.findIndex(({ id }) => id === justMoved.current);
    list.current?.children[place]?.scrollIntoView({ block: 'nearest' });
    justMoved.current = undefined;
  }, [albums]);
  const move = (id: string, to: number) => {
    const from = albums.findIndex((album) => album.id === id);
    const album = albums[from];
    if (!album || to < 0 || to >= albums.length || to === from) return;
    justMoved.current = id;
    order.mutate(moved(albums, from, to), { onError: (error) => notifyError(error) });
    announce(t('albums.movedTo', { name: album.name, position: to + 1, total: albums.length }));
  };
  const placeAfter: Record<AlbumMove, (index: number) => number> = {
    earlier: (index) => index - 1,
    later: (index) => index + 1,
    start: () => 0,
    end: () => albums.length - 1,
  };
  const drop = (event: DragEvent, index: number) => {
    event.preventDefault();
    if (dragged) move(dragged, index);
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <ul ref={list} className={classes.grid} aria-label={t('albums.title')}>
        {albums.map((album, index) => (
          <li
            key={album.id}
            draggable
            data-dragged={album.id === dragged || undefined}
            data-over={(album.id === over && album.id !== dragged) || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', album.name);
              setDragged(album.id);
            }}
            onDragOver={(event) => {
              if (!dragged) return;
              event.preventDefault();
              setOver(album.id);
            }}
            onDrop={(event) => drop(event, index)}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
          >
            <AlbumCard
              album={album}
              heading={heading}
              order={{
                first: index === 0,
                last: index === albums.length - 1,
                onMove: (to) => move(album.id, placeAfter[to](index)),
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
