import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery } from '#renderer/service/queries.ts';
import type { Filters } from './filters/search.ts';

/** How often the number of pictures without recognised text is read again. */
const REFRESH_MS = 10_000;

/** Shown where a search or a filter leaves no image. */
export function NothingFound({ search: { filters, clear } }: { search: Filters }) {
  const { t } = useTranslation();
  return (
    <EmptyState art={null} title={t('library.nothing')} text={t('library.nothingText')}>
      {filters.q && <Unread />}
      <Button variant="default" mt="md" onClick={clear}>
        {t('library.showAll')}
      </Button>
    </EmptyState>
  );
}

/** Says that pictures may be missing because their text is yet to be recognised. */
function Unread() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: config } = useQuery(configQuery);
  const { data: unread } = useQuery({
    queryKey: ['text', 'waiting'],
    queryFn: ({ signal }) => client.call('GET /user/text', { signal }),
    enabled: config?.ocr_enabled === true,
    refetchInterval: ({ state }) => (state.data?.waiting ? REFRESH_MS : false),
  });
  if (!unread?.waiting) return null;
  return (
    <Text size="sm" c="dimmed" ta="center" maw="44ch" role="status">
      {t('searching.unread', { count: unread.waiting, formatted: format.number(unread.waiting) })}
    </Text>
  );
}
