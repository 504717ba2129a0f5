import type { Group } from '#api/admin/groups.ts';
import * as api from '#api/admin/groups.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { toGroup } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { mapPage } from '#server/platform/db/page.ts';
import { changeGroup, createGroup, deleteGroup, type GroupWithCount, groupWithCount, listGroups } from './changes.ts';

export function groupAdminRoutes({ db }: Context) {
  const show = async (id: number) => presentGroup(await groupWithCount(db, id));

  return [
    bind(api.listGroups, async ({ query }) => mapPage(await listGroups(db, query), presentGroup)),

    bind(api.createGroup, async (call) => show(await createGroup(db.as(call.caller), call.body, auditOrigin(call)))),

    bind(api.changeGroup, async (call) => {
      await changeGroup(db.as(call.caller), call.params.id, call.body, auditOrigin(call));
      return show(call.params.id);
    }),

    bind(api.deleteGroup, async (call) => {
      await deleteGroup(db.as(call.caller), call.params.id, auditOrigin(call));
      return {};
    }),
  ];
}

function presentGroup({ user_count, ...row }: GroupWithCount): Group {
  const { created_at, ...group } = toGroup(row);
  return { ...group, user_count, created_at: toInstant(created_at) };
}
