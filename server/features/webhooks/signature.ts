import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new signing secret, in the format of Standard Webhooks libraries. */
export const newSecret = () => PREFIX + randomBytes(32).toString('base64');

/**
 * The headers that prove to a receiver who sent `body` and when.
 * Source: Standard Webhooks specification, symmetric signatures (`v1`).
 * @param at the time of this attempt, in milliseconds
 */
export function signatureHeaders(secret: string, messageId: string, body: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
