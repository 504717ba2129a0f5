import { Button, CloseButton, Stack, Text, TextInput } from '@mantine/core';
import { IconAlbumOff, IconArrowLeft, IconArrowRight, IconCheck, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useAddableAlbums, useCreateAlbum } from '#renderer/albums/albums.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { BatchTarget } from '#renderer/images/list/batch.ts';
import classes from './album-choices.module.css';

export interface AlbumChoicesProps {
  /** What is added or moved. */
  target: BatchTarget;
  onAdd: (albumId: string, name: string) => void;
  /** Undefined: these are others' pictures, which can only be added, and only to the user's own albums. */
  onMove?: (albumId: string | null, name?: string) => void;
}

/** From this many albums on, scrolling is slower than typing. The others are found by their name. */
const SHOWN = 50;

/** Every album and a new one, to add pictures to or, on request, to move them to. */
export function AlbumChoices({ target, onAdd, onMove }: AlbumChoicesProps) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const addable = useAddableAlbums();
  const albums = onMove ? addable : addable.filter(({ role }) => role === 'owner');
  const create = useCreateAlbum();
  const [typed, setTyped] = useState('');
  const [isMove, setMove] = useState(false);
  const { images, sets } = target;
  // Of sets, only the service knows.
  const isFiled = onMove && (sets.length > 0 || images.some((image) => image.albums.length > 0));
  const hasAll = (albumId: string) => sets.length === 0 && images.length > 0 && images.every((image) => image.albums.includes(albumId));
  const name = typed.trim();
  const key = name.toLocaleLowerCase();
  const found = albums.filter((album) => album.name.toLocaleLowerCase().includes(key));
  const isNew = name !== '' && !albums.some((album) => album.name.toLocaleLowerCase() === key);
  const choose = isMove && onMove ? onMove : onAdd;
  const createOne = () => {
    if (!create.isPending)
      create.mutate({ name }, { onSuccess: (album) => choose(album.id, album.name), onError: (error) => notifyError(error) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || name === '') return;
    event.preventDefault();
    const [first] = found;
    if (first) choose(first.id, first.name);
    else createOne();
  };
  const switchTo = (move: boolean) => {
    setMove(move);
    setTyped('');
  };
  return (
    <Stack gap={4} className={classes.choices} onKeyDown={moveFocus}>
      {isMove && (
        <Choice icon={<IconArrowLeft size={16} />} onClick={() => switchTo(false)}>
          {t('library.addInstead')}
        </Choice>
      )}
      <TextInput
        key={String(isMove)}
        size="sm"
        aria-label={t(isMove ? 'library.moveTo' : 'library.addTo')}
        placeholder={t('library.albumSearch')}
        value={typed}
        maxLength={200}
        data-autofocus
        ref={isMove ? (field) => field?.focus() : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        rightSection={typed && <CloseButton size="sm" aria-label={t('library.searchClear')} onClick={() => setTyped('')} />}
      />
      {isMove && (
        <Text size="xs" c="dimmed" px="xs">
          {t('library.moveHint')}
        </Text>
      )}
      <ul aria-label={t('albums.title')}>
        {found.slice(0, SHOWN).map((album) => (
          <li key={album.id}>
            <Choice note={hasAll(album.id) ? t('albums.inAlbum') : undefined} onClick={() => choose(album.id, album.name)}>
              {album.name}
            </Choice>
          </li>
        ))}
      </ul>
      {isNew && (
        <Choice icon={<IconPlus size={16} />} disabled={create.isPending} onClick={createOne}>
          {t('library.createAlbum', { name })}
        </Choice>
      )}
      {!isMove && name === '' && isFiled && (
        <>
          <hr />
          {albums.length > 0 && (
            <Choice icon={<IconArrowRight size={16} />} onClick={() => switchTo(true)}>
              {t('library.moveInstead')}
            </Choice>
          )}
          <Choice icon={<IconAlbumOff size={16} />} onClick={() => onMove(null)}>
            {t('library.removeFromAlbums')}
          </Choice>
        </>
      )}
    </Stack>
  );
}

interface ChoiceProps {
  icon?: ReactNode;
  /** What a check mark beside the name means; undefined: none. */
  note?: string | undefined;
  disabled?: boolean;
  onClick: () => void;
  children: string;
}

function Choice({ icon, note, disabled = false, onClick, children }: ChoiceProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      fullWidth
      justify="flex-start"
      leftSection={icon}
      disabled={disabled}
      rightSection={note && <IconCheck size={16} role="img" aria-label={note} />}
      title={note ? `${children} (${note})` : children}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

/** The arrow keys go from one choice to the next, as in a menu. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button:not(:disabled)')];
  const at = stops.indexOf(document.activeElement as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1);
  stops[(at + stops.length) % stops.length]?.focus();
}
