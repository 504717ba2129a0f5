import * as api from '#api/sharing/requests.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { closedBy } from '#server/core/requests/request-links.ts';
import { bind } from '#server/core/routes.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { mapPage } from '#server/platform/db/page.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';
import {
  changeRequest,
  createRequest,
  deleteRequest,
  findReceived,
  listBatches,
  listRequests,
  type OwnRequest,
  type ReceivedBatch,
} from './requests.ts';

/** What those who ask for pictures do with their request links. */
export const requestRoutes = ({ db, links, opaque }: Context) => {
  const present = ({ owner_id, password_hash, paused_at, expires_at, created_at, ...row }: RequestLinkRow, userId: number) => ({
    ...row,
    url: links.requestOf(row),
    own: owner_id === userId,
    has_password: password_hash !== null,
    state: closedBy({ ...row, paused_at, expires_at }, Date.now()) ?? ('open' as const),
    expires_at: toInstant(expires_at),
    created_at: toInstant(created_at),
  });

  const presentReceived = ({ id, sender_name, last_at, closed_at, ...batch }: ReceivedBatch) => ({
    id: opaque.of('batch', id),
    ...batch,
    from: sender_name,
    received_at: toInstant(last_at),
    complete: closed_at !== null,
  });

  const managed = (userId: number, { id, request }: { id: string; request: string }): OwnRequest => ({
    userId,
    albumId: id,
    requestId: request,
  });

  return [
    bind(api.createRequest, async ({ actor, caller, params, body }) => {
      const { id } = memberOf(actor).user;
      return present(await createRequest(db.as(caller), id, params.id, body), id);
    }),

    bind(api.listRequests, async ({ actor, params, query }) => {
      const { id } = memberOf(actor).user;
      return mapPage(await listRequests(db.read, id, params.id, query), (link) => present(link, id));
    }),

    bind(api.changeRequest, async ({ actor, caller, params, body }) => {
      const { id } = memberOf(actor).user;
      return present(await changeRequest(db.as(caller), managed(id, params), body), id);
    }),

    bind(api.deleteRequest, async ({ actor, caller, params }) => {
      await deleteRequest(db.as(caller), managed(memberOf(actor).user.id, params));
      return {};
    }),

    bind(api.listRequestBatches, async ({ actor, params, query }) =>
      mapPage(await listBatches(db.read, managed(memberOf(actor).user.id, params), query), presentReceived),
    ),

    bind(api.getReceived, async ({ actor, params }) =>
      presentReceived(await findReceived(db.read, memberOf(actor).user.id, opaque.idOf('batch', params.batch))),
    ),
  ];
};
