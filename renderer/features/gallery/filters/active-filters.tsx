import { Anchor, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { parseSearch } from '#api/images/search-terms.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { ImageFilters, Sort } from '#renderer/images/list/view.ts';
import { setPreferences } from '#renderer/preferences/preferences.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import type { Filters } from './search.ts';
import { useFilterLabels } from './use-filter-labels.ts';

/** The active filters, each with a button that removes it, and which dates a search has looked for. */
export function ActiveFilters({ search: { filters, change, clear, active }, sort }: { search: Filters; sort: Sort }) {
  const { t } = useTranslation();
  const format = useFormat();
  const whoCanOpen = useWhoCanOpen();
  const labels = useFilterLabels();
  const { data: albums } = useQuery({ ...albumsQuery, enabled: filters.album_id !== undefined });
  const album = albums?.find(({ id }) => id === filters.album_id);
  const day = (value: string) => format.date(`${value}T12:00:00`);
  const chips: [keyof ImageFilters, string | undefined][] = [
    ['q', filters.q && (tagAlone(filters.q) ?? `“${filters.q}”`)],
    ['album_id', filters.album_id && (album?.name ?? t('library.album'))],
    ['visibility', filters.visibility && whoCanOpen(filters.visibility)],
    ['tag', filters.tag && `#${filters.tag}`],
    ['type', filters.type && labels.type(filters.type)],
    ['favourite', filters.favourite && t('library.favourites')],
    ['taken', filters.taken && labels.taken(filters.taken)],
    ['min_size', filters.min_size === undefined ? undefined : labels.size({ min_size: filters.min_size })],
    ['max_size', filters.max_size === undefined ? undefined : labels.size({ max_size: filters.max_size })],
    ['from', filters.from && t('library.since', { date: day(filters.from) })],
    ['to', filters.to && t('library.until', { date: day(filters.to) })],
  ];
  return (
    <>
      <ul className={classes.chips} aria-label={t('library.filter')}>
        {chips.map(
          ([name, label]) =>
            label && (
              <li key={name}>
                <button
                  type="button"
                  className={classes.chip}
                  aria-label={t('library.without', { filter: label })}
                  onClick={() => change({ [name]: undefined })}
                >
                  {label}
                  <IconX size={14} aria-hidden />
                </button>
              </li>
            ),
        )}
        {active > 1 && (
          <li>
            <button type="button" className={classes.chip} data-quiet onClick={clear}>
              {t('library.showAll')}
            </button>
          </li>
        )}
      </ul>
      {filters.q && namesDate(filters.q) && <WhichDates sort={sort} />}
    </>
  );
}

/** A search for nothing but a tag, as the tag's own filter is called. */
function tagAlone(text: string): string | undefined {
  const [part, ...others] = parseSearch(text).parts;
  return part?.tag && others.length === 0 ? `#${part.tag}` : undefined;
}

const namesDate = (text: string) => parseSearch(text).parts.some(({ date, dates }) => date ?? dates);

/** Which dates a search has looked for: those that the pictures are sorted by. */
function WhichDates({ sort }: { sort: Sort }) {
  const { t } = useTranslation();
  const taken = sort.startsWith('taken');
  const change = () => setPreferences({ timeline: taken ? 'uploaded_desc' : 'taken_desc' });
  return (
    <Text size="sm" c="dimmed" className={classes.similar}>
      {t(taken ? 'searching.byTaken' : 'searching.byUpload')}{' '}
      {sort !== 'album_order' && (
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {t(taken ? 'searching.useUpload' : 'searching.useTaken')}
        </Anchor>
      )}
    </Text>
  );
}
