import { z } from 'zod';
import { MINUTE_MS } from '#api/durations.ts';
import { randomSecret } from '#server/platform/base/secret-text.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

const PURPOSE = 'passkey-ticket';
const LIFETIME_MS = 5 * MINUTE_MS;

/** What a challenge is for: adding a passkey to an account, or signing in (null). */
type For = number | null;

/** Challenges for passkeys. The client keeps them, encrypted, so that anonymous requests can't fill any memory. */
export interface Tickets {
  issue(userId: For): { challenge: string; ticket: string };
  /** The challenge of a ticket; undefined when it is for something else, too old, or spent. */
  challengeOf(ticket: string, userId: For): Promise<string | undefined>;
  /** Allows no second use of a challenge. Returns false when it was spent meanwhile. */
  spend(challenge: string): Promise<boolean>;
}

const schema = z.object({ userId: z.number().nullable(), challenge: z.string(), expires: z.number() });

export function createTickets(secrets: Secrets, limits: Limits): Tickets {
  const key = secrets.key(PURPOSE);
  // Only those that an authenticator has signed get here.
  const spent = limits.counter('spent challenges of passkeys', { points: 1, duration: LIFETIME_MS / 1000, durable: true, keepsAll: true });
  return {
    issue(userId) {
      const challenge = randomSecret();
      return { challenge, ticket: seal(key, JSON.stringify({ userId, challenge, expires: Date.now() + LIFETIME_MS })) };
    },
    async challengeOf(ticket, userId) {
      const text = unseal(key, ticket);
      const issued = text === undefined ? undefined : schema.parse(JSON.parse(text));
      if (!issued || issued.userId !== userId || issued.expires <= Date.now()) return undefined;
      if (await spent.get(issued.challenge)) return undefined;
      return issued.challenge;
    },
    spend: async (challenge) => (await spent.penalty(challenge)).consumedPoints === 1,
  };
}
