import { z } from 'zod';
import { avatarUrl, email, password, username } from '#api/auth/auth.ts';
import { token } from '#api/auth/tokens.ts';
import { endedAccess, session } from '#api/auth/user.ts';
import { count, instant, page, pageQuery, route, typed } from '#api/contract.ts';

/** An account as admins see it. */
export const adminUser = z.object({
  id: z.int(),
  username: z.string(),
  avatar_url: avatarUrl,
  email: z.string().nullable(),
  email_source: z
    .enum(['user', 'admin', 'provider'])
    .meta({ description: 'SSO matches only addresses that an admin or a provider has set' }),
  role: z.enum(['user', 'admin']),
  is_owner: z.boolean(),
  has_password: z.boolean(),
  two_factor: z.boolean().meta({ description: 'Whether the account has a second factor: codes from an authenticator app, or a passkey' }),
  disabled: z.boolean(),
  group: z.object({ id: z.int(), name: z.string() }),
  storage_used_bytes: count.meta({ description: 'Including the trash' }),
  storage_quota_bytes: count.meta({ description: '0: unlimited' }),
  image_count: count.meta({ description: 'Pictures, excluding the trash' }),
  trash_count: count.meta({ description: 'Pictures in the trash' }),
  created_at: instant,
  last_seen_at: instant.nullable(),
  deletion: z
    .object({
      to: z.object({ id: z.int(), username: z.string() }).nullable().meta({ description: 'Who gets the pictures; null: the trash' }),
      image_count: count.meta({ description: 'Pictures to move when the deletion began' }),
      images_left: count.meta({ description: 'Pictures still to be moved' }),
      started_at: instant,
    })
    .nullable()
    .meta({ description: 'Set while the account is being deleted; it is gone once it has no pictures left' }),
});
export type AdminUser = z.infer<typeof adminUser>;

const byId = z.object({ id: z.coerce.number().int().min(1) });
const role = z.enum(['user', 'admin']);

export const listUsers = route({
  method: 'GET',
  path: '/admin/users',
  access: 'admin',
  summary: 'List all accounts, oldest first',
  query: pageQuery.extend({
    q: typed(200).optional().meta({ description: 'Part of the username or email address' }),
    group_id: z.coerce.number().int().min(1).optional(),
  }),
  data: page(adminUser),
});

export const getUser = route({
  method: 'GET',
  path: '/admin/users/:id',
  access: 'admin',
  summary: 'Get one account',
  params: byId,
  data: adminUser,
  errors: ['not_found'],
});

export const createUser = route({
  method: 'POST',
  path: '/admin/users',
  access: 'admin',
  summary: 'Create an account',
  body: z.object({ username, email, password, role: role.default('user'), group_id: z.int().min(1).optional() }),
  data: adminUser,
  errors: ['conflict'],
});

export const changeUser = route({
  method: 'PATCH',
  path: '/admin/users/:id',
  access: 'admin',
  summary: 'Change an account. Disabling it ends its sessions and tokens immediately and keeps its links',
  params: byId,
  body: z.object({ email: email.nullable(), role, group_id: z.int().min(1), disabled: z.boolean() }).partial(),
  data: adminUser,
  errors: ['not_found', 'conflict'],
});

export const resetUserPassword = route({
  method: 'POST',
  path: '/admin/users/:id/reset-password',
  access: 'admin',
  summary: 'Set a new password; ends all sessions of the account and revokes its API tokens',
  params: byId,
  body: z.object({
    password,
    revoke_tokens: z.boolean().default(true).meta({ description: 'Whether to revoke all API tokens of the account' }),
  }),
  data: adminUser,
  errors: ['not_found'],
});

/** How an account can be used without its password. */
const userAccess = z.object({
  sessions: z.array(session).meta({ description: 'The newest 100' }),
  tokens: z.array(token).meta({ description: 'The newest 100' }),
});
export type UserAccess = z.infer<typeof userAccess>;

export const getUserAccess = route({
  method: 'GET',
  path: '/admin/users/:id/access',
  access: 'admin',
  summary: "List an account's sessions and API tokens, newest first",
  params: byId,
  data: userAccess,
  errors: ['not_found'],
});

export const endUserAccess = route({
  method: 'DELETE',
  path: '/admin/users/:id/access',
  access: 'admin',
  summary: 'End all sessions of an account, except your own, and revoke all its API tokens',
  params: byId,
  data: endedAccess,
  errors: ['not_found', 'cross_site'],
});

export const resetUserTwoFactor = route({
  method: 'DELETE',
  path: '/admin/users/:id/two-factor',
  access: 'admin',
  summary: 'Turn off two-factor authentication and remove the passkeys of an account whose user has lost them',
  params: byId,
  data: adminUser,
  errors: ['not_found', 'cross_site'],
});

export const transferUser = route({
  method: 'POST',
  path: '/admin/users/:id/transfer',
  access: 'admin',
  summary: 'Move all pictures, including the trash, and all albums to another account; links keep working',
  params: byId,
  body: z.object({ to_user_id: z.int().min(1) }),
  data: z.object({ images: count, albums: count, bytes: count }),
  errors: ['not_found'],
});

export const deleteUser = route({
  method: 'DELETE',
  path: '/admin/users/:id',
  access: 'admin',
  summary:
    'Delete an account. All its access ends immediately. With `to_user_id`, its pictures and albums go to that account; otherwise, its pictures go to its trash, from where an admin can still move them',
  params: byId,
  query: z.object({
    to_user_id: z.coerce.number().int().min(1).optional().meta({ description: 'Who gets the pictures and albums; absent: the trash' }),
  }),
  data: adminUser,
  errors: ['not_found', 'conflict', 'cross_site'],
});
