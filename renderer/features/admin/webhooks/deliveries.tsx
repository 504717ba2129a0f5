import { Badge, Button, Modal, Text } from '@mantine/core';
import type { Webhook, WebhookDelivery } from '#api/webhooks.ts';
import { Facts } from '#renderer/components/layout/facts.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { PagedList, usePaged } from '../paged.tsx';
import { useChange } from '../use-change.ts';

/** Milliseconds between refreshes while a delivery is pending. */
const REFRESH_MS = 1500;

/** The deliveries of a webhook. */
export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const list = usePaged(
    ['deliveries', webhook.id],
    (cursor, signal) => client.call('GET /admin/webhooks/:id/deliveries', { params: { id: webhook.id }, query: { cursor }, signal }),
    { refreshAfter: (items) => items.some(({ state }) => state === 'pending') && REFRESH_MS },
  );
  return (
    <Modal opened onClose={onClose} size="lg" title={t('webhooks.logTitle', { name: webhook.name })}>
      <PagedList list={list} label={t('webhooks.log')} empty={<Text c="dimmed">{t('webhooks.logEmpty')}</Text>}>
        {(delivery) => <DeliveryRow webhookId={webhook.id} delivery={delivery} />}
      </PagedList>
    </Modal>
  );
}

const COLOURS = { pending: 'gray', delivered: 'teal', failed: 'red' } as const;

function DeliveryRow({ webhookId, delivery }: { webhookId: number; delivery: WebhookDelivery }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const again = useChange(
    () =>
      client.call('POST /admin/webhooks/:id/deliveries/:delivery_id/redeliver', { params: { id: webhookId, delivery_id: delivery.id } }),
    {
      stale: ['deliveries'],
      done: () => t('webhooks.resent'),
    },
  );
  const facts = [
    format.moment(delivery.created_at),
    delivery.attempts > 0 && t('webhooks.attempts', { count: delivery.attempts }),
    delivery.last_status && t('webhooks.answered', { status: delivery.last_status }),
    delivery.state === 'pending' && delivery.next_attempt_at && t('webhooks.next', { date: format.moment(delivery.next_attempt_at) }),
  ];
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h3>
          {delivery.type}
          <Badge variant="outline" color={COLOURS[delivery.state]} c="var(--mantine-color-text)" tt="none">
            {t(`webhooks.states.${delivery.state}`)}
          </Badge>
        </h3>
        <Facts facts={facts} />
        {delivery.last_error && <p className={shared.facts}>{delivery.last_error}</p>}
      </div>
      {delivery.state !== 'pending' && (
        <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate(undefined)}>
          {t('webhooks.resend')}
        </Button>
      )}
    </li>
  );
}
