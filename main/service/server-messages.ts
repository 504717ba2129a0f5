import { z } from 'zod';
import { accountChoice } from '#api/desktop/account.ts';
import { serviceProblem } from '#api/desktop/service.ts';
import { textLine } from '#api/images/text.ts';

// Messages between main and the service process, over the private channel between parent and child.

/** The service's configuration; see `ServiceConfig` in server/boot/server.ts. */
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
  // `userId` null: the owner, who is created with this name when there is none.
  z.object({ type: z.literal('open-account'), id: z.int(), userId: z.int().nullable(), username: z.string() }),
  z.object({ type: z.literal('list-accounts'), id: z.int() }),
  // Listens on another address and the same port.
  z.object({ type: z.literal('listen'), id: z.int(), host: z.string() }),
  // The host name or IPv4 address of links on the network.
  z.object({ type: z.literal('choose-address'), id: z.int(), host: z.string() }),
  // Replaces the host names that are accepted besides those of links and of this computer.
  z.object({ type: z.literal('allow-hosts'), hosts: z.array(z.string()) }),
  z.object({ type: z.literal('count-images'), id: z.int() }),
  // The text in a picture of this computer, which isn't uploaded.
  z.object({ type: z.literal('read-text'), id: z.int(), path: z.string() }),
  z.object({ type: z.literal('power'), onBattery: z.boolean() }),
  // Reports the next request from another device as `visited`.
  z.object({ type: z.literal('await-visitor') }),
  z.object({ type: z.literal('stop') }),
]);
export type ToService = z.infer<typeof toService>;

/** A session, as a cookie. */
const sessionCookie = z.object({ name: z.string(), value: z.string(), expires: z.iso.datetime() });
export type SessionCookie = z.infer<typeof sessionCookie>;

/** The session with which main uploads, and whose it is. */
const accountSession = z.object({ cookie: sessionCookie, user: z.object({ id: z.int(), username: z.string() }) });
export type AccountSession = z.infer<typeof accountSession>;

/** From the service process to main: the result of a request with the same id. */
const reply = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), id: z.int(), cookie: sessionCookie }),
  // Null: the account doesn't exist or is disabled.
  z.object({ type: z.literal('account'), id: z.int(), session: accountSession.nullable() }),
  z.object({ type: z.literal('accounts'), id: z.int(), accounts: z.array(accountChoice) }),
  z.object({ type: z.literal('addressed'), id: z.int(), linkAddress: z.string() }),
  z.object({ type: z.literal('images'), id: z.int(), count: z.int() }),
  z.object({ type: z.literal('text'), id: z.int(), lines: z.array(textLine) }),
  z.object({ type: z.literal('refused'), id: z.int(), message: z.string() }),
]);
export type Reply = z.infer<typeof reply>;

/** From the service process to main. */
export const fromService = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), url: z.url(), linkAddress: z.string() }),
  // It is about to exit and must be restarted immediately.
  z.object({ type: z.literal('restarting') }),
  z.object({ type: z.literal('failed'), problem: serviceProblem }),
  // Another device has sent a request; `from` is its IP address.
  z.object({ type: z.literal('visited'), from: z.string() }),
  // The latest automatic backup can't be restored; why, as a sentence.
  z.object({ type: z.literal('backup-fault'), reason: z.string() }),
  reply,
]);
export type FromService = z.infer<typeof fromService>;
