import { z } from 'zod';
import { asSent, instant, page, pageQuery, route } from '#api/contract.ts';

/** Days until entries are deleted; failed sign-ins, which anyone can cause, are kept for less time. */
export const AUDIT_DAYS = 365;
export const FAILED_SIGN_IN_DAYS = 30;

/** One action. */
export const auditEntry = z.object({
  id: z.int(),
  at: instant,
  actor: z.object({ id: z.int(), username: z.string() }).nullable().meta({ description: 'Null: not signed in' }),
  action: z.string().meta({ examples: ['settings.changed'] }),
  target: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.string(),
  user_agent: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const listAudit = route({
  method: 'GET',
  path: '/admin/audit',
  access: 'admin',
  summary: `List the audit log, newest first; entries are kept for ${AUDIT_DAYS} days, failed sign-ins for ${FAILED_SIGN_IN_DAYS}`,
  query: pageQuery.extend({
    action: asSent(100).optional(),
    actor_id: z.coerce.number().int().min(1).optional(),
    from: instant.optional().meta({ description: 'At or after this time' }),
    to: instant.optional().meta({ description: 'Before this time' }),
  }),
  data: page(auditEntry),
});
