import { Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TAG_LENGTH, MAX_TAGS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { ownEscape } from './own-escape.ts';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

/** An image's name, album and tags. A field is saved on Enter and when it loses focus. */
export function Sorting({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const { data: albums } = useQuery(albumsQuery);
  const { data: tags } = useQuery(tagsQuery);
  return (
    <Stack gap="sm" className={classes.fields}>
      <Name image={image} change={change} />
      <Select
        {...ownEscape}
        label={t('library.album')}
        placeholder={t('library.noAlbum')}
        size="sm"
        searchable
        clearable
        value={image.album_id}
        onChange={(album_id) => change({ album_id })}
        data={albums?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      <TagsInput
        {...ownEscape}
        label={t('library.tags')}
        size="sm"
        value={image.tags}
        maxTags={MAX_TAGS}
        maxLength={MAX_TAG_LENGTH}
        acceptValueOnBlur
        data={tags ?? []}
        onChange={(value) => change({ tags: value })}
      />
    </Stack>
  );
}

function Name({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const [name, setName] = useState(image.name);
  const save = () => {
    const trimmed = name.trim();
    if (trimmed && trimmed !== image.name) change({ name: trimmed });
    else setName(image.name);
  };
  return (
    <TextInput
      {...ownEscape}
      label={t('details.file')}
      size="sm"
      value={name}
      maxLength={1024}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
