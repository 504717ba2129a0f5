import { email as emailSchema, username } from '#api/auth/auth.ts';
import { cleanLine, cutText } from '#api/plain-text.ts';
import type { Person } from './accounts.ts';
import type { OidcProvider } from './provider.ts';

/** The claims of an ID token or of userinfo that are used here; a provider can send anything. */
export interface Claims {
  email?: unknown;
  email_verified?: unknown;
  preferred_username?: unknown;
  name?: unknown;
  [other: string]: unknown;
}

export type IdToken = Claims & { iss: string; sub: string };

/** What is left leaves room for the number of a second user with the same name. */
const MAX_NAME = 48;
const MAX_READ = 1_000;

/** Reads a person claim by claim, from the ID token or else from userinfo. */
export function describePerson(idToken: IdToken, userinfo: Claims, { trustEmail, groupsClaim }: OidcProvider): Person {
  const sources = [idToken, userinfo];
  const email = sources.flatMap(addressesOf)[0];
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    emailVerified: email !== undefined && isVerified(email, sources, trustEmail),
    preferredName: usernameFrom([
      ...sources.map(({ preferred_username }) => claimed(preferred_username)),
      email,
      ...sources.map(({ name }) => claimed(name)),
    ]),
    groups: groupsClaim === '' ? undefined : groupsIn(sources, groupsClaim),
  };
}

/** The groups that the first source with the claim names: a text is one, a list has several. */
function groupsIn(sources: Claims[], claim: string): string[] {
  const found = sources.map((source) => claimed(source[claim])).find((value) => value !== undefined);
  return [found].flat().filter((value) => typeof value === 'string');
}

/** What an ID token leaves to userinfo: what decides on the account (the address, its verification, the groups), or just the name. */
export function leftToUserinfo(idToken: Claims, groupsClaim: string): 'account' | 'name' | undefined {
  if (addressesOf(idToken).length === 0 || claimed(idToken.email_verified) === undefined) return 'account';
  if (groupsClaim !== '' && idToken[groupsClaim] === undefined) return 'account';
  return claimed(idToken.preferred_username) === undefined ? 'name' : undefined;
}

/** A claim's value. Some providers map every claim to a list; null and empty values mean that there is none. */
function claimed(claim: unknown): unknown {
  const value = Array.isArray(claim) && claim.length <= 1 ? claim[0] : claim;
  return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
}

/** All valid addresses of a source; providers send a list where a directory has several. */
function addressesOf({ email }: Claims): string[] {
  return [claimed(email)].flat().flatMap((text) => emailSchema.safeParse(text).data ?? []);
}

/**
 * Whether the provider has verified an address: at least one source says so, and none denies it. What a source says is about the
 * address in it, if there is one; if there are several, it may be about another.
 */
function isVerified(email: string, sources: Claims[], trustEmail: boolean): boolean {
  const verdicts = sources.flatMap((source) => {
    const verdict = claimed(source.email_verified);
    const sent = claimed(source.email);
    const isAboutIt = sent === undefined || addressesOf(source).some((other) => other.toLowerCase() === email.toLowerCase());
    if (verdict === undefined || !isAboutIt) return [];
    // Some providers send a string, some capitalised, or a number; anything else means false.
    const isTrue = /^(true|1)$/i.test(String(verdict));
    return isTrue && Array.isArray(sent) ? [] : [isTrue];
  });
  return verdicts.length === 0 ? trustEmail : verdicts.every(Boolean);
}

/** The first usable claim as a user name; for an address, the part before the @. */
function usernameFrom(claims: unknown[]): string {
  const names = claims.filter((claim) => typeof claim === 'string').map(toUsername);
  return names.find((name) => name !== '') ?? 'user';
}

function toUsername(text: string): string {
  const [local = ''] = text.split('@');
  const name = cleanLine(local.slice(0, MAX_READ))
    .replace(/\p{C}/gu, '')
    .replace(/[\s/\\]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return username.safeParse(cutText(name, MAX_NAME)).data ?? '';
}
