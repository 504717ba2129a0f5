import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { Labels } from './suggest.ts';

/** The wording of filters in the user's language. */
export function useFilterLabels(): Labels {
  const { t } = useTranslation();
  const format = useFormat();
  return {
    taken: (period) => (period.length === 4 ? t('library.year', { year: period }) : format.month(period)),
    type: (type) => (type === 'video' ? t('searching.videos') : type.toUpperCase()),
    size: ({ min_size, max_size }) =>
      format.list([
        ...(min_size === undefined ? [] : [t('library.atLeast', { size: format.bytes(min_size) })]),
        ...(max_size === undefined ? [] : [t('library.atMost', { size: format.bytes(max_size) })]),
      ]),
  };
}
