import { email as emailSchema } from '#api/auth.ts';
import type { Person } from './accounts.ts';

/** Claims of an ID token or of the profile, as far as they matter here; a provider can send anything. */
export interface Claims {
  email?: unknown;
  email_verified?: unknown;
  preferred_username?: unknown;
  name?: unknown;
}

const MAX_NAME = 48;

/** Reads a person out of the ID token and, where that says little, the profile. */
export function describePerson(idToken: Claims & { iss: string; sub: string }, more: Claims): Person {
  // Address and its verification belong together: they come from the same place.
  const source = idToken.email === undefined ? more : idToken;
  const email = emailSchema.safeParse(source.email).data;
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    // Some providers send the word instead of the value, some of them with a capital; whatever is not a yes is none.
    emailVerified: /^true$/i.test(String(source.email_verified ?? true)),
    wantedName: usernameFrom([idToken.preferred_username, more.preferred_username, email, idToken.name, more.name]),
  };
}

/** The first usable claim as a user name; of an address the part before the @. */
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
