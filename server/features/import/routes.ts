import * as api from '#api/admin/imports.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { sendableToken, sourceAddress } from '#transfer/sources/brought.ts';
import type { Imports } from './imports.ts';

/** The import from another product that an admin starts and follows. */
export const importRoutes = ({ db, imports }: Context & { imports: Imports }) => [
  bind(api.getImport, async () => ({ import: await imports.state() })),

  bind(api.startImport, async (call) => {
    const { product, url, token } = call.body;
    const address = sourceAddress(url);
    if (address === undefined)
      throw new InvalidRequestError('Enter the address of the other product, such as https://old.example.org.', { field: 'url' });
    const started = { product, address, token: requireToken(token), userId: memberOf(call.actor).user.id };
    await imports.start(db.as(call.caller), started, auditOrigin(call));
    return {};
  }),

  bind(api.pauseImport, async ({ caller }) => {
    await imports.pause(db.as(caller));
    return {};
  }),

  bind(api.continueImport, async ({ caller, body }) => {
    await imports.continue(db.as(caller), body.token === undefined ? undefined : requireToken(body.token));
    return {};
  }),

  bind(api.stopImport, async (call) => {
    await imports.stop(db.as(call.caller), auditOrigin(call));
    return {};
  }),
];

/** It is sent in a header. */
function requireToken(text: string): string {
  const token = sendableToken(text);
  if (token !== undefined) return token;
  throw new InvalidRequestError('The token contains characters that no token has. Copy it again.', { field: 'token' });
}
