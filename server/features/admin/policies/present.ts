import type { Policy } from '#api/admin/policies.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { placeOf } from '#server/platform/storage/drivers.ts';
import { type PolicyWithCount, unusedFiles } from './changes.ts';
import { moveFrom } from './moves.ts';

export async function presentPolicy(read: Queries, row: PolicyWithCount): Promise<Policy> {
  const { id, name, max_side, convert_to, quality, heic_to, cache_seconds, image_count } = row;
  const { driver, folder, config } = placeOf(row);
  return {
    id,
    name,
    driver,
    folder,
    config: config && { ...config, secret_access_key: MASKED_SECRET },
    keep_metadata: row.keep_metadata === 1,
    max_side,
    convert_to,
    quality,
    heic_to,
    cache_seconds,
    move: await moveFrom(read, id),
    image_count,
    unused: await unusedFiles(read, id),
    created_at: toInstant(row.created_at),
  };
}
