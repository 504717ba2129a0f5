import * as api from '#api/limits.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { countTrash } from '#server/core/images/trash-counts.ts';
import { bind } from '#server/core/routes.ts';

export const limitRoutes = ({ db }: Context) => [
  bind(api.getLimits, async ({ actor }) => {
    const { user } = memberOf(actor);
    const { id: _id, kind: _kind, created_at: _created, name, ...limits } = await groupById(db.read, user.group_id);
    const image_count = user.image_count - (await countTrash(db.read, user.id));
    return { group: name, storage_used_bytes: user.storage_used_bytes, image_count, ...limits };
  }),
];
