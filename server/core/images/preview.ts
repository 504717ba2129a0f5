import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { decideAccess, isWithheld, STRANGER } from './access.ts';

/**
 * Whether chats and other sites may be told an image's name and shown its preview. They store previews and show them to everyone, so only
 * a stranger's rights count, regardless of who asks. A view-limited image has no preview: it would outlast the limit.
 */
export function isPreviewable(image: ImageRow | undefined, now: number): image is ImageRow {
  return image !== undefined && decideAccess(image, STRANGER, now).allowed && !isWithheld(image);
}
