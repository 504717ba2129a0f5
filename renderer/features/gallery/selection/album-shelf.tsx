import { IconAlbum, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AlbumForm } from '#renderer/albums/album-form.tsx';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { BatchTarget } from '#renderer/images/list/batch.ts';
import classes from './album-shelf.module.css';
import { useApply } from './use-apply.tsx';

interface Props {
  target: BatchTarget;
  /** Whether the target is being dragged. */
  dragging: boolean;
  /** The album that the page shows, if any. */
  albumId: string | undefined;
  /** Called when what was selected isn't to stay selected. */
  onDone: () => void;
}

/** The albums to drop pictures on, beside the page while they are being dragged. Keyboards and fingers have the menu for that. */
export function AlbumShelf({ target, dragging, albumId, onDone }: Props) {
  const { t } = useTranslation();
  const { data: albums = [] } = useQuery(albumsQuery);
  const apply = useApply(target, onDone);
  const [creating, setCreating] = useState(false);
  const add = (id: string, name: string) => apply({ action: 'album_add', album_id: id, album: name });
  return (
    <>
      {dragging && (
        <aside className={classes.shelf} aria-label={t('library.addTo')}>
          <h2>{t('library.addTo')}</h2>
          <ul>
            {albums
              .filter(({ id }) => id !== albumId)
              .map(({ id, name }) => (
                <Target key={id} name={name} icon={<IconAlbum size={20} stroke={1.7} aria-hidden />} onDrop={() => add(id, name)} />
              ))}
            <Target name={t('albums.new')} icon={<IconPlus size={20} stroke={1.7} aria-hidden />} onDrop={() => setCreating(true)} />
          </ul>
        </aside>
      )}
      <AlbumForm opened={creating} onClose={() => setCreating(false)} onCreated={({ id, name }) => add(id, name)} />
    </>
  );
}

function Target({ name, icon, onDrop }: { name: string; icon: ReactNode; onDrop: () => void }) {
  const [over, setOver] = useState(false);
  return (
    <li
      title={name}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      {icon}
      <span dir="auto">{name}</span>
    </li>
  );
}
