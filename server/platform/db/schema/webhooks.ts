import type { Generated, Selectable } from 'kysely';

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

/** The outbox and the delivery log in one: a row is pending until it is delivered or given up. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** What receivers recognise repeats by: the same in every attempt. */
  message_id: string;
  type: string;
  /** JSON, what happened. */
  data: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: Generated<number>;
  next_attempt_at: number;
  created_at: number;
  last_attempt_at: number | null;
  /** HTTP status of the last answer; null when none came. */
  last_status: number | null;
  last_error: string | null;
}
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
