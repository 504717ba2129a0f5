import { SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Visibility } from '#api/upload.ts';

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

interface AlbumProps extends Props<string | null> {
  /** Undefined while they load. */
  albums: readonly { id: string; name: string }[] | undefined;
}

/** One of the albums by its id, or none. */
export function AlbumChoice({ label, albums, value, onChange }: AlbumProps) {
  const { t } = useTranslation();
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
