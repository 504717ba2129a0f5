import type { Policy } from '#api/admin/policies.ts';
import * as api from '#api/admin/policies.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { placeOf } from '#server/platform/storage/drivers.ts';
import {
  changePolicy,
  createPolicy,
  deletePolicy,
  listPolicies,
  type PolicyWithCount,
  policyWithCount,
  testConnection,
  unusedFiles,
} from './changes.ts';
import { moveFrom, startMove, stopMove } from './moves.ts';

export function policyRoutes(context: Context) {
  const { db } = context;
  const show = async (id: number) => presentPolicy(db.read, await policyWithCount(db, id));

  return [
    bind(api.listPolicies, async ({ query }) => {
      const { items, ...page } = await listPolicies(db, query);
      return { ...page, items: await Promise.all(items.map((row) => presentPolicy(db.read, row))) };
    }),

    bind(api.createPolicy, async (call) => show(await createPolicy(context, call.caller, call.body, auditOrigin(call)))),

    bind(api.testPolicy, async ({ body }) => ({ milliseconds: await testConnection(context, body) })),

    bind(api.changePolicy, async (call) => {
      await changePolicy(context, call.caller, call.params.id, call.body, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.movePolicy, async (call) => {
      await startMove(db.as(call.caller), { from: call.params.id, to: call.body.to_policy_id }, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.stopPolicyMove, async (call) => {
      await stopMove(db.as(call.caller), call.params.id, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.deletePolicy, async (call) => {
      await deletePolicy(context, call.caller, call.params.id, call.query.forget_files === true, auditOrigin(call));
      return {};
    }),
  ];
}

async function presentPolicy(read: Queries, row: PolicyWithCount): Promise<Policy> {
  const { id, name, max_side, convert_to, quality, heic_to, cache_seconds, image_count } = row;
  const { driver, folder, config } = placeOf(row);
  return {
    id,
    name,
    driver,
    folder,
    config: config && { ...config, secret_access_key: MASKED_SECRET },
    keep_metadata: row.keep_metadata === 1,
    max_side,
    convert_to,
    quality,
    heic_to,
    cache_seconds,
    move: await moveFrom(read, id),
    image_count,
    unused: await unusedFiles(read, id),
    created_at: toInstant(row.created_at),
  };
}
