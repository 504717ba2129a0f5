import { z } from 'zod';
import { WEBHOOK_EVENTS } from './constants.ts';
import { count, instant, line, nothing, page, pageQuery, route, typed } from './contract.ts';

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
const webhookEventType = z.enum(WEBHOOK_EVENTS);

/** A webhook without its secret. */
export const webhook = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  events: z.array(webhookEventType),
  enabled: z.boolean(),
  created_at: instant,
});
export type Webhook = z.infer<typeof webhook>;

const withSecret = webhook.extend({
  secret: z.string().meta({ description: 'Signs every delivery (Standard Webhooks); returned only once' }),
});

const fields = {
  name: line(100, 1),
  url: typed(2048).meta({ description: 'http or https; the address must be public unless the settings allow it' }),
  events: z.array(webhookEventType).min(1).max(10),
};
const byId = z.object({ id: z.coerce.number().int().min(1) });

export const listWebhooks = route({
  method: 'GET',
  path: '/admin/webhooks',
  access: 'admin',
  summary: 'List all webhooks, oldest first',
  query: pageQuery,
  data: page(webhook),
});

export const createWebhook = route({
  method: 'POST',
  path: '/admin/webhooks',
  access: 'admin',
  summary: 'Create a webhook; its secret is returned only once',
  body: z.object({ ...fields, enabled: z.boolean().optional() }),
  data: withSecret,
});

export const changeWebhook = route({
  method: 'PATCH',
  path: '/admin/webhooks/:id',
  access: 'admin',
  summary: 'Change a webhook, or turn it on or off',
  params: byId,
  body: z.object({ ...fields, enabled: z.boolean() }).partial(),
  data: webhook,
  errors: ['not_found'],
});

export const deleteWebhook = route({
  method: 'DELETE',
  path: '/admin/webhooks/:id',
  access: 'admin',
  summary: 'Delete a webhook with its pending deliveries and log',
  params: byId,
  data: nothing,
  errors: ['not_found'],
});

export const rotateWebhookSecret = route({
  method: 'POST',
  path: '/admin/webhooks/:id/rotate-secret',
  access: 'admin',
  summary: 'Replace the secret immediately; the new one is returned only once',
  params: byId,
  data: withSecret,
  errors: ['not_found'],
});

export const testWebhook = route({
  method: 'POST',
  path: '/admin/webhooks/:id/test',
  access: 'admin',
  summary: 'Send a webhook.test event; the delivery log shows the result',
  params: byId,
  data: nothing,
  errors: ['not_found'],
});

/** The delivery of one event to one webhook. */
export const webhookDelivery = z.object({
  id: z.int(),
  message_id: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: count,
  next_attempt_at: instant.nullable().meta({ description: 'Null once delivered or abandoned' }),
  created_at: instant,
  last_attempt_at: instant.nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const listWebhookDeliveries = route({
  method: 'GET',
  path: '/admin/webhooks/:id/deliveries',
  access: 'admin',
  summary: 'List the deliveries of a webhook, newest first; kept for 30 days',
  params: byId,
  query: pageQuery,
  data: page(webhookDelivery),
  errors: ['not_found'],
});

export const redeliverWebhook = route({
  method: 'POST',
  path: '/admin/webhooks/:id/deliveries/:delivery_id/redeliver',
  access: 'admin',
  summary: 'Repeat a delivery with the same message ID',
  params: byId.extend({ delivery_id: z.coerce.number().int().min(1) }),
  data: webhookDelivery,
  errors: ['not_found'],
});
