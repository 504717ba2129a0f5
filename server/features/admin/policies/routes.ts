import * as api from '#api/admin/policies.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { changePolicy, createPolicy, deletePolicy, listPolicies, policyWithCount, testConnection } from './changes.ts';
import { startMove, stopMove } from './moves.ts';
import { presentPolicy } from './present.ts';

export function policyRoutes(context: Context) {
  const { db } = context;
  const show = async (id: number) => presentPolicy(db.read, await policyWithCount(db, id));

  return [
    bind(api.listPolicies, async ({ query }) => {
      const { items, ...page } = await listPolicies(db, query);
      return { ...page, items: await Promise.all(items.map((row) => presentPolicy(db.read, row))) };
    }),

    bind(api.createPolicy, async (call) => show(await createPolicy(context, call.body, auditOrigin(call)))),

    bind(api.testPolicy, async ({ body }) => ({ milliseconds: await testConnection(context, body) })),

    bind(api.changePolicy, async (call) => {
      await changePolicy(context, call.params.id, call.body, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.movePolicy, async (call) => {
      await startMove(context, call.params.id, call.body.to_policy_id, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.stopPolicyMove, async (call) => {
      await stopMove(context, call.params.id, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.deletePolicy, async (call) => {
      await deletePolicy(context, call.params.id, call.query.forget_files === true, auditOrigin(call));
      return {};
    }),
  ];
}
