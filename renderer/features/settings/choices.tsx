import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Visibility } from '#api/upload.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';

interface Props<T> {
  /** Id of the element that labels the choice. */
  label: string;
  value: T;
  onChange(value: T): void;
}

export function VisibilityChoice({ label, value, onChange }: Props<Visibility>) {
  const { t } = useTranslation();
  return (
    <SegmentedControl<Visibility>
      fullWidth
      aria-labelledby={label}
      value={value}
      onChange={onChange}
      data={[
        { value: 'public', label: t('details.public') },
        { value: 'private', label: t('details.private') },
      ]}
    />
  );
}

/** One of the user's albums by its id, or none. */
export function AlbumChoice({ label, value, onChange }: Props<string | null>) {
  const { t } = useTranslation();
  const { data: albums } = useQuery(albumsQuery);
  return (
    <Select
      aria-labelledby={label}
      placeholder={t('library.noAlbum')}
      clearable
      searchable
      value={value}
      onChange={onChange}
      data={albums?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
    />
  );
}
