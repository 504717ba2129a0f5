import type { Webhook, WebhookDelivery } from '#api/webhooks.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { DeliveryRow, WebhookRow } from '#server/platform/db/schema/webhooks.ts';

export function presentWebhook({ id, name, url, events, enabled, created_at }: WebhookRow): Webhook {
  return { id, name, url, events: readList(events), enabled: enabled === 1, created_at: toInstant(created_at) };
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  const { id, message_id, type, state, attempts, last_status, last_error } = row;
  return {
    id,
    message_id,
    type,
    data: JSON.parse(row.data),
    state,
    attempts,
    next_attempt_at: state === 'pending' ? toInstant(row.next_attempt_at) : null,
    created_at: toInstant(row.created_at),
    last_attempt_at: toInstant(row.last_attempt_at),
    last_status,
    last_error,
  };
}
