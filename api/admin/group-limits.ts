import { z } from 'zod';
import { count, route } from '#api/contract.ts';

/** The limits of the caller's group; 0 means unlimited throughout. */
export const limits = z.object({
  group: z.string(),
  storage_used_bytes: count.meta({ description: 'Including the trash' }),
  storage_quota_bytes: count,
  max_file_bytes: count,
  allowed_exts: z.array(z.string()),
  uploads_per_minute: count,
  uploads_per_hour: count,
  uploads_per_day: count,
  default_expires_in: count,
  max_expires_in: count,
  default_max_views: count,
  max_max_views: count,
  delete_expired: z.boolean().meta({
    description: "Expired pictures are deleted permanently instead of moved to the trash; if false, the account's preference applies",
  }),
  policy_ids: z.array(z.int()),
  image_count: count.meta({ description: 'Pictures, excluding the trash' }),
});

export const getLimits = route({
  method: 'GET',
  path: '/user/limits',
  access: 'user',
  uploadScope: true,
  summary: "Get the caller's limits and current usage",
  data: limits,
});
