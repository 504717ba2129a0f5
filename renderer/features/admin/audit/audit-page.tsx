import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { client } from '#renderer/service/client.ts';
import { useAdminFilters } from '../filters.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { EntryRow } from './entry-row.tsx';
import { Filters, toQuery } from './filters.tsx';

export function AuditPage() {
  const { t } = useTranslation('admin');
  const { filters, narrow, clear } = useAdminFilters();
  const query = toQuery(filters);
  const filtered = Object.keys(query).length > 0;
  const list = usePaged(['audit', query], (cursor, signal) => client.call('GET /admin/audit', { query: { cursor, ...query }, signal }));
  return (
    <AdminPage title={t('sections.audit')} intro={t('audit.intro')}>
      <Filters filters={filters} onChange={narrow} />
      <PagedList
        list={list}
        label={t('sections.audit')}
        empty={
          <EmptyState
            art={<IconHistory size={48} stroke={1.2} aria-hidden />}
            title={t(filtered ? 'audit.none' : 'audit.nothing')}
            text={t(filtered ? 'audit.noneText' : 'audit.nothingText')}
          >
            {filtered && (
              <Button variant="default" mt="sm" onClick={clear}>
                {t('audit.clear')}
              </Button>
            )}
          </EmptyState>
        }
      >
        {(entry) => <EntryRow entry={entry} />}
      </PagedList>
    </AdminPage>
  );
}
