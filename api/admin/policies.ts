import { z } from 'zod';
import { asSent, count, instant, line, nothing, page, pageQuery, route, typed } from '#api/contract.ts';
import { extOf, formatsWith } from '#api/formats.ts';

const YEAR_SECONDS = 31_536_000;

const fields = {
  name: line(100, 1),
  keep_metadata: z.boolean().meta({ description: 'Keep the locations, serial numbers and names stored in pictures' }),
  max_side: z.int().min(0).max(30_000).meta({ description: 'Longest side in pixels; larger pictures are scaled down. 0: no limit' }),
  convert_to: z.enum(formatsWith('policy').map(extOf)).nullable().meta({ description: 'Null keeps the format' }),
  quality: z.int().min(1).max(100).meta({ description: 'Quality of encoded pictures' }),
  heic_to: z
    .enum(formatsWith('policy for HEIC').map(extOf))
    .meta({ description: 'A HEIC with transparent pixels becomes a WebP, unless `convert_to` is `jpg`' }),
  cache_seconds: z
    .int()
    .min(0)
    .max(YEAR_SECONDS)
    .meta({ description: '`max-age` of public links; one year adds `immutable`; 0: caches always revalidate' }),
};

/** The web address of a service: http or https, without credentials, query or fragment. */
const serviceAddress = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  }, 'must not contain a username, a query or a fragment');

const bucketFields = {
  endpoint: serviceAddress.meta({
    description: 'Address of the S3 interface, such as `https://s3.eu-central-1.amazonaws.com`; internal addresses are allowed',
    examples: ['http://127.0.0.1:9000'],
  }),
  region: typed(100, 1),
  bucket: z.string().regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9.-]{1,61}[A-Za-z0-9]$/),
  prefix: z
    .string()
    .max(200)
    .regex(/^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$/)
    .meta({ description: 'Prefix of all object keys, without leading or trailing slashes; empty: the whole bucket' }),
  path_style: z.boolean().meta({ description: 'The bucket is part of the path rather than of the host name' }),
  access_key_id: z
    .string()
    .trim()
    .max(200)
    .regex(/^(?!ASIA)./)
    .meta({ description: 'ID of a permanent access key' }),
  secret_access_key: asSent(200).meta({ description: 'Returned as `********`; that or an empty value keeps the stored one' }),
  public_url: serviceAddress
    .nullable()
    .meta({ description: 'Address of a CDN in front of the prefix; direct links to public pictures redirect there. Null: none' }),
};

/** How the bucket of a new policy is reached. */
export const newBucket = z.object({
  ...bucketFields,
  region: bucketFields.region.default('us-east-1'),
  prefix: bucketFields.prefix.default(''),
  path_style: bucketFields.path_style.default(true),
  public_url: bucketFields.public_url.default(null),
});
const { bucket: _bucket, prefix: _prefix, ...changeableFields } = bucketFields;
const bucketChanges = z.object(changeableFields).partial();

/** Where images are stored and how they are processed on upload. */
export const policy = z.object({
  ...fields,
  id: z.int(),
  driver: z.enum(['local', 's3']),
  folder: z.string().nullable().meta({ description: 'Null: in the data folder, or in a bucket' }),
  config: z.object(bucketFields).nullable().meta({ description: 'How the bucket is reached; null for folders' }),
  move: z
    .object({
      to_policy_id: z.int(),
      moved: count,
      remaining: count,
      fault: z.string().nullable().meta({ description: 'Why the move has stalled, if it has; Pixdock keeps trying' }),
    })
    .nullable()
    .meta({ description: 'The move of its files to another policy, if one is running' }),
  image_count: count,
  unused: z.object({ files: count, bytes: count }).meta({ description: 'Files of deleted pictures that are still to be removed' }),
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
  summary: 'Create a storage policy with its own folder or bucket; groups can use it once it is in their `policy_ids`',
  body: z
    .object(fields)
    .partial()
    .extend({
      name: fields.name,
      driver: z.enum(['local', 's3']).default('local'),
      folder: asSent(4096, 1).optional().meta({ description: 'For `local`: absolute path on the server; created if missing' }),
      config: newBucket.optional().meta({ description: 'For `s3`: a bucket without objects under the prefix' }),
    }),
  data: policy,
  errors: ['storage_unreachable'],
});

export const testPolicy = route({
  method: 'POST',
  path: '/admin/policies/test',
  access: 'admin',
  summary: 'Test the connection to a bucket by storing, reading and deleting a small object; nothing is saved',
  body: z.object({
    policy_id: z.int().min(1).optional().meta({ description: 'Tests changes to this policy, with its own bucket and prefix' }),
    config: newBucket,
  }),
  data: z.object({ milliseconds: count.meta({ description: 'How long it took' }) }),
  errors: ['not_found', 'storage_unreachable'],
});

export const changePolicy = route({
  method: 'PATCH',
  path: '/admin/policies/:id',
  access: 'admin',
  summary: "Change a storage policy; applies to new uploads. Its folder, bucket and prefix can't be changed",
  params: byId,
  body: z.object(fields).partial().extend({ config: bucketChanges.optional() }),
  data: policy,
  errors: ['not_found', 'storage_unreachable'],
});

export const deletePolicy = route({
  method: 'DELETE',
  path: '/admin/policies/:id',
  access: 'admin',
  summary: 'Delete a storage policy that no picture or group uses; its folder or bucket is kept',
  params: byId,
  query: z.object({
    forget_files: z.stringbool().optional().meta({
      description: 'Leaves the files of deleted pictures in storage that isn’t available, instead of failing with `unavailable`',
    }),
  }),
  data: nothing,
  errors: ['not_found', 'conflict', 'unavailable'],
});

export const movePolicy = route({
  method: 'POST',
  path: '/admin/policies/:id/move',
  access: 'admin',
  summary: 'Move all pictures of a storage policy to another one in the background; their links keep working',
  params: byId,
  body: z.object({ to_policy_id: z.int().min(1) }),
  data: policy,
  errors: ['not_found', 'conflict'],
});

export const stopPolicyMove = route({
  method: 'DELETE',
  path: '/admin/policies/:id/move',
  access: 'admin',
  summary: 'Stop moving pictures; those that were moved stay where they are',
  params: byId,
  data: policy,
  errors: ['not_found'],
});
