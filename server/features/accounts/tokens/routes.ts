import * as api from '#api/auth/tokens.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { presentToken } from '#server/core/accounts/present-access.ts';
import { createToken, listTokens, revokeToken } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';

export const tokenRoutes = ({ db, opaque }: Context) => [
  bind(api.listTokens, async ({ actor, query }) =>
    mapPage(await listTokens(db, memberOf(actor).user.id, query), (row) => presentToken(row, opaque)),
  ),

  bind(api.createToken, async ({ actor, caller, body }) => {
    const { name, scope, expires_in = 0 } = body;
    const { row, secret } = await createToken(db.as(caller), memberOf(actor).user.id, { name, scope, expiresIn: expires_in });
    return { ...presentToken(row, opaque), token: secret };
  }),

  bind(api.revokeToken, async ({ actor, caller, params }) => {
    if (!(await revokeToken(db.as(caller), memberOf(actor).user.id, opaque.idOf('token', params.id))))
      throw new NotFoundError('This token no longer exists. Reload the list.');
    return {};
  }),
];
