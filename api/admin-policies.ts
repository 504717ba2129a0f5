import { z } from 'zod';
import { count, instant, nothing, page, pageQuery, route } from './contract.ts';

const YEAR_SECONDS = 31_536_000;

const fields = {
  name: z.string().trim().min(1).max(100),
  keep_metadata: z.boolean().meta({ description: 'Keep places, serial numbers and names that cameras write' }),
  max_side: z.int().min(0).max(30_000).meta({ description: 'Larger pictures are made smaller to this longest side; 0 leaves them' }),
  convert_to: z.enum(['jpg', 'png', 'webp']).nullable().meta({ description: 'Null leaves the format' }),
  quality: z.int().min(1).max(100).meta({ description: 'Where something is encoded' }),
  heic_to: z.enum(['jpg', 'webp']),
  cache_seconds: z.int().min(0).max(YEAR_SECONDS).meta({ description: '`max-age` of public links; a year is also `immutable`' }),
};

/** Where images are stored and what is done to them on the way in. */
export const policy = z.object({
  ...fields,
  id: z.int(),
  driver: z.enum(['local']),
  folder: z.string().nullable().meta({ description: 'Null: inside the data folder' }),
  image_count: count,
  created_at: instant,
});
export type Policy = z.infer<typeof policy>;

const byId = z.object({ id: z.coerce.number().int().min(1) });

export const listPolicies = route({
  method: 'GET',
  path: '/admin/policies',
  access: 'admin',
  summary: 'All storage policies, oldest first',
  query: pageQuery,
  data: page(policy),
});

export const createPolicy = route({
  method: 'POST',
  path: '/admin/policies',
  access: 'admin',
  summary: 'Create a storage policy in a folder of its own; a group must be allowed to use it',
  body: z
    .object(fields)
    .partial()
    .extend({
      name: fields.name,
      folder: z.string().min(1).max(4096).meta({ description: 'Absolute path on the server; created when it is not there' }),
    }),
  data: policy,
});

export const changePolicy = route({
  method: 'PATCH',
  path: '/admin/policies/:id',
  access: 'admin',
  summary: 'Change a storage policy for pictures to come; its folder stays',
  params: byId,
  body: z.object(fields).partial(),
  data: policy,
  errors: ['not_found'],
});

export const deletePolicy = route({
  method: 'DELETE',
  path: '/admin/policies/:id',
  access: 'admin',
  summary: 'Delete a storage policy that no picture and no group uses; its folder stays',
  params: byId,
  data: nothing,
  errors: ['not_found', 'conflict'],
});
