import { Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import type { PopupProps } from '#renderer/components/popup-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { Choice } from './choice.tsx';
import type { Filters } from './search.ts';
import { FILE_TYPES } from './suggest.ts';
import { useFilterLabels } from './use-filter-labels.ts';

interface Props {
  search: Filters;
  inAlbum: boolean;
}

/** The filters. Changes apply immediately. */
export function FilterMenu({ search, inAlbum, button }: Props & PopupProps) {
  const { t } = useTranslation();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={320}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={t('library.filter')}>
        <Fields search={search} inAlbum={inAlbum} />
        {search.active > 0 && (
          <Button variant="default" size="xs" fullWidth mt="md" onClick={search.clear}>
            {t('library.showAll')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Fields({ search: { filters, change }, inAlbum }: Props) {
  const { t } = useTranslation();
  const whoCanOpen = useWhoCanOpen();
  const labels = useFilterLabels();
  const { data: albums } = useQuery(albumsQuery);
  const { data: tags } = useQuery(tagsQuery);
  const select = { size: 'sm', clearable: true, searchable: true, comboboxProps: { withinPortal: false } } as const;
  return (
    <Stack gap="sm">
      <Choice<'all' | 'public' | 'private'>
        label={t('details.visibility')}
        value={filters.visibility ?? 'all'}
        onChange={(value) => change({ visibility: value === 'all' ? undefined : value })}
        data={[
          { value: 'all', label: t('library.all') },
          { value: 'public', label: whoCanOpen('public') },
          { value: 'private', label: whoCanOpen('private') },
        ]}
      />
      {!inAlbum && (
        <Select
          {...select}
          label={t('library.album')}
          placeholder={t('library.any')}
          value={filters.album_id ?? null}
          onChange={(value) => change({ album_id: value ?? undefined })}
          data={albums?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
      )}
      <Group grow gap="sm" align="start">
        <Select
          {...select}
          label={t('library.tag')}
          placeholder={t('library.any')}
          value={filters.tag ?? null}
          onChange={(value) => change({ tag: value ?? undefined })}
          data={tags ?? []}
        />
        <Select
          {...select}
          label={t('library.type')}
          placeholder={t('library.any')}
          value={filters.type ?? null}
          onChange={(value) => change({ type: value ?? undefined })}
          data={FILE_TYPES.map((type) => ({ value: type, label: labels.type(type) }))}
        />
      </Group>
      <Group grow gap="sm">
        <Day label={t('library.from')} value={filters.from} max={filters.to} onChange={(from) => change({ from })} />
        <Day label={t('library.to')} value={filters.to} min={filters.from} onChange={(to) => change({ to })} />
      </Group>
      <Switch
        label={t('library.favourites')}
        checked={filters.favourite === true}
        onChange={(event) => change({ favourite: event.currentTarget.checked || undefined })}
      />
    </Stack>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string | undefined) => void;
}

function Day({ label, value, min, max, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      size="sm"
      label={label}
      value={value ?? ''}
      min={min}
      max={max ?? '9999-12-31'}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
