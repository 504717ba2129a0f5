import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconFilter, IconSearch } from '@tabler/icons-react';
import { type ComponentType, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { PopupButton } from '#renderer/components/popup-button.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { load } from '#renderer/service/connection.ts';
import { useLoadWhenIdle } from '#renderer/service/idle.ts';
import type { Filters } from './search.ts';
import type { FieldProps, SuggestionsProps } from './suggestions.tsx';

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
      <SearchBox search={search} inAlbum={inAlbum} />
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

function SearchBox({ search, inAlbum }: { search: Filters; inAlbum: boolean }) {
  const { t } = useTranslation();
  const ref = useRef<HTMLInputElement>(null);
  const { q } = search.filters;
  const [text, setText] = useState(q ?? '');
  // The address that typing has made: it is one step back, however often it pauses.
  const typedHere = useRef<string>(undefined);
  const apply = useDebouncedCallback((value: string) => {
    const next = value.trim() || undefined;
    if (next === q) return;
    search.change({ q: next }, { replace: q !== undefined && q === typedHere.current });
    typedHere.current = next;
  }, SEARCH_DELAY_MS);
  // Back and the filter chips change the search too, but must not overwrite what is being typed.
  useEffect(() => {
    if (document.activeElement !== ref.current) setText(q ?? '');
  }, [q]);
  useHotkeys([['/', () => ref.current?.focus()]]);
  const write = (value: string) => {
    setText(value);
    apply(value);
  };
  const { Suggestions, loadSuggestions } = useSuggestions(ref);
  const field = (props: FieldProps) => (
    <TextInput
      ref={ref}
      type="search"
      role="combobox"
      aria-expanded={false}
      className={classes.search}
      classNames={{ input: classes.searchInput }}
      aria-label={t('library.search')}
      placeholder={t('library.searchHint')}
      leftSection={<IconSearch size={17} stroke={1.7} />}
      rightSection={text && <CloseButton aria-label={t('library.searchClear')} onClick={() => write('')} />}
      value={text}
      maxLength={300}
      onChange={(event) => write(event.currentTarget.value)}
      onFocus={() => {
        loadSuggestions();
        props.onFocus?.();
      }}
      onBlur={() => {
        typedHere.current = undefined;
        props.onBlur?.();
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event);
        if (event.key !== 'Escape') return;
        // With a list of suggestions, it closes that first; the browser would clear the field.
        if (event.currentTarget.ariaExpanded === 'true') event.preventDefault();
        else write('');
      }}
    />
  );
  if (!Suggestions) return field({});
  return <Suggestions search={search} inAlbum={inAlbum} text={text} onChoose={write} field={field} />;
}

const getSuggestions = async () => (await import('./suggestions.tsx')).Suggestions;

/** Loads the suggestions when the field is focused, or before it when the page is idle. They bring the field with them, which keeps its focus. */
function useSuggestions(ref: RefObject<HTMLInputElement | null>) {
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>();
  useLoadWhenIdle(getSuggestions);
  const caret = useRef<number | null>(undefined);
  const loadSuggestions = () => {
    if (Suggestions) return;
    load(getSuggestions)
      .then((loaded) => {
        const { current: input } = ref;
        caret.current = input && document.activeElement === input ? input.selectionStart : undefined;
        setSuggestions(() => loaded);
      })
      .catch(() => undefined); // searching works without them
  };
  useLayoutEffect(() => {
    if (!Suggestions || caret.current === undefined) return;
    ref.current?.focus();
    ref.current?.setSelectionRange(caret.current, caret.current);
  }, [Suggestions, ref]);
  return { Suggestions, loadSuggestions };
}
