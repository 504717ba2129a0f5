import { MultiSelect, Select } from '@mantine/core';
import { MAX_ALBUMS_AT_ONCE } from '#api/constants.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

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

/** Any number of the albums by their ids. */
export function AlbumsChoice({ label, albums = [], value, onChange }: Pick<Props, 'label' | 'albums'> & SeveralProps) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      aria-labelledby={label}
      placeholder={value.length > 0 ? undefined : t('library.noAlbum')}
      searchable
      maxValues={MAX_ALBUMS_AT_ONCE}
      value={value.filter((id) => albums.some((album) => album.id === id))}
      onChange={onChange}
      data={albums.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

interface SeveralProps {
  value: string[];
  onChange(value: string[]): void;
}
