import { z } from 'zod';
import { count, instant, route } from './contract.ts';

/** How the service is. */
export const system = z.object({
  version: z.string(),
  started_at: instant,
  platform: z.string(),
  versions: z.record(z.string(), z.string()).meta({ description: 'Of the parts that matter: node, database, picture library' }),
  decoders: z.record(z.string(), z.boolean()).meta({ description: 'Which formats this build can read' }),
  memory_bytes: count,
  link_address: z.string(),
  data_folder: z.string(),
  database_bytes: count,
  disks: z.array(
    z.object({
      policy: z.string(),
      folder: z.string(),
      total_bytes: count,
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
  summary: 'Health, versions, decoders and disks',
  data: system,
});

/** What space can be freed by asking for it. */
export const cleanUp = z.enum(['trash', 'unused', 'thumbnails']);
export type CleanUp = z.infer<typeof cleanUp>;

/** Where the disk space goes, in bytes. */
export const space = z.object({
  by_user: z
    .array(z.object({ user: z.object({ id: z.int(), username: z.string() }).nullable(), bytes: count, images: count }))
    .meta({ description: 'The largest 50; null: all guests together. Pictures that several have count for each' }),
  by_year: z.array(z.object({ year: z.string(), bytes: count, images: count })),
  stored_bytes: count.meta({ description: 'On the disk, where equal pictures are kept once' }),
  trash: z.object({ bytes: count, images: count }),
  unused_bytes: count.meta({ description: 'Of deleted pictures, about to be removed' }),
  thumbnails_bytes: count,
  backups_bytes: count,
  clean_ups: z.array(z.object({ what: cleanUp, frees_bytes: count, description: z.string() })),
});
export type Space = z.infer<typeof space>;

export const getSpace = route({
  method: 'GET',
  path: '/admin/system/space',
  access: 'admin',
  summary: 'Where the disk space goes, and what clean-ups would free; looks through the thumbnails, so it takes a while',
  data: space,
});

export const runCleanUp = route({
  method: 'POST',
  path: '/admin/system/clean-up',
  access: 'admin',
  summary: "Free space: purge everybody's trash, remove unused files, or drop thumbnails (they are made again)",
  body: z.object({ what: cleanUp }),
  data: z.object({ freed_bytes: count }),
});
