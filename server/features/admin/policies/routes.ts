import * as api from '#api/admin-policies.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { toPage } from '#server/platform/db/page.ts';
import { changePolicy, createPolicy, deletePolicy, listPolicies, type PolicyWithCount, policyWithCount } from './changes.ts';
import { presentPolicy } from './present.ts';

export function policyRoutes(context: Context) {
  const { db } = context;
  const show = async (id: number) => presentPolicy(await policyWithCount(db, id));
  const position = ({ id }: PolicyWithCount) => ({ value: id, id });

  return [
    bind(api.listPolicies, async ({ query }) => toPage(await listPolicies(db, query), query.limit, position, presentPolicy)),

    bind(api.createPolicy, async (call) => show(await createPolicy(context, call.body, auditOrigin(call)))),

    bind(api.changePolicy, async (call) => {
      await changePolicy(context, call.params.id, call.body, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.deletePolicy, async (call) => {
      await deletePolicy(context, call.params.id, auditOrigin(call));
      return {};
    }),
  ];
}
