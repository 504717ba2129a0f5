import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconFilter, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PopupButton } from '#renderer/components/popup-button.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import type { Filters } from './search.ts';

/** Typing must pause this long before a search is sent. */
const SEARCH_DELAY_MS = 250;

const getFilterMenu = async () => (await import('./filter-menu.tsx')).FilterMenu;
const getViewMenu = async () => (await import('./view-menu.tsx')).ViewMenu;

/** Search, filters and view options. */
export function Tools({ search, inAlbum }: { search: Filters; inAlbum: boolean }) {
  const { t } = useTranslation();
  const { q, ...others } = search.filters;
  const filtered = Object.values(others).some((value) => value !== undefined);
  const look = { variant: 'subtle', color: 'gray', size: 'lg' } as const;
  return (
    <>
      <SearchBox search={search} />
      <PopupButton
        get={getFilterMenu}
        kind="dialog"
        popup={{ search, inAlbum }}
        button={(props) => (
          <ActionIcon {...look} className={classes.filter} aria-label={t('library.filter')} title={t('library.filter')} {...props}>
            <IconFilter size={20} stroke={1.7} />
            {filtered && <span className={classes.filtered} />}
          </ActionIcon>
        )}
      />
      <PopupButton
        get={getViewMenu}
        kind="dialog"
        popup={{}}
        button={(props) => (
          <ActionIcon {...look} aria-label={t('gallery.view')} {...props}>
            <IconAdjustmentsHorizontal size={20} stroke={1.7} />
          </ActionIcon>
        )}
      />
    </>
  );
}

function SearchBox({ search }: { search: Filters }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const { q } = search.filters;
  const [text, setText] = useState(q ?? '');
  const apply = useDebouncedCallback((value: string) => search.change({ q: value.trim() || undefined }), SEARCH_DELAY_MS);
  // Back and the filter chips change the search too, but must not overwrite what is being typed.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(q ?? '');
  }, [q]);
  useHotkeys([['/', () => field.current?.focus()]]);
  const write = (value: string) => {
    setText(value);
    apply(value);
  };
  return (
    <TextInput
      ref={field}
      type="search"
      className={classes.search}
      classNames={{ input: classes.searchInput }}
      aria-label={t('library.search')}
      placeholder={t('library.searchHint')}
      leftSection={<IconSearch size={17} stroke={1.7} />}
      rightSection={text && <CloseButton aria-label={t('library.searchClear')} onClick={() => write('')} />}
      value={text}
      maxLength={300}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') write('');
      }}
    />
  );
}
