import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ViewReport } from '#renderer/images/view-report.tsx';
import { client } from '#renderer/service/client.ts';

const DAYS = 30;

/** The user's most viewed pictures, and where their views come from. */
export function ViewsPage() {
  const { t } = useTranslation();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['images', 'views of all'],
    queryFn: ({ signal }) => client.call('GET /user/views', { query: { days: DAYS }, signal }),
  });
  return (
    <>
      <Text c="dimmed" size="sm" mb="lg">
        {t('views.intro')}
      </Text>
      {isPending && <Skeleton height={180} />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && <ViewReport report={data} />}
    </>
  );
}
