import type { Generated, Selectable } from 'kysely';
import { z } from 'zod';
import { flag, id, instant, number, object, type RowOf, text, texts } from './columns.ts';

export interface WebhooksTable {
  id: Generated<number>;
  name: string;
  url: string;
  /** JSON array of event types. */
  events: string;
  /** The signing secret, encrypted. */
  secret: string;
  enabled: 0 | 1;
  created_at: number;
}
export type WebhookRow = Selectable<WebhooksTable>;
export const webhooksRows = z.strictObject({
  id,
  name: text,
  url: text,
  events: texts,
  secret: text,
  enabled: flag,
  created_at: instant,
}) satisfies RowOf<WebhooksTable>;

/** Both the outbox and the delivery log: a row is pending until it is delivered or given up. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** The same in every attempt, so that receivers recognise repeats. */
  message_id: string;
  type: string;
  /** The event, as JSON. */
  data: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: Generated<number>;
  next_attempt_at: number;
  created_at: number;
  last_attempt_at: number | null;
  /** The HTTP status of the last response; null without a response. */
  last_status: number | null;
  last_error: string | null;
}
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
export const webhookDeliveriesRows = z.strictObject({
  id,
  webhook_id: id,
  message_id: text,
  type: text,
  data: object,
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: number,
  next_attempt_at: instant,
  created_at: instant,
  last_attempt_at: instant.nullable(),
  last_status: z.int().nullable(),
  last_error: text.nullable(),
}) satisfies RowOf<WebhookDeliveriesTable>;
