import { z } from 'zod';
import { count, route } from './contract.ts';

/** Numbers for the dashboard. Days are UTC. */
export const stats = z.object({
  totals: z.object({
    users: count,
    images: count.meta({ description: 'Outside the trash' }),
    stored_bytes: count,
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
        stored_bytes: count.nullable().meta({ description: 'What all users had stored on that day; null when it was not noted' }),
      }),
    )
    .meta({ description: 'Every day asked for, oldest first, also those on which nothing happened' }),
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
    .meta({ description: 'Who has most stored, at most 50' }),
});
export type Stats = z.infer<typeof stats>;

export const getStats = route({
  method: 'GET',
  path: '/admin/stats',
  access: 'admin',
  summary: 'Uploads, views and storage by day and by user',
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
  data: stats,
});
