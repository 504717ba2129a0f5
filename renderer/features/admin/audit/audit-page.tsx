import { Button, Code, Collapse, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '#api/admin-audit.ts';
import { EmptyState } from '#renderer/components/notice.tsx';
import shared from '#renderer/components/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { client } from '#renderer/service/client.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';

export function AuditPage() {
  const { t } = useTranslation('admin');
  const [text, setText] = useState('');
  const [action] = useDebouncedValue(text.trim(), 250);
  const list = usePaged(['audit', action], (cursor, signal) =>
    client.call('GET /admin/audit', { query: { cursor, ...(action && { action }) }, signal }),
  );
  return (
    <AdminPage title={t('sections.audit')} intro={t('audit.intro')}>
      <TextInput
        mb="md"
        maw="22rem"
        label={t('audit.action')}
        placeholder={t('audit.example')}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <PagedList
        list={list}
        label={t('sections.audit')}
        empty={
          <EmptyState
            art={<IconHistory size={48} stroke={1.2} aria-hidden />}
            title={t(action ? 'audit.none' : 'audit.nothing')}
            text={t(action ? 'audit.noneText' : 'audit.nothingText')}
          />
        }
      >
        {(entry) => <EntryRow entry={entry} />}
      </PagedList>
    </AdminPage>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const id = useId();
  const [opened, { toggle }] = useDisclosure(false);
  const hasDetails = Object.keys(entry.details).length > 0;
  const facts = [format.moment(entry.at), entry.actor?.username ?? t('audit.nobody'), entry.address];
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h2>
          <span className={shared.mono}>{entry.action}</span>
          {entry.target}
        </h2>
        <p className={shared.facts}>{facts.filter(Boolean).join(' · ')}</p>
        <Collapse expanded={opened} id={id}>
          <p className={shared.facts}>{entry.user_agent}</p>
          {hasDetails && (
            <Code block mt="xs">
              {JSON.stringify(entry.details, null, 2)}
            </Code>
          )}
        </Collapse>
      </div>
      {(hasDetails || entry.user_agent) && (
        <Button variant="subtle" size="xs" aria-expanded={opened} aria-controls={id} onClick={toggle}>
          {t(opened ? 'audit.less' : 'audit.details')}
        </Button>
      )}
    </li>
  );
}
