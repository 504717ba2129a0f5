import type { RouteParsed } from '#api/contract.ts';
import type * as api from '#api/webhooks.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { addDelivery } from '#server/core/journal/events.ts';
import { requireFound } from '#server/platform/base/errors.ts';
import { seal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { storeList } from '#server/platform/db/lists.ts';
import { keysetPage, NEWEST_FIRST, OLDEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { DeliveryRow, WebhookRow } from '#server/platform/db/schema/webhooks.ts';
import { newSecret } from './signature.ts';

type NewWebhook = RouteParsed<typeof api.createWebhook, 'body'>;
type WebhookChanges = RouteParsed<typeof api.changeWebhook, 'body'>;

/** The key that encrypts webhook secrets at rest. */
export const secretKey = (secrets: Secrets) => secrets.key('webhooks');

/** All webhooks, oldest first. */
export function listWebhooks(db: Database, page: PageRequest): Promise<Page<WebhookRow>> {
  return keysetPage(db.read.selectFrom('webhooks').selectAll(), OLDEST_FIRST, page);
}

/** Creates a webhook; `secret` is its text, shown once. */
export async function createWebhook(db: WritableDatabase, secrets: Secrets, requested: NewWebhook, origin: AuditOrigin) {
  const secret = newSecret();
  const { name, url, events, enabled = true } = requested;
  const row = await db.write(async (queries) => {
    await recordAudit(queries, origin, { action: 'webhook.created', target: name, details: { url, events, enabled } });
    return queries
      .insertInto('webhooks')
      .values({
        name,
        url,
        events: storeList(events),
        secret: seal(secretKey(secrets), secret),
        enabled: enabled ? 1 : 0,
        created_at: Date.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { row, secret };
}

/** Changes a webhook and returns its new row. When enabled again, it continues with the waiting deliveries. */
export function changeWebhook(db: WritableDatabase, id: number, changes: WebhookChanges, origin: AuditOrigin): Promise<WebhookRow> {
  return db.write(async (queries) => {
    const webhook = await requireWebhook(queries, id);
    if (Object.keys(changes).length === 0) return webhook;
    const { events, enabled, ...columns } = changes;
    await recordAudit(queries, origin, { action: 'webhook.changed', target: webhook.name, details: changes });
    return queries
      .updateTable('webhooks')
      .set({ ...columns, ...(events && { events: storeList(events) }), ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export function deleteWebhook(db: WritableDatabase, id: number, origin: AuditOrigin): Promise<void> {
  return db.write(async (queries) => {
    const { name } = await requireWebhook(queries, id);
    await queries.deleteFrom('webhooks').where('id', '=', id).execute();
    await recordAudit(queries, origin, { action: 'webhook.deleted', target: name });
  });
}

/** Replaces a webhook's secret; the old one stops signing immediately. */
export async function rotateSecret(db: WritableDatabase, secrets: Secrets, id: number, origin: AuditOrigin) {
  const secret = newSecret();
  const row = await db.write(async (queries) => {
    const { name } = await requireWebhook(queries, id);
    await recordAudit(queries, origin, { action: 'webhook.secret_rotated', target: name });
    return queries
      .updateTable('webhooks')
      .set({ secret: seal(secretKey(secrets), secret) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return { row, secret };
}

/** Enqueues a test event. */
export function sendTest(db: WritableDatabase, id: number): Promise<void> {
  return db.write(async (queries) => {
    const { name } = await requireWebhook(queries, id);
    await addDelivery(queries, id, { type: 'webhook.test', data: { webhook: name } });
  });
}

/** The delivery log of a webhook, newest first. @throws NotFoundError */
export async function listDeliveries(db: Database, webhookId: number, page: PageRequest): Promise<Page<DeliveryRow>> {
  await requireWebhook(db.read, webhookId);
  return keysetPage(db.read.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId), NEWEST_FIRST, page);
}

/** Enqueues a delivery again, with the same message id. @throws NotFoundError */
export function redeliver(
  db: WritableDatabase,
  { webhookId, deliveryId, now }: { webhookId: number; deliveryId: number; now: number },
): Promise<DeliveryRow> {
  return db.write(async (queries) => {
    const row = await queries
      .updateTable('webhook_deliveries')
      .set({ state: 'pending', attempts: 0, next_attempt_at: now })
      .where('id', '=', deliveryId)
      .where('webhook_id', '=', webhookId)
      .returningAll()
      .executeTakeFirst();
    return requireFound(row, 'This delivery no longer exists. It may have been removed from the log.');
  });
}

async function requireWebhook(queries: Queries, id: number): Promise<WebhookRow> {
  const row = await queries.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  return requireFound(row, 'This webhook no longer exists. Reload the list.');
}
