import { z } from 'zod';
import { instant, line, nothing, page, pageQuery, route } from '#api/contract.ts';
import { DAY } from '#api/durations.ts';
import { email } from './auth.ts';

/** A permission to register once, without its code. */
const invite = z.object({
  id: z.int(),
  note: z.string(),
  email: z.string().nullable().meta({ description: 'Restricts the invite to this email address' }),
  group_id: z.int().nullable(),
  created_at: instant,
  expires_at: instant,
  used_at: instant.nullable(),
  used_by: z.int().nullable().meta({ description: 'The account created with it' }),
});
export type Invite = z.infer<typeof invite>;

export const listInvites = route({
  method: 'GET',
  path: '/admin/invites',
  access: 'admin',
  summary: 'List invites, newest first',
  query: pageQuery,
  data: page(invite),
});

export const createInvite = route({
  method: 'POST',
  path: '/admin/invites',
  access: 'admin',
  summary: 'Create an invite for one registration; its code is returned only once',
  body: z.object({
    note: line(200).default(''),
    email: email.nullable().default(null),
    group_id: z.int().min(1).nullable().default(null).meta({ description: 'Null: the default group' }),
    expires_in: z
      .int()
      .min(60)
      .max(366 * DAY)
      .default(7 * DAY)
      .meta({ description: 'Seconds' }),
  }),
  data: invite.extend({ code: z.string(), url: z.string().meta({ description: 'Registration page with this invite' }) }),
  errors: ['cross_site'],
});

export const deleteInvite = route({
  method: 'DELETE',
  path: '/admin/invites/:id',
  access: 'admin',
  summary: 'Revoke an invite; an account created with it is kept',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  data: nothing,
  errors: ['not_found', 'cross_site'],
});
