import { exact, flag, idOf, instant, number, numbered, object, oneOf, type RowOf, table, text, texts } from './columns.ts';

export const webhooks = {
  webhooks: table({
    id: numbered,
    name: text(),
    url: text(),
    /** JSON array of event types. */
    events: texts,
    /** The signing secret, encrypted. */
    secret: text(),
    enabled: flag,
    created_at: instant,
  }),

  /** Both the outbox and the delivery log: a row is pending until it is delivered or given up. */
  webhook_deliveries: table(
    {
      id: numbered,
      webhook_id: idOf('webhooks', 'cascade'),
      /** The same in every attempt, so that receivers recognise repeats. */
      message_id: text(),
      type: text(),
      /** The event, as JSON. */
      data: object,
      state: oneOf(['pending', 'delivered', 'failed']),
      attempts: number.default(0),
      next_attempt_at: instant,
      created_at: instant,
      last_attempt_at: instant.nullable(),
      /** The HTTP status of the last response; null without a response. */
      last_status: exact.nullable(),
      last_error: text().nullable(),
    },
    {
      indexes: {
        webhook_deliveries_due: { columns: ['next_attempt_at', 'id'], where: "state = 'pending'" },
        webhook_deliveries_log: { columns: ['webhook_id', 'id'] },
      },
    },
  ),
};

export type WebhookRow = RowOf<typeof webhooks.webhooks>;
export type DeliveryRow = RowOf<typeof webhooks.webhook_deliveries>;
