import { MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_TAG_LENGTH, MAX_TAGS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { useAddableAlbums, useCreateAlbum } from '#renderer/albums/albums.ts';
import { TakenField, takenProblem, toLocalSecond } from '#renderer/components/forms/taken-field.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

/** An image's name, albums, tags and date. A field is saved on Enter and when it loses focus. */
export function Sorting({ image, change }: { image: Image; change: Change }) {
  return (
    <Stack gap="sm" className={classes.fields}>
      <Name image={image} change={change} />
      <Albums image={image} change={change} />
      <Tags image={image} change={change} />
      <Taken key={image.taken_at} image={image} change={change} />
    </Stack>
  );
}

/** Keeps what was entered until the image has it: keys can be faster. */
function Tags({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const { data: known } = useQuery(tagsQuery);
  const [tags, setTags] = useState(image.tags);
  const [former, setFormer] = useState(image.tags);
  if (former !== image.tags) {
    setFormer(image.tags);
    setTags(image.tags);
  }
  return (
    <TagsInput
      {...ownEscape}
      label={t('library.tags')}
      size="sm"
      value={tags}
      maxTags={MAX_TAGS}
      maxLength={MAX_TAG_LENGTH}
      acceptValueOnBlur
      data={known ?? []}
      onChange={(value) => {
        setTags(value);
        change({ tags: value });
      }}
    />
  );
}

/** Stands for the album that has yet to be created; no id looks like it. */
const NEW = '+';

function Albums({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  // An album that its owner only lets the user see any more keeps the picture until the user removes it.
  const albums = useAddableAlbums(image.albums);
  const create = useCreateAlbum();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isNew = name !== '' && !albums.some((album) => album.name.toLocaleLowerCase() === name.toLocaleLowerCase());
  const save = (ids: string[]) => {
    if (!ids.includes(NEW)) return change({ albums: ids });
    const others = ids.filter((id) => id !== NEW);
    create.mutate({ name }, { onSuccess: ({ id }) => change({ albums: [...others, id] }), onError: (error) => notifyError(error) });
  };
  const known = albums.map(({ id, name: label }) => ({ value: id, label }));
  return (
    <MultiSelect
      {...ownEscape}
      label={t('albums.title')}
      placeholder={image.albums.length > 0 ? '' : t('library.noAlbum')}
      size="sm"
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      maxDropdownHeight={240}
      value={image.albums.filter((id) => albums.some((album) => album.id === id))}
      onChange={save}
      data={isNew ? [...known, { value: NEW, label: t('library.createAlbum', { name }) }] : known}
    />
  );
}

/** A date that no picture has stays in the field, with the reason. */
function Taken({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const former = toLocalSecond(image.taken_at);
  const [time, setTime] = useState(former);
  const [isDone, setDone] = useState(false);
  const save = () => {
    setDone(true);
    if (time !== former && !takenProblem(time)) change({ taken_at: new Date(time).toISOString() });
  };
  return (
    <TakenField
      {...ownEscape}
      label={t('details.taken')}
      value={time}
      isTyped={!isDone}
      onChange={(value) => {
        setDone(false);
        setTime(value);
      }}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
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
