import { create as contentDisposition } from 'content-disposition';
import { shortFileName } from '#api/file-name.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Validators } from '#server/platform/http/headers/conditions.ts';
import { ORIGINAL_CSP, VIDEO_CSP } from '#server/platform/http/headers/content-policies.ts';
import type { HeaderList } from '#server/platform/http/headers/default-headers.ts';

/** The headers of responses with an image's bytes, as far as they follow from its row. */
export interface OriginalHead extends Validators {
  inline: HeaderList;
  attachment: HeaderList;
}

/** Builds the headers once per cached row; a row that is read again is another object. */
export function createOriginalHeads(): (image: ImageRow) => OriginalHead {
  const heads = new WeakMap<ImageRow, OriginalHead>();
  return (image) => {
    const known = heads.get(image);
    if (known) return known;
    const head = originalHead(image);
    heads.set(image, head);
    return head;
  };
}

/** @param image as it was read: the headers are constant for it */
export function originalHead(image: ImageRow): OriginalHead {
  // The hash of a view-limited image would reveal what it is without a view. Nothing that is always sent whole and never stored needs a tag.
  const etag = image.max_views > 0 ? undefined : `"${image.sha256}"`;
  const lastModified = lastModifiedOf(image);
  const name = shortFileName(image.name, image.ext);
  const isVideo = image.duration !== null;
  const list = (type: 'inline' | 'attachment') => [
    ...['Content-Type', image.mime],
    ...['Content-Security-Policy', isVideo ? VIDEO_CSP : ORIGINAL_CSP],
    ...['Cross-Origin-Resource-Policy', 'cross-origin'],
    ...['Content-Disposition', contentDisposition(name, { type })],
    ...['Last-Modified', lastModified],
    ...(etag === undefined ? [] : ['ETag', etag]),
    // A view-limited picture is always sent whole, since each part would be a view.
    ...(etag === undefined && !isVideo ? [] : ['Accept-Ranges', 'bytes']),
  ];
  return { etag, lastModified, inline: list('inline'), attachment: list('attachment') };
}

/** When the image got its current file. */
export const lastModifiedOf = (image: ImageRow) => new Date(image.replaced_at ?? image.created_at).toUTCString();
