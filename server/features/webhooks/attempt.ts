import type { Links } from '#server/core/images/links.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { DeliveryRow, WebhookRow } from '#server/platform/db/schema/webhooks.ts';
import { createAddressRules, type Resolve, resolveBySystem } from '#server/platform/fetching/addresses.ts';
import { guardedRequest, parseWebAddress } from '#server/platform/fetching/guarded-request.ts';
import { signatureHeaders } from './signature.ts';
import { secretKey } from './webhooks.ts';

/** The result of one attempt; `interrupted`: the service is stopping, and the attempt doesn't count. */
export type Outcome =
  | 'interrupted'
  | {
      delivered: boolean;
      /** The receiver wants no more events (410). */
      gone: boolean;
      status: number | null;
      error: string | null;
    };

/** Sends one delivery to its webhook, once. */
export type Attempt = (delivery: DeliveryRow, signal: AbortSignal) => Promise<Outcome>;

export interface AttemptParts {
  db: Database;
  secrets: Secrets;
  settings: SettingsStore;
  links: Pick<Links, 'of'>;
  version: string;
  now: () => number;
  resolve?: Resolve;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

export function createAttempt(parts: AttemptParts): Attempt {
  const { db, secrets, timeoutMs = TIMEOUT_MS } = parts;
  return async (delivery, stopping) => {
    const webhook = await db.read.selectFrom('webhooks').selectAll().where('id', '=', delivery.webhook_id).executeTakeFirst();
    if (!webhook) return 'interrupted'; // deleted meanwhile, with its deliveries
    const secret = unseal(secretKey(secrets), webhook.secret);
    if (!secret) return failure('Couldn’t read the secret of this webhook. Replace it.');
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await post(parts, webhook, delivery, secret, AbortSignal.any([stopping, timeout]));
    } catch (error) {
      if (stopping.aborted) return 'interrupted';
      if (timeout.aborted) return failure(`The receiver didn’t respond within ${Math.ceil(timeoutMs / 1000)} seconds.`);
      return failure(error instanceof RequestError ? error.message : 'Couldn’t reach the receiver, or the connection was lost.');
    }
  };
}

async function post(
  parts: AttemptParts,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  secret: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { settings, links, version, now, resolve = resolveBySystem } = parts;
  const body = bodyOf(delivery, links);
  const response = await guardedRequest(parseWebAddress(webhook.url), createAddressRules(settings.current().fetch_allowed_hosts), resolve, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Pixdock/${version}`,
      ...signatureHeaders(secret, delivery.message_id, body, now()),
    },
    body,
    signal,
  });
  const { status } = response;
  await response.close(); // only the status matters
  if (status >= 200 && status < 300) return { delivered: true, gone: false, status, error: null };
  return { delivered: false, gone: status === 410, status, error: `The receiver returned status ${status}.` };
}

const failure = (error: string): Outcome => ({ delivered: false, gone: false, status: null, error });

/** Uses current links, since the base URL may have changed since the event. */
function bodyOf({ type, data, created_at }: DeliveryRow, links: Pick<Links, 'of'>): string {
  const what = JSON.parse(data) as Record<string, unknown>;
  const shown = type.startsWith('image.') ? { ...what, links: links.of(what as unknown as Parameters<Links['of']>[0]) } : what;
  return JSON.stringify({ type, timestamp: toInstant(created_at), data: shown });
}
