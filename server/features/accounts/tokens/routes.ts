import * as api from '#api/auth/tokens.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { presentToken } from '#server/core/accounts/present-access.ts';
import { createToken, listTokens, revokeToken } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { ForbiddenError, NotFoundError } from '#server/platform/base/errors.ts';
import { mapPage } from '#server/platform/db/page.ts';

export const tokenRoutes = ({ db }: Context) => [
  bind(api.listTokens, async ({ actor, query }) => mapPage(await listTokens(db, memberOf(actor).user.id, query), presentToken)),

  bind(api.createToken, async ({ actor, body }) => {
    const { name, scope, expires_in = 0 } = body;
    const { user } = memberOf(actor);
    if (scope === 'metrics' && user.role !== 'admin') throw new ForbiddenError('Only administrators can create tokens that read metrics.');
    const { row, secret } = await createToken(db, user.id, { name, scope, expiresIn: expires_in });
    return { ...presentToken(row), token: secret };
  }),

  bind(api.revokeToken, async ({ actor, params }) => {
    if (!(await revokeToken(db, memberOf(actor).user.id, params.id)))
      throw new NotFoundError('This token no longer exists. Reload the list.');
    return {};
  }),
];
