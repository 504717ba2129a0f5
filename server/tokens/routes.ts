import * as api from '#api/tokens.ts';
import { memberOf } from '../auth/authorize.ts';
import type { Context } from '../context.ts';
import { toPage } from '../db/page.ts';
import { NotFoundError } from '../http/errors.ts';
import { bind } from '../http/routes.ts';
import { presentToken } from './present.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

export const tokenRoutes = ({ db }: Context) => [
  bind(api.listTokens, async ({ actor, query }) => {
    const rows = await listTokens(db, memberOf(actor).user.id, query);
    return toPage(rows, query.limit, ({ id }) => ({ value: id, id }), presentToken);
  }),

  bind(api.createToken, async ({ actor, body }) => {
    const { name, scope, expires_in = 0 } = body;
    const { row, secret } = await createToken(db, memberOf(actor).user.id, { name, scope, expiresIn: expires_in });
    return { ...presentToken(row), token: secret };
  }),

  bind(api.revokeToken, async ({ actor, params }) => {
    if (!(await revokeToken(db, memberOf(actor).user.id, params.id))) throw new NotFoundError('There is no such token.');
    return {};
  }),
];
