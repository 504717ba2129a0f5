import { z } from 'zod';
import { count, route } from '#api/contract.ts';

/** Statistics for the dashboard. Days are in UTC. */
export const stats = z.object({
  totals: z.object({
    users: count,
    images: count.meta({ description: 'Excluding the trash' }),
    stored_bytes: count.meta({
      description: 'Storage that all users and guests use, including the trash. Identical pictures count for each of them',
    }),
    uploads: count,
    views: count,
  }),
  days: z
    .array(
      z.object({
        day: z.string().meta({ examples: ['2026-11-21'] }),
        uploads: count,
        upload_bytes: count,
        views: count,
        stored_bytes: count.nullable().meta({ description: 'The same at the end of that day; null if not recorded' }),
      }),
    )
    .meta({ description: 'Every requested day, oldest first, including days without activity' }),
  users: z
    .array(
      z.object({
        user: z.object({ id: z.int(), username: z.string() }).nullable().meta({ description: 'Null: all guests together' }),
        uploads: count,
        upload_bytes: count,
        views: count,
        stored_bytes: count,
      }),
    )
    .meta({ description: 'The 50 users with the most stored bytes' }),
});
export type Stats = z.infer<typeof stats>;

export const getStats = route({
  method: 'GET',
  path: '/admin/stats',
  access: 'admin',
  summary: 'Get uploads, views and storage by day and by user',
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
  data: stats,
});
