import { Button, Collapse } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useId } from 'react';
import type { AuditEntry } from '#api/admin/audit.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAdminFilters } from '../filters.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import classes from './audit.module.css';
import { actionName, targetName, useDetails } from './describe.ts';
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

/** One action: what, who, when and from where; the details on request. */
function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const describe = useDetails();
  const id = useId();
  const [opened, { toggle }] = useDisclosure(false);
  const details = [...describe(entry.details), ...(entry.user_agent ? [{ name: t('audit.device'), value: entry.user_agent }] : [])];
  const facts = [format.moment(entry.at), entry.actor?.username ?? t('audit.nobody'), entry.address];
  const target = targetName(t, format.list, entry);
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h2>
          {actionName(t, entry.action)}
          {target && <span className={classes.target}>{target}</span>}
        </h2>
        <Facts facts={facts} />
      </div>
      {details.length > 0 && (
        <Button variant="subtle" size="xs" aria-expanded={opened} aria-controls={id} onClick={toggle}>
          {t(opened ? 'audit.less' : 'audit.details')}
        </Button>
      )}
      <Collapse expanded={opened} id={id} className={classes.more}>
        <dl className={classes.details}>
          {details.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Collapse>
    </li>
  );
}
