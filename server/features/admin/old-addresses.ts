import * as api from '#api/admin/old-addresses.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { countOldAddresses, storeOldAddresses } from '#server/core/images/old-addresses.ts';
import { recordAudit } from '#server/core/journal/audit.ts';
import { bind } from '#server/core/routes.ts';
import { isOwnPage } from '#server/platform/http/pages/web-app.ts';

/** Addresses of pictures from before they were here. `features/delivery/old-addresses.ts` serves them. */
export const oldAddressRoutes = ({ db }: Context) => [
  bind(api.getOldAddresses, async () => ({ count: await countOldAddresses(db.read) })),

  bind(api.putOldAddresses, async (call) => {
    const { addresses, replace } = call.body;
    return db.as(call.caller).write(async (queries) => {
      if (replace) await queries.deleteFrom('old_addresses').execute();
      const refused = await storeOldAddresses(queries, addresses, isOwnPage);
      const count = await countOldAddresses(queries);
      await recordAudit(queries, auditOrigin(call), { action: 'settings.old_addresses_changed', target: String(count) });
      return { count, refused };
    });
  }),

  bind(api.deleteOldAddresses, async (call) => {
    await db.as(call.caller).write(async (queries) => {
      await queries.deleteFrom('old_addresses').execute();
      await recordAudit(queries, auditOrigin(call), { action: 'settings.old_addresses_changed', target: '0' });
    });
    return {};
  }),
];
