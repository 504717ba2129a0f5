import { type Configuration, fetchProtectedResource } from 'openid-client';
import { email as emailSchema, username } from '#api/auth/auth.ts';
import { cleanLine, cutText } from '#api/plain-text.ts';
import type { Person } from './accounts.ts';
import { isAway } from './diagnosis.ts';
import type { Flow } from './flow-cookie.ts';
import type { OidcProvider } from './provider.ts';
import { connect, redeem, requestCode } from './provider-client.ts';
import { SignOnError } from './sign-on-error.ts';
import { createVerifier } from './signatures.ts';

/** OpenID Connect Core, section 2. */
const MAX_SUBJECT = 255;

/**
 * Starts a sign-on: returns the address at the provider, and what to remember until the browser returns.
 * @throws SignOnError `oidc_unreachable`
 */
export async function beginSignOn(provider: OidcProvider, redirectUri: string, next: string): Promise<{ url: string; flow: Flow }> {
  const { url, ...remembered } = await requestCode(await reach(provider), redirectUri, provider.groupsClaim);
  return { url: url.href, flow: { ...remembered, issuer: provider.issuer, next } };
}

/**
 * Completes a sign-on and returns the person as the provider describes them.
 * @param callback the redirect URI with the query from the provider
 * @throws SignOnError `oidc_unreachable`, `oidc_failed`, or `oidc_not_allowed` for a user of another tenant
 */
export async function completeSignOn(provider: OidcProvider, callback: URL, flow: Flow): Promise<Person> {
  if (flow.issuer !== provider.issuer) throw new SignOnError('oidc_failed', 'the provider’s settings changed during the sign-on');
  const client = await reach(provider);
  try {
    const tokens = await redeem(provider, client, callback, flow);
    const claims = tokens.claims();
    if (!claims || !tokens.id_token) throw new SignOnError('oidc_failed', 'the provider sent no ID token');
    // Over TLS, the standard would allow to trust an ID token without checking its signature.
    const verify = createVerifier(client.serverMetadata(), provider.clientSecret ?? '');
    await verify(tokens.id_token);
    requireSubject(claims);
    requireAllowedTenant(provider, claims);
    const profile = { client, verify, accessToken: tokens.access_token, groupsClaim: provider.groupsClaim };
    return describePerson(claims, await completedBy(claims, profile), provider);
  } catch (error) {
    throw toSignOnError(error);
  }
}

/** A provider that maps the subject to nothing would sign everyone in to one account. */
function requireSubject({ sub }: { sub: string }) {
  if (sub.trim() === '' || sub.length > MAX_SUBJECT)
    throw new SignOnError('oidc_failed', 'the provider sent a subject (`sub`) that is empty or too long');
}

/** The ID token's `tid` is Entra's id of the user's organisation. */
function requireAllowedTenant({ allowedTenants }: OidcProvider, { tid }: Record<string, unknown>) {
  if (allowedTenants.length === 0) return;
  if (typeof tid !== 'string' || !allowedTenants.includes(tid.toLowerCase()))
    throw new SignOnError('oidc_not_allowed', 'the user belongs to a tenant that isn’t allowed');
}

async function reach(provider: OidcProvider): Promise<Configuration> {
  try {
    return await connect(provider);
  } catch (error) {
    throw new SignOnError('oidc_unreachable', 'couldn’t read the discovery document', { cause: error });
  }
}

interface Profile {
  client: Configuration;
  verify: ReturnType<typeof createVerifier>;
  accessToken: string;
  groupsClaim: string;
}

/** The claims of userinfo, where the ID token leaves something to it: many providers send the address only there. */
async function completedBy(idToken: IdToken, profile: Profile): Promise<Claims> {
  const left = leftToUserinfo(idToken, profile.groupsClaim);
  const endpoint = profile.client.serverMetadata().userinfo_endpoint;
  if (!left || !endpoint) return {};
  return readUserinfo(new URL(endpoint), idToken, profile).catch((error: unknown) => {
    if (left === 'account') throw error;
    return {}; // a name can be made from the address
  });
}

type IdToken = Claims & { iss: string; sub: string };

/** Userinfo is JSON or, if the provider is set up so, a signed JWT. */
async function readUserinfo(endpoint: URL, { iss, sub }: IdToken, { client, verify, accessToken }: Profile): Promise<Claims> {
  const headers = new Headers({ accept: 'application/json, application/jwt' });
  const response = await fetchProtectedResource(client, accessToken, endpoint, 'GET', undefined, headers);
  if (!response.ok) throw new SignOnError('oidc_failed', `userinfo has status ${response.status}`);
  const text = (await response.text()).trim();
  const claims = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : await verify(text);
  if (claims.sub !== sub) throw new SignOnError('oidc_failed', 'userinfo describes another subject (`sub`)');
  if (claims.iss !== undefined && claims.iss !== iss) throw new SignOnError('oidc_failed', 'userinfo names another issuer (`iss`)');
  if (claims.aud !== undefined && ![claims.aud].flat().includes(client.clientMetadata().client_id))
    throw new SignOnError('oidc_failed', 'userinfo is for another client (`aud`)');
  return claims;
}

function toSignOnError(error: unknown): SignOnError {
  if (error instanceof SignOnError) return error;
  return new SignOnError(isAway(error) ? 'oidc_unreachable' : 'oidc_failed', 'the provider’s response can’t be used', { cause: error });
}

/** The claims of an ID token or of userinfo that are used here; a provider can send anything. */
interface Claims {
  email?: unknown;
  email_verified?: unknown;
  preferred_username?: unknown;
  name?: unknown;
  [other: string]: unknown;
}

/** What is left leaves room for the number of a second user with the same name. */
const MAX_NAME = 48;
const MAX_READ = 1_000;

/**
 * Reads a person claim by claim, from the ID token or else from userinfo.
 */
function describePerson(idToken: IdToken, userinfo: Claims, { trustEmail, groupsClaim }: OidcProvider): Person {
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
function leftToUserinfo(idToken: Claims, groupsClaim: string): 'account' | 'name' | undefined {
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
