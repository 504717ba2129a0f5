import type { Webhook, WebhookDelivery } from '#api/webhooks.ts';
import * as api from '#api/webhooks.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { readList } from '#server/platform/db/lists.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { DeliveryRow, WebhookRow } from '#server/platform/db/schema/webhooks.ts';
import { allowedAddresses, createAddressRules, resolveBySystem } from '#server/platform/fetching/addresses.ts';
import { parseWebAddress } from '#server/platform/fetching/guarded-request.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateSecret,
  sendTest,
} from './webhooks.ts';

export function webhookRoutes({ db, secrets, settings }: Context) {
  /** Refuses addresses that can never receive events. A host name that is unknown today may resolve tomorrow. */
  async function requireUsable(address: string) {
    const { hostname } = parseWebAddress(address);
    const rules = createAddressRules(settings.current().fetch_allowed_hosts);
    await allowedAddresses(hostname, rules, resolveBySystem).catch((error) => {
      if (!(error instanceof RequestError && error.code === 'url_unreachable')) throw error;
    });
  }

  return [
    bind(api.listWebhooks, async ({ query }) => mapPage(await listWebhooks(db, query), presentWebhook)),

    bind(api.createWebhook, async (call) => {
      await requireUsable(call.body.url);
      const { row, secret } = await createWebhook(db.as(call.caller), secrets, call.body, auditOrigin(call));
      return { ...presentWebhook(row), secret };
    }),

    bind(api.changeWebhook, async (call) => {
      if (call.body.url !== undefined) await requireUsable(call.body.url);
      return presentWebhook(await changeWebhook(db.as(call.caller), call.params.id, call.body, auditOrigin(call)));
    }),

    bind(api.deleteWebhook, async (call) => {
      await deleteWebhook(db.as(call.caller), call.params.id, auditOrigin(call));
      return {};
    }),

    bind(api.rotateWebhookSecret, async (call) => {
      const { row, secret } = await rotateSecret(db.as(call.caller), secrets, call.params.id, auditOrigin(call));
      return { ...presentWebhook(row), secret };
    }),

    bind(api.testWebhook, async ({ caller, params }) => {
      await sendTest(db.as(caller), params.id);
      return {};
    }),

    bind(api.listWebhookDeliveries, async ({ params, query }) => mapPage(await listDeliveries(db, params.id, query), presentDelivery)),

    bind(api.redeliverWebhook, async ({ caller, params }) =>
      presentDelivery(await redeliver(db.as(caller), { webhookId: params.id, deliveryId: params.delivery_id, now: Date.now() })),
    ),
  ];
}

function presentWebhook({ id, name, url, events, enabled, created_at }: WebhookRow): Webhook {
  return { id, name, url, events: readList(events), enabled: enabled === 1, created_at: toInstant(created_at) };
}

function presentDelivery(row: DeliveryRow): WebhookDelivery {
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
