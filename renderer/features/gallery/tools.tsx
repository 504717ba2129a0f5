import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterMenu } from './filter-menu.tsx';
import classes from './gallery.module.css';
import type { Filters } from './search.ts';
import { ViewMenu } from './view-menu.tsx';

/** Typing must pause this long before a search is sent. */
const SEARCH_DELAY_MS = 250;

/** Search, filters and view options. */
export function Tools({ search, inAlbum }: { search: Filters; inAlbum: boolean }) {
  return (
    <>
      <SearchBox search={search} />
      <FilterMenu search={search} inAlbum={inAlbum} />
      <ViewMenu />
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
