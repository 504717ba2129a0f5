import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Id of the element that labels the choice. */
  label: string;
  value: string | null;
  onChange(value: string | null): void;
  /** Undefined while they load. */
  albums: readonly { id: string; name: string }[] | undefined;
}

/** One of the albums by its id, or none. */
export function AlbumChoice({ label, albums, value, onChange }: Props) {
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
