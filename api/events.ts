import { z } from 'zod';
import { EVENT_KINDS } from './constants.ts';
import { asSent, route } from './contract.ts';

export type EventKind = (typeof EVENT_KINDS)[number];

/** The `data` of every event, as JSON. */
export interface EventData {
  /** Keys of pictures, IDs of albums, of batches that were received or of what was sent, or names of jobs; empty for `resync` and `heartbeat`. */
  keys: string[];
}

export const streamEvents = route({
  method: 'GET',
  path: '/events',
  access: 'user',
  deviceScope: true,
  summary:
    "Follow changes to the caller's pictures and albums, and admins the progress of jobs, as server-sent events. " +
    `Event names: ${EVENT_KINDS.map((kind) => `\`${kind}\``).join(', ')}; data: \`{"keys": […]}\`. ` +
    'A token of scope `device` gets `request.received` and `sent.received` only. ' +
    'The stream begins with `resync` unless it continues another one; a heartbeat follows every 20 seconds',
  headers: z.object({
    'last-event-id': asSent().optional().meta({ description: 'The ID of the last event received: the stream continues after it' }),
  }),
  binary: 'text/event-stream',
  errors: ['rate_limited'],
});
