import { randomBytes } from 'node:crypto';
import type { WebhookEventType } from '#api/webhooks.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import { tellAlbums, tellImages } from './changes.ts';

/** An event for webhooks. `data` is what receivers get, without links. */
export interface WebhookEvent {
  type: WebhookEventType;
  data: Record<string, unknown>;
}

/**
 * Adds an event to the outbox of every webhook that subscribes to it, and tells the owner's clients. Call it with the `queries` of the unit that makes
 * the change, so that the event exists exactly when the change does; it is then delivered at least once.
 */
export async function enqueueEvent(queries: Queries, event: WebhookEvent): Promise<void> {
  await enqueueEvents(queries, [event]);
}

/** Like {@link enqueueEvent}, for many changes in one commit. */
export async function enqueueEvents(queries: Queries, events: readonly WebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  tellOf(queries, events);
  const { rows: webhooks } = await enabledWebhooks(queries, {});
  for (const { id, events: subscribed } of webhooks) {
    const types = readList<string>(subscribed);
    for (const event of events) if (types.includes(event.type)) await addDelivery(queries, id, event);
  }
}

/** What webhooks are told of the contents of a library, its owner's clients are told as well. */
const TOLD = {
  'image.created': 'image.created',
  'image.replaced': 'image.changed',
  'image.deleted': 'image.deleted',
  'image.expired': 'image.deleted',
} as const;

function tellOf(queries: Queries, events: readonly WebhookEvent[]) {
  for (const [type, ofType] of Map.groupBy(events, (event) => event.type)) {
    const data = ofType.map((event) => event.data) as { key: string; id: string; owner_id: number }[];
    if (type === 'album.updated') tellAlbums(queries, data);
    else if (type in TOLD) tellImages(queries, TOLD[type as keyof typeof TOLD], data);
  }
}

const enabledWebhooks = compileOnce((queries) => queries.selectFrom('webhooks').select(['id', 'events']).where('enabled', '=', 1));

/** Adds one event to one webhook's outbox, due immediately. */
export async function addDelivery(
  queries: Queries,
  webhookId: number,
  { type, data }: { type: string; data: Record<string, unknown> },
): Promise<void> {
  const now = Date.now();
  await queries
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhookId,
      message_id: `msg_${randomBytes(18).toString('base64url')}`,
      type,
      data: JSON.stringify(data),
      state: 'pending',
      next_attempt_at: now,
      created_at: now,
      last_attempt_at: null,
      last_status: null,
      last_error: null,
    })
    .execute();
}
