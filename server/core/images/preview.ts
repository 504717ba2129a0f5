import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { decideAccess, isWithheld, STRANGER } from './access.ts';

/**
 * Whether chats and other sites may be told an image's name and shown its preview. They store previews and show them to everyone, so only
 * a stranger's rights count, regardless of who asks. A view-limited image has no preview: it would outlast the limit.
 */
export function isPreviewable(image: ImageRow | undefined, now: number): image is ImageRow {
  return image !== undefined && decideAccess(image, STRANGER, now).allowed && !isWithheld(image);
}

/** The size of a thumbnail whose longer side is `side` at most: never enlarged, in whole pixels. */
export function scaledTo({ width, height }: Pick<ImageRow, 'width' | 'height'>, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
