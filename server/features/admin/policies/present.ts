import type { Policy } from '#api/admin-policies.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { folderOf } from '#server/platform/storage/local.ts';
import type { PolicyWithCount } from './changes.ts';

export function presentPolicy(row: PolicyWithCount): Policy {
  const { id, name, driver, max_side, convert_to, quality, heic_to, cache_seconds, image_count } = row;
  return {
    id,
    name,
    driver,
    folder: folderOf(row) ?? null,
    keep_metadata: row.keep_metadata === 1,
    max_side,
    convert_to,
    quality,
    heic_to,
    cache_seconds,
    image_count,
    created_at: toInstant(row.created_at),
  };
}
