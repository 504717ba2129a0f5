import { z } from 'zod';
import { instant, line, nothing, opaqueId, page, pageQuery, route } from '#api/contract.ts';
import { DAY } from '#api/durations.ts';

export const tokenScope = z.enum(['upload', 'device', 'full', 'metrics']).meta({
  description:
    '`upload`: can upload; `device`: can also follow and show what is sent to its user; `full`: can do what its user can; `metrics`: can read `/metrics`, for admins only',
});
export type TokenScope = z.infer<typeof tokenScope>;

/** An API token without its secret. */
export const token = z.object({
  id: opaqueId,
  name: z.string(),
  scope: tokenScope,
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
});
export type Token = z.infer<typeof token>;

export const listTokens = route({
  method: 'GET',
  path: '/user/tokens',
  access: 'session',
  summary: "List the caller's API tokens",
  query: pageQuery,
  data: page(token),
});

export const createToken = route({
  method: 'POST',
  path: '/user/tokens',
  access: 'session',
  summary: 'Create an API token; its secret is returned only once',
  body: z.object({
    name: line(100, 1),
    scope: tokenScope,
    expires_in: z
      .int()
      .min(0)
      .max(10 * 366 * DAY)
      .optional()
      .meta({ description: 'Seconds; 0 or absent: until revoked' }),
  }),
  data: token.extend({ token: z.string() }),
});

export const revokeToken = route({
  method: 'DELETE',
  path: '/user/tokens/:id',
  access: 'session',
  summary: 'Revoke an API token immediately',
  params: z.object({ id: opaqueId }),
  data: nothing,
  errors: ['not_found'],
});
