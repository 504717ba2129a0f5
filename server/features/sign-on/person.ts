import { email as emailSchema } from '#api/auth/auth.ts';
import type { Person } from './accounts.ts';

/** The claims of an ID token or a profile that are used here; a provider can send anything. */
export interface Claims {
  email?: unknown;
  email_verified?: unknown;
  preferred_username?: unknown;
  name?: unknown;
}

const MAX_NAME = 48;

/**
 * Reads a person from the ID token and, for missing claims, the profile.
 * @param trustEmail whether an address counts as verified if the provider says nothing about it
 */
export function describePerson(idToken: Claims & { iss: string; sub: string }, more: Claims, trustEmail: boolean): Person {
  // The address and its verification must come from the same source.
  const source = idToken.email === undefined ? more : idToken;
  const email = emailSchema.safeParse(source.email).data;
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    // Some providers send the string instead of the boolean, some capitalised; anything else means false.
    emailVerified: /^true$/i.test(String(source.email_verified ?? trustEmail)),
    preferredName: usernameFrom([idToken.preferred_username, more.preferred_username, email, idToken.name, more.name]),
  };
}

/** The first usable claim as a user name; for an address, the part before the @. */
function usernameFrom(claims: unknown[]): string {
  const names = claims.filter((claim) => typeof claim === 'string').map(toUsername);
  return names.find((name) => name !== '') ?? 'user';
}

function toUsername(text: string): string {
  const [local = ''] = text.split('@');
  return local
    .replace(/\p{C}/gu, '')
    .replace(/[\s/\\]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
}
