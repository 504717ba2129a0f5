import { z } from 'zod';
import { count, instant, nothing, page, pageQuery, route } from './contract.ts';

const YEAR_SECONDS = 31_536_000;

const fields = {
  name: z.string().trim().min(1).max(100),
  keep_metadata: z.boolean().meta({ description: 'Keep the locations, serial numbers and names stored in pictures' }),
  max_side: z.int().min(0).max(30_000).meta({ description: 'Longest side in pixels; larger pictures are scaled down. 0: no limit' }),
  convert_to: z.enum(['jpg', 'png', 'webp']).nullable().meta({ description: 'Null keeps the format' }),
  quality: z.int().min(1).max(100).meta({ description: 'Quality of encoded pictures' }),
  heic_to: z.enum(['jpg', 'webp']),
  cache_seconds: z
    .int()
    .min(0)
    .max(YEAR_SECONDS)
    .meta({ description: '`max-age` of public links; one year adds `immutable`; 0: caches always revalidate' }),
};

/** Where images are stored and how they are processed on upload. */
export const policy = z.object({
  ...fields,
  id: z.int(),
  driver: z.enum(['local']),
  folder: z.string().nullable().meta({ description: 'Null: in the data folder' }),
  image_count: count,
  created_at: instant,
});
export type Policy = z.infer<typeof policy>;

const byId = z.object({ id: z.coerce.number().int().min(1) });

export const listPolicies = route({
  method: 'GET',
  path: '/admin/policies',
  access: 'admin',
  summary: 'List all storage policies, oldest first',
  query: pageQuery,
  data: page(policy),
});

export const createPolicy = route({
  method: 'POST',
  path: '/admin/policies',
  access: 'admin',
  summary: 'Create a storage policy with its own folder; groups can use it once it is in their `policy_ids`',
  body: z
    .object(fields)
    .partial()
    .extend({
      name: fields.name,
      folder: z.string().min(1).max(4096).meta({ description: 'Absolute path on the server; created if missing' }),
    }),
  data: policy,
});

export const changePolicy = route({
  method: 'PATCH',
  path: '/admin/policies/:id',
  access: 'admin',
  summary: "Change a storage policy; applies to new uploads. Its folder can't be changed",
  params: byId,
  body: z.object(fields).partial(),
  data: policy,
  errors: ['not_found'],
});

export const deletePolicy = route({
  method: 'DELETE',
  path: '/admin/policies/:id',
  access: 'admin',
  summary: 'Delete a storage policy that no picture or group uses; its folder is kept',
  params: byId,
  data: nothing,
  errors: ['not_found', 'conflict'],
});
