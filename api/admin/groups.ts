import { z } from 'zod';
import { MAX_EXPIRES_IN, MAX_MAX_VIEWS } from '#api/constants.ts';
import { count, instant, line, nothing, page, pageQuery, route } from '#api/contract.ts';
import { KNOWN_EXTS } from '#api/formats.ts';

const seconds = z.int().min(0).max(MAX_EXPIRES_IN);
const views = z.int().min(0).max(MAX_MAX_VIEWS);

const fields = {
  name: line(100, 1),
  max_file_bytes: count.meta({ description: 'Of a picture' }),
  max_video_bytes: count,
  max_video_seconds: count,
  storage_quota_bytes: count.meta({ description: 'Per user; for guests, the total of all guests' }),
  allowed_exts: z.array(z.enum(KNOWN_EXTS)).min(1).max(20),
  uploads_per_minute: count,
  uploads_per_hour: count,
  uploads_per_day: count,
  default_expires_in: seconds,
  max_expires_in: seconds,
  default_max_views: views,
  max_max_views: views,
  delete_expired: z.boolean().meta({
    description: 'Expired pictures are deleted permanently instead of moved to their owner’s trash; guests’ pictures always are',
  }),
  allow_convert: z.boolean().meta({ description: 'Members can have uploads converted to another format' }),
  listed: z
    .boolean()
    .meta({ description: 'Everyone with an account sees the group in `GET /team`; not for the groups of guests and the owner' }),
  policy_ids: z.array(z.int().min(1)).min(1).max(100).meta({ description: 'Allowed storage policies; the first is the default' }),
};

/** Upload limits of a group's members; 0 means unlimited throughout. */
export const group = z.object({
  ...fields,
  id: z.int(),
  kind: z.enum(['owner', 'default', 'guest', 'custom']),
  allowed_exts: z.array(z.string()),
  user_count: count,
  created_at: instant,
});
export type Group = z.infer<typeof group>;

const byId = z.object({ id: z.coerce.number().int().min(1) });

export const listGroups = route({
  method: 'GET',
  path: '/admin/groups',
  access: 'admin',
  summary: "List all groups, oldest first; `kind` marks the guest, default and owner's groups",
  query: pageQuery,
  data: page(group),
});

export const createGroup = route({
  method: 'POST',
  path: '/admin/groups',
  access: 'admin',
  summary: 'Create a group; absent fields are copied from the default group',
  body: z.object(fields).partial().extend({ name: fields.name }),
  data: group,
});

export const changeGroup = route({
  method: 'PATCH',
  path: '/admin/groups/:id',
  access: 'admin',
  summary: 'Change a group; absent fields stay unchanged',
  params: byId,
  body: z.object(fields).partial(),
  data: group,
  errors: ['not_found'],
});

export const deleteGroup = route({
  method: 'DELETE',
  path: '/admin/groups/:id',
  access: 'admin',
  summary: "Delete a group without members; the three built-in groups can't be deleted",
  params: byId,
  data: nothing,
  errors: ['not_found', 'conflict'],
});
