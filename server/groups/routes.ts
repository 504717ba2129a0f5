import * as api from '#api/limits.ts';
import { memberOf } from '../auth/authorize.ts';
import type { Context } from '../context.ts';
import { bind } from '../http/routes.ts';
import { countTrash } from '../trash/counts.ts';
import { groupById } from './groups.ts';

export const limitRoutes = ({ db }: Context) => [
  bind(api.getLimits, async ({ actor }) => {
    const { user } = memberOf(actor);
    const { id: _id, kind: _kind, created_at: _created, name, ...limits } = await groupById(db.read, user.group_id);
    const image_count = user.image_count - (await countTrash(db.read, user.id));
    return { group: name, storage_used_bytes: user.storage_used_bytes, image_count, ...limits };
  }),
];
