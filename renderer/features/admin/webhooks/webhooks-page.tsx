import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import type { Webhook } from '#api/webhooks.ts';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { ShownOnce } from '#renderer/components/shown-once.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { AdminPage } from '../page.tsx';
import { PagedList, usePaged } from '../paged.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

export function WebhooksPage() {
  const { t } = useTranslation('admin');
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const [log, setLog] = useState<Webhook>();
  const [secret, setSecret] = useState<string>();
  const list = usePaged(['webhooks'], (cursor, signal) => client.call('GET /admin/webhooks', { query: { cursor }, signal }));
  return (
    <AdminPage
      title={t('sections.webhooks')}
      intro={t('webhooks.intro')}
      action={
        <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
          {t('webhooks.create')}
        </Button>
      }
    >
      <PagedList
        list={list}
        label={t('sections.webhooks')}
        empty={
          <EmptyState art={<IconWebhook size={48} stroke={1.2} aria-hidden />} title={t('webhooks.none')} text={t('webhooks.noneText')} />
        }
      >
        {(webhook) => <WebhookRow webhook={webhook} onEdit={() => setEdited(webhook)} onLog={() => setLog(webhook)} onSecret={setSecret} />}
      </PagedList>
      {edited && (
        <WebhookDialog webhook={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} onSecret={setSecret} />
      )}
      {log && <Deliveries webhook={log} onClose={() => setLog(undefined)} />}
      {secret && (
        <ShownOnce
          title={t('webhooks.secretTitle')}
          text={t('webhooks.secretText')}
          secret={secret}
          label={t('webhooks.copySecret')}
          done={t('stored')}
          onClose={() => setSecret(undefined)}
        />
      )}
    </AdminPage>
  );
}
