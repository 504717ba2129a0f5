import { z } from 'zod';
import { serviceProblem } from '#api/desktop/service.ts';

// Messages between main and the service process, over the private channel between parent and child.

/** The service's configuration; see `ServiceConfig` in server/server.ts. */
const config = z.object({
  host: z.string(),
  port: z.int(),
  dataDir: z.string(),
  baseUrl: z.string().optional(),
  trustProxy: z.array(z.string()),
  allowedHosts: z.array(z.string()),
  webRoot: z.string(),
  logLevel: z.string(),
});
export type ChildConfig = z.infer<typeof config>;

/** From main to the service process. */
export const toService = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), config }),
  z.object({ type: z.literal('open-session'), id: z.int(), username: z.string() }),
  z.object({ type: z.literal('stop') }),
]);
export type ToService = z.infer<typeof toService>;

/** A session of the owner, for the window's cookie store. */
const sessionCookie = z.object({ name: z.string(), value: z.string(), expires: z.iso.datetime() });
export type SessionCookie = z.infer<typeof sessionCookie>;

/** From the service process to main. */
export const fromService = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), url: z.url(), linkAddress: z.string() }),
  // It is about to exit and must be restarted immediately.
  z.object({ type: z.literal('restarting') }),
  z.object({ type: z.literal('failed'), problem: serviceProblem }),
  z.object({ type: z.literal('session'), id: z.int(), cookie: sessionCookie }),
  z.object({ type: z.literal('refused'), id: z.int(), message: z.string() }),
]);
export type FromService = z.infer<typeof fromService>;
