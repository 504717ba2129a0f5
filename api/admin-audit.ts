import { z } from 'zod';
import { instant, page, pageQuery, route } from './contract.ts';

/** For how many days the log keeps what it says, and failed sign-ins, of which strangers can cause any number. */
export const AUDIT_DAYS = 365;
export const FAILED_SIGN_IN_DAYS = 30;

/** One thing that somebody has done. */
export const auditEntry = z.object({
  id: z.int(),
  at: instant,
  actor: z.object({ id: z.int(), username: z.string() }).nullable().meta({ description: 'Null: nobody that was signed in' }),
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
  summary: `Who did what, from where; newest first. Kept ${AUDIT_DAYS} days, failed sign-ins ${FAILED_SIGN_IN_DAYS}`,
  query: pageQuery.extend({ action: z.string().max(100).optional(), actor_id: z.coerce.number().int().min(1).optional() }),
  data: page(auditEntry),
});
