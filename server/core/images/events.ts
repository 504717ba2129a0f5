import type { WebhookEvent } from '#server/core/journal/events.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { describeImage } from './present.ts';

const imageData = (image: ImageRow) => ({ ...describeImage(image), owner_id: image.owner_id });

/** A new image is stored. */
export const imageCreated = (image: ImageRow): WebhookEvent => ({ type: 'image.created', data: imageData(image) });

/** An image has another file behind the same links. */
export const imageReplaced = (image: ImageRow): WebhookEvent => ({ type: 'image.replaced', data: imageData(image) });

/** A live image was deleted: put into the trash, or purged without having been there. Purging it from the trash sends no event. */
export const imageDeleted = (image: ImageRow): WebhookEvent => ({ type: 'image.deleted', data: imageData(image) });

/** An image has expired; it is in its owner's trash now, if there is one. */
export const imageExpired = (image: ImageRow): WebhookEvent => ({ type: 'image.expired', data: imageData(image) });
