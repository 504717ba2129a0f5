import { Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { Album } from '#api/albums/albums.ts';
import { FormActions } from '#renderer/components/forms/form-actions.tsx';
import { FormModal, useReport } from '#renderer/components/forms/unsaved.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useChangeAlbum, useCreateAlbum } from './albums.ts';

interface Props {
  opened: boolean;
  /** The album to change; without it, the form creates one. */
  album?: Album;
  onClose: () => void;
  onCreated?: (album: Album) => void;
}

/** A dialog for the name and description of an album. */
export function AlbumForm(props: Props) {
  const { t } = useTranslation();
  const [changed, setChanged] = useState(false);
  return (
    <FormModal opened={props.opened} changed={changed} onClose={props.onClose} title={t(props.album ? 'albums.edit' : 'albums.new')}>
      <Fields {...props} onChanged={setChanged} />
    </FormModal>
  );
}

function Fields({ album, onClose, onCreated, onChanged }: Props & { onChanged: (changed: boolean) => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const create = useCreateAlbum();
  const change = useChangeAlbum();
  const [name, setName] = useState(album?.name ?? '');
  const [description, setDescription] = useState(album?.description ?? '');
  const [unnamed, setUnnamed] = useState(false);
  useReport(name !== (album?.name ?? '') || description !== (album?.description ?? ''), onChanged);
  const error = create.error ?? change.error;
  const save = () => {
    setUnnamed(!name.trim());
    if (!name.trim()) return;
    const onSuccess = (saved: Album) => {
      // Before the page may change: the form has nothing unsaved any more.
      flushSync(onClose);
      if (!album) onCreated?.(saved);
    };
    if (album) change.mutate({ id: album.id, name, description }, { onSuccess });
    else create.mutate({ name, description }, { onSuccess });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack>
        {error && <ErrorNotice explanation={explain(error)} />}
        <TextInput
          label={t('albums.name')}
          value={name}
          maxLength={200}
          required
          error={unnamed && t('albums.nameMissing')}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Textarea
          label={t('albums.description')}
          description={t('albums.descriptionHint')}
          value={description}
          maxLength={5000}
          autosize
          minRows={2}
          maxRows={8}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <FormActions submit={t(album ? 'albums.save' : 'albums.new')} onClose={onClose} loading={create.isPending || change.isPending} />
      </Stack>
    </form>
  );
}
