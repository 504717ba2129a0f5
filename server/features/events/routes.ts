import { streamEvents } from '#api/events.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { bindBinary } from '#server/core/routes.ts';
import type { Streams } from './streams.ts';

export const eventRoutes = ({ streams }: { streams: Streams }) => [
  bindBinary(streamEvents, async ({ actor, headers, request, response }) => {
    const member = memberOf(actor);
    response.type(streamEvents.binary);
    // Proxies must pass each event on at once: compressing or buffering would hold it back.
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    if (request.method === 'HEAD') response.end();
    else streams.open(response, member, headers['last-event-id']);
  }),
];
