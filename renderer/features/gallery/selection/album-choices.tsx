import { Button, Menu, TextInput } from '@mantine/core';
import { IconAlbumOff, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { albumsQuery, useCreateAlbum } from '#renderer/albums/albums.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';

/** Menu items for every album, for none, and for a new one. */
export function AlbumChoices({ onChoose }: { onChoose: (albumId: string | null, name?: string) => void }) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { data: albums } = useQuery(albumsQuery);
  const create = useCreateAlbum();
  const [name, setName] = useState<string>();
  if (name !== undefined)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() && !create.isPending)
            create.mutate({ name }, { onSuccess: (album) => onChoose(album.id, album.name), onError: (error) => notifyError(error) });
        }}
      >
        <TextInput
          m="xs"
          label={t('albums.name')}
          value={name}
          maxLength={200}
          ref={(field) => field?.focus()}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
          rightSectionWidth={90}
          rightSection={
            <Button type="submit" size="compact-sm" loading={create.isPending} disabled={!name.trim()}>
              {t('albums.create')}
            </Button>
          }
        />
      </form>
    );
  return (
    <>
      <Menu.Item leftSection={<IconPlus size={16} />} closeMenuOnClick={false} onClick={() => setName('')}>
        {t('albums.new')}
      </Menu.Item>
      <Menu.Item leftSection={<IconAlbumOff size={16} />} onClick={() => onChoose(null)}>
        {t('library.removeFromAlbum')}
      </Menu.Item>
      {albums && albums.length > 0 && <Menu.Divider />}
      {albums?.map((album) => (
        <Menu.Item key={album.id} onClick={() => onChoose(album.id, album.name)}>
          {album.name}
        </Menu.Item>
      ))}
    </>
  );
}
