import { randomBytes } from 'node:crypto';
import type { WebhookEventType } from '#api/webhooks.ts';
import type { AlbumRow } from '#server/core/albums/albums.ts';
import type { ImageRow } from '#server/core/images/images.ts';
import { describeImage } from '#server/core/images/present.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** Something that happened and that webhooks may be told of. `data` is what receivers get, without links. */
export interface WebhookEvent {
  type: WebhookEventType;
  data: Record<string, unknown>;
}

const imageData = (image: ImageRow) => ({ ...describeImage(image), owner_id: image.owner_id });

/** A new image is stored. */
export const imageCreated = (image: ImageRow): WebhookEvent => ({ type: 'image.created', data: imageData(image) });

/** A live image was deleted: put into the trash, or purged without having been there. Purging it from the trash says nothing more. */
export const imageDeleted = (image: ImageRow): WebhookEvent => ({ type: 'image.deleted', data: imageData(image) });

/** An image's time is over and its bytes are released. */
export const imageExpired = (image: ImageRow): WebhookEvent => ({ type: 'image.expired', data: imageData(image) });

/** An album was created, changed, moved among the others or deleted (`deleted: true`), or pictures came into it or left it. */
export const albumUpdated = (album: AlbumRow, { deleted = false } = {}): WebhookEvent => ({
  type: 'album.updated',
  data: { id: album.id, name: album.name, visibility: album.visibility, owner_id: album.owner_id, deleted },
});

/**
 * Puts an event into the outbox of every webhook that wants it. Call it with the `queries` of the unit that makes the
 * change, so that the event is there exactly when the change is; it is delivered at least once from then on.
 */
export async function enqueueEvent(queries: Queries, event: WebhookEvent): Promise<void> {
  await enqueueEvents(queries, [event]);
}

/** Like {@link enqueueEvent}, for many changes in one commit. */
export async function enqueueEvents(queries: Queries, events: readonly WebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  const webhooks = await queries.selectFrom('webhooks').select(['id', 'events']).where('enabled', '=', 1).execute();
  for (const { id, events: wanted } of webhooks) {
    const types = JSON.parse(wanted) as string[];
    for (const event of events) if (types.includes(event.type)) await addDelivery(queries, id, event);
  }
}

/** Puts one event into one webhook's outbox, due at once. */
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
