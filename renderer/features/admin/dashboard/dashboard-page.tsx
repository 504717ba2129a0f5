import { useQuery } from '@tanstack/react-query';
import type { Stats } from '#api/admin/stats.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { Disks } from '../disks.tsx';
import { AdminPage, Loaded, Part } from '../page.tsx';
import { PeriodChoice, usePeriod } from '../period-choice.tsx';
import { Charts } from './charts.tsx';

export function DashboardPage() {
  const { t } = useTranslation('admin');
  const { days, choose } = usePeriod();
  const stats = useQuery({
    queryKey: ['admin', 'stats', days],
    queryFn: ({ signal }) => client.call('GET /admin/stats', { query: { days }, signal }),
    placeholderData: (before) => before,
  });
  const system = useQuery({ queryKey: ['admin', 'system'], queryFn: ({ signal }) => client.call('GET /admin/system', { signal }) });
  return (
    <AdminPage title={t('sections.dashboard')} action={<PeriodChoice days={days} onChange={choose} />}>
      <Loaded query={stats}>
        {(data) => (
          <>
            <Totals totals={data.totals} days={data.days.length} />
            <Charts days={data.days} storedNow={data.totals.stored_bytes} />
            <Part title={t('dashboard.most')} hint={t('dashboard.mostHint')}>
              <Users users={data.users} />
            </Part>
          </>
        )}
      </Loaded>
      <Part title={t('system.disks')}>
        <Loaded query={system}>{({ disks }) => <Disks disks={disks} />}</Loaded>
      </Part>
    </AdminPage>
  );
}

function Totals({ totals, days }: { totals: Stats['totals']; days: number }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const facts: [string, string][] = [
    [t('dashboard.images'), format.number(totals.images)],
    [t('dashboard.stored'), format.bytes(totals.stored_bytes)],
    [t('dashboard.viewsIn', { days }), format.number(totals.views)],
    [t('dashboard.people'), format.number(totals.users)],
  ];
  return (
    <dl className={classes.facetList}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Users({ users }: { users: Stats['users'] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <dl className={classes.table}>
      {users.slice(0, 8).map(({ user, stored_bytes, uploads }) => (
        <div key={user?.id ?? 0} style={{ display: 'contents' }}>
          <dt>{user?.username ?? t('guests')}</dt>
          <dd>
            {format.bytes(stored_bytes)} · {t('dashboard.uploadCount', { count: uploads, formatted: format.number(uploads) })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
