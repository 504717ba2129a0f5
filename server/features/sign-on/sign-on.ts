import { type Configuration, fetchProtectedResource } from 'openid-client';
import type { Person } from './accounts.ts';
import { type Claims, describePerson, type IdToken, leftToUserinfo } from './claims.ts';
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
