import type { SentFile } from '#api/sharing/requests.ts';
import type { Links } from '#server/core/images/links.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { RequestFileRow } from '#server/platform/db/schema/requests.ts';
import { removableUntil } from './sent-files.ts';

/** A picture as its sender sees it. Those who have sent no secret can't prove later that it is theirs. */
export function presentSent(links: Links, linkId: string, file: RequestFileRow, isRemovable = true): SentFile {
  return {
    name: file.name,
    size: file.size,
    remove_url: isRemovable ? links.requestOf({ id: linkId }, `/remove/${file.id}`) : null,
    remove_until: isRemovable ? toInstant(removableUntil(file)) : null,
  };
}
