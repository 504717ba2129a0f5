import { HOUR } from '#api/durations.ts';
import * as api from '#api/sent.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { namingCounter } from '#server/core/accounts/people.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import { requirePoint } from '#server/platform/limits/counter.ts';
import { countUnseen, listBox, markSeen, presentSent, removeSent } from './boxes.ts';
import { listInAlbum, putInAlbum, takeOutOfAlbum } from './in-albums.ts';
import { sendImages } from './send.ts';

const SENDINGS_PER_HOUR = 120;
/** Sending pictures to other users of this server (decision 182). */
export const sentRoutes = (context: Context) => {
  const { db, limits, settings } = context;
  const sendings = limits.counter('sendings by user', { points: SENDINGS_PER_HOUR, duration: HOUR, keepsAll: true });
  const names = namingCounter(limits);
  return [
    bind(api.send, async ({ actor, caller, body, request }) => {
      const { id } = memberOf(actor).user;
      await requirePoint(sendings, String(id), 'You have sent pictures too often.');
      const row = await sendImages(db.as(caller), names, id, settings.current().team_directory, body);
      const [sent] = await presentSent(context, 'out', [{ ...row, seen_at: null }], request);
      return sent as api.Sent;
    }),

    bind(api.listSent, async ({ actor, query: { box, ...page }, request }) => {
      const { user, scope } = memberOf(actor);
      if (scope === 'device' && box !== 'in') throw new ForbiddenError('This token can only list what was sent to its user.');
      const { items, next_cursor } = await listBox(db.read, user.id, box, page);
      return { items: await presentSent(context, box, items, request), next_cursor, unseen: await countUnseen(db.read, user.id) };
    }),

    bind(api.markSeen, async ({ actor, caller, params }) => {
      await markSeen(db.as(caller), memberOf(actor).user.id, params.id);
      return {};
    }),

    bind(api.removeSent, async ({ actor, caller, params }) => {
      await removeSent(db.as(caller), memberOf(actor).user.id, params.id);
      return {};
    }),

    bind(api.listReceived, ({ actor, params, query, request }) => listInAlbum(context, memberOf(actor).user.id, params.id, query, request)),

    bind(api.addReceived, async ({ actor, caller, params, body }) => {
      await putInAlbum(db.as(caller), memberOf(actor).user.id, params.id, body);
      return {};
    }),

    bind(api.removeReceived, async ({ actor, caller, params }) => {
      await takeOutOfAlbum(db.as(caller), memberOf(actor).user.id, params.id, params.key);
      return {};
    }),
  ];
};
