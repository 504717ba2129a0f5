import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ViewReport } from '#renderer/images/view-report.tsx';
import { client } from '#renderer/service/client.ts';
import { AdminPage, Loaded } from '../page.tsx';
import { PeriodChoice, usePeriod } from '../period-choice.tsx';

/** The most viewed pictures of all users, and where their views come from. */
export function ViewsPage() {
  const { t } = useTranslation('admin');
  const { days, choose } = usePeriod();
  const query = useQuery({
    queryKey: ['admin', 'views', days],
    queryFn: ({ signal }) => client.call('GET /admin/views', { query: { days }, signal }),
    placeholderData: (before) => before,
  });
  return (
    <AdminPage title={t('sections.views')} intro={t('views.intro')} action={<PeriodChoice days={days} onChange={choose} />}>
      <Loaded query={query}>{(report) => <ViewReport report={report} about={({ owner }) => owner?.username ?? t('guests')} />}</Loaded>
    </AdminPage>
  );
}
