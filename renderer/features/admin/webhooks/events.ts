import type { WebhookEventType } from '#api/webhooks.ts';

/** What people call the events. */
export const EVENT_LABELS = {
  'image.created': 'webhooks.events.image_created',
  'image.deleted': 'webhooks.events.image_deleted',
  'image.expired': 'webhooks.events.image_expired',
  'album.updated': 'webhooks.events.album_updated',
} as const satisfies Record<WebhookEventType, string>;
