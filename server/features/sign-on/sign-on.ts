import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { Person } from './accounts.ts';
import { networkCode } from './diagnosis.ts';
import type { Flow } from './flow-cookie.ts';
import { type Claims, describePerson } from './person.ts';
import type { OidcProvider } from './provider.ts';
import { connect, otherAuth, usualAuth } from './provider-client.ts';
import { SignOnError } from './sign-on-error.ts';

/** OpenID Connect Core, section 2. */
const MAX_SUBJECT = 255;

/**
 * Starts a sign-on: returns the address at the provider, and what to remember until the browser returns.
 * @throws SignOnError `oidc_unreachable`
 */
export async function beginSignOn(provider: OidcProvider, redirectUri: string, next: string): Promise<{ url: string; flow: Flow }> {
  const client = await reach(provider);
  const flow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), issuer: provider.issuer, next };
  const url = buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, flow };
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
    if (!claims) throw new SignOnError('oidc_failed', 'the provider sent no ID token');
    requireSubject(claims);
    requireAllowedTenant(provider, claims);
    return describePerson(claims, await moreClaims(client, tokens.access_token, claims), provider.trustEmail);
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
    return await connect(provider, usualAuth);
  } catch (error) {
    throw new SignOnError('oidc_unreachable', 'couldn’t read the discovery document', { cause: error });
  }
}

/** Exchanges the code for tokens; openid-client checks state, nonce, issuer, audience and signature. */
async function redeem(provider: OidcProvider, client: Configuration, callback: URL, { state, nonce, verifier }: Flow) {
  const checks = () => ({ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true });
  try {
    return await authorizationCodeGrant(client, callback, checks());
  } catch (error) {
    if (!isClientRefused(error)) throw error;
    return authorizationCodeGrant(await connect(provider, otherAuth), callback, checks());
  }
}

function isClientRefused(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error === 'invalid_client';
  return error instanceof WWWAuthenticateChallengeError;
}

/** Many providers send the address only in the profile. */
async function moreClaims(client: Configuration, accessToken: string, claims: Claims & { sub: string }): Promise<Claims> {
  if (claims.email !== undefined || !client.serverMetadata().userinfo_endpoint) return {};
  return fetchUserInfo(client, accessToken, claims.sub);
}

function toSignOnError(error: unknown): SignOnError {
  if (error instanceof SignOnError) return error;
  const away = (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT') || (error instanceof TypeError && networkCode(error));
  return new SignOnError(away ? 'oidc_unreachable' : 'oidc_failed', 'the provider’s response can’t be used', { cause: error });
}
