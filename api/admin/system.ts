import { z } from 'zod';
import { count, instant, route } from '#api/contract.ts';

/** The state of the service. */
export const system = z.object({
  version: z.string(),
  started_at: instant,
  platform: z.string(),
  versions: z.record(z.string(), z.string()).meta({ description: 'Versions of Node, the database and the image library' }),
  decoders: z.record(z.string(), z.boolean()).meta({ description: 'Formats that this build can read' }),
  memory_bytes: count,
  link_address: z.string(),
  data_folder: z.string(),
  database_bytes: count,
  disks: z.array(
    z.object({
      policy: z.string(),
      folder: z.string().meta({ description: 'Folder, or address of the bucket' }),
      total_bytes: count.meta({ description: '0: unknown, as for buckets' }),
      free_bytes: count,
      reserve_bytes: count.meta({ description: 'Uploads stop when less than this is free' }),
      healthy: z.boolean(),
    }),
  ),
});
export type System = z.infer<typeof system>;

export const getSystem = route({
  method: 'GET',
  path: '/admin/system',
  access: 'admin',
  summary: 'Get health, versions, decoders and disks',
  data: system,
});

/** `/metrics` is a shorter address of the same. */
export const getMetrics = route({
  method: 'GET',
  path: '/admin/metrics',
  access: 'admin',
  metricsScope: true,
  summary: 'Get metrics of this process for Prometheus, also at `/metrics`',
  binary: 'text/plain',
});

/** Ways to free space on request. */
export const cleanUp = z.enum(['trash', 'unused', 'thumbnails']);
export type CleanUp = z.infer<typeof cleanUp>;

/** Disk usage in bytes. */
export const space = z.object({
  by_user: z.array(z.object({ user: z.object({ id: z.int(), username: z.string() }).nullable(), bytes: count, images: count })).meta({
    description: 'The 50 largest; null: all guests together. Identical pictures uploaded by several users count towards each of them',
  }),
  by_year: z.array(z.object({ year: z.string(), bytes: count, images: count })),
  stored_bytes: count.meta({ description: 'On disk, where identical pictures are stored once' }),
  trash: z.object({ bytes: count, images: count }),
  unused_bytes: count.meta({ description: 'Files of deleted pictures that will be removed soon' }),
  thumbnails_bytes: count,
  backups_bytes: count,
  clean_ups: z.array(z.object({ what: cleanUp, frees_bytes: count, description: z.string() })),
});
export type Space = z.infer<typeof space>;

const cleanedUp = z.object({
  freed_bytes: count,
  later_bytes: count.meta({
    description: 'Size of the files of deleted pictures; removed within 12 hours, since other servers may still be using them',
  }),
});
export type CleanedUp = z.infer<typeof cleanedUp>;

export const getSpace = route({
  method: 'GET',
  path: '/admin/system/space',
  access: 'admin',
  summary: 'Get disk usage and what clean-ups would free; reads all thumbnails, so it may take a while',
  data: space,
});

export const runCleanUp = route({
  method: 'POST',
  path: '/admin/system/clean-up',
  access: 'admin',
  summary: "Free space: empty every user's trash, remove unused files, or delete thumbnails (they are generated again)",
  body: z.object({ what: cleanUp }),
  data: cleanedUp,
});
