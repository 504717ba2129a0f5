import { Combobox, useCombobox } from '@mantine/core';
import { IconAlbum, IconCalendar, IconFileTypography, IconHash, IconRuler2 } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import { albumsQuery } from '#renderer/albums/albums.ts';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { client } from '#renderer/service/client.ts';
import type { Filters } from './search.ts';
import { suggest } from './suggest.ts';
import { useFilterLabels } from './use-filter-labels.ts';

const ICONS = { album: IconAlbum, tag: IconHash, taken: IconCalendar, type: IconFileTypography, size: IconRuler2 };

const monthsQuery = queryOptions({
  queryKey: ['images', 'months'],
  queryFn: async ({ signal }) => (await client.call('GET /images/months', { signal })).months,
  staleTime: 30_000,
});

/** What a field needs for its suggestions. */
export interface FieldProps {
  onFocus?: () => void;
  onBlur?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export interface SuggestionsProps {
  search: Filters;
  inAlbum: boolean;
  /** What has been typed. */
  text: string;
  /** Called with what remains to be searched for when a filter is chosen. */
  onChoose: (rest: string) => void;
  field: (props: FieldProps) => ReactElement;
}

/** A search field that suggests albums, tags, months, types and sizes as filters while the user is typing. */
export function Suggestions({ search, inAlbum, text, onChoose, field }: SuggestionsProps) {
  const { t } = useTranslation();
  const labels = useFilterLabels();
  const [focused, setFocused] = useState(false);
  const typing = text.trim() !== '';
  const { data: albums } = useQuery({ ...albumsQuery, enabled: typing && !inAlbum });
  const { data: tags } = useQuery({ ...tagsQuery, enabled: typing });
  const { data: months } = useQuery({ ...monthsQuery, enabled: typing });
  const offers = { albums: inAlbum ? [] : (albums ?? []), tags: tags ?? [], months: months ?? [] };
  const { rest, suggestions } = suggest(text, offers, labels);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const offered = focused && suggestions.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing opens the list again, and what is selected is a place in the former one
  useEffect(() => {
    combobox.resetSelectedOption();
    if (offered) combobox.openDropdown();
    else combobox.closeDropdown();
  }, [offered, text]);
  const choose = (value: string) => {
    const chosen = suggestions[Number(value)];
    if (!chosen) return;
    search.change({ ...chosen.filters, q: rest || undefined });
    onChoose(rest);
  };
  const props: FieldProps = {
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
    onKeyDown: (event) => {
      // With a suggestion selected, the list has handled the key.
      if (event.key === 'Enter' && combobox.getSelectedOptionIndex() < 0) combobox.closeDropdown();
      // The list closes; the browser would also empty the field.
      if (event.key === 'Escape' && combobox.dropdownOpened) event.preventDefault();
    },
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" shadow="md" withinPortal={false}>
      <Combobox.Target withExpandedAttribute>{field(props)}</Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t('library.suggestions')}>
          {suggestions.map(({ kind, label }, index) => {
            const Icon = ICONS[kind];
            return (
              <Combobox.Option key={`${kind} ${label}`} value={String(index)} className={classes.suggestion}>
                <Icon size={17} stroke={1.7} aria-hidden />
                <span className={classes.suggested}>{label}</span>
                <span className={classes.kind}>{t(`library.kind.${kind}`)}</span>
              </Combobox.Option>
            );
          })}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
