import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { Flow } from './flow-cookie.ts';
import { isMultiTenant, isSecure } from './issuer.ts';
import type { OidcProvider } from './provider.ts';

/** Time limit of one response. */
export const TIMEOUT_SECONDS = 5;
/** By how much the provider's clock may differ; small computers without a time service are often minutes off. */
export const CLOCK_TOLERANCE_SECONDS = 300;

/** The provider uses an address where sign-ons could be intercepted. */
export class InsecureEndpointError extends Error {
  override name = 'InsecureEndpointError';
}

/** The provider signs in users of any organisation, and no tenants are named. */
export class AnyTenantError extends Error {
  override name = 'AnyTenantError';
}

/**
 * Reads the provider's discovery document, uncached: sign-ons are rare, and an outage of the provider must be noticed immediately.
 * @throws errors that `whyUnreachable` explains
 */
export async function connect(provider: OidcProvider): Promise<Configuration> {
  return discover(provider, usualAuth);
}

async function discover(provider: OidcProvider, clientAuth: (secret: string) => ClientAuth): Promise<Configuration> {
  const { issuer, allowInsecureIssuer, allowedTenants } = provider;
  const client = await readDocument(provider, issuer, clientAuth).catch((error: unknown) => {
    const named = namedIssuer(error);
    // The slash at the end gets lost when an issuer is copied, or derived from the address of its document.
    if (named === undefined || named.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) throw error;
    return readDocument(provider, named, clientAuth);
  });
  const { issuer: found, authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = client.serverMetadata();
  if (isMultiTenant(found) && allowedTenants.length === 0) throw new AnyTenantError(found);
  for (const endpoint of [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri]) {
    if (endpoint && !allowInsecureIssuer && !isSecure(endpoint)) throw new InsecureEndpointError(endpoint);
  }
  return client;
}

function readDocument({ clientId, clientSecret }: OidcProvider, issuer: string, clientAuth: (secret: string) => ClientAuth) {
  return discovery(new URL(issuer), clientId, { [clockTolerance]: CLOCK_TOLERANCE_SECONDS }, clientAuth(clientSecret ?? ''), {
    timeout: TIMEOUT_SECONDS,
    execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
  });
}

/** The issuer that a discovery document names, if it isn't the one that was configured. */
export function namedIssuer(error: unknown): string | undefined {
  if (!(error instanceof ClientError)) return undefined;
  const named = (error.cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer;
  return typeof named === 'string' ? named : undefined;
}

/** What a browser is sent to the provider with, and what to remember of it. */
export async function requestCode(client: Configuration, redirectUri: string, groupsClaim: string) {
  const remembered = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: ['openid', 'email', 'profile', ...(isScope(client, groupsClaim) ? [groupsClaim] : [])].join(' '),
    state: remembered.state,
    nonce: remembered.nonce,
    code_challenge: await calculatePKCECodeChallenge(remembered.verifier),
    code_challenge_method: 'S256',
  });
  return { url, ...remembered };
}

/** Whether a claim has a scope of its own, as groups do with some providers. */
const isScope = (client: Configuration, claim: string) => client.serverMetadata().scopes_supported?.includes(claim) ?? false;

/**
 * Exchanges the code in a callback for tokens; openid-client checks state, nonce, issuer, audience and times, but no signature.
 * The secret is sent as the discovery document says and, if the provider refuses the client, once more the other way.
 */
export async function redeem(
  provider: OidcProvider,
  client: Configuration,
  callback: URL,
  { state, nonce, verifier }: Pick<Flow, 'state' | 'nonce' | 'verifier'>,
): Promise<TokenEndpointResponse & TokenEndpointResponseHelpers> {
  const checks = () => ({ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true });
  try {
    return await authorizationCodeGrant(client, callback, checks());
  } catch (error) {
    if (!isClientRefused(error)) throw error;
    return authorizationCodeGrant(await discover(provider, otherAuth), callback, checks());
  }
}

/** Whether the provider doesn't know the client, or refuses its secret. */
export function isClientRefused(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error === 'invalid_client' || error.error === 'unauthorized_client';
  return error instanceof WWWAuthenticateChallengeError;
}

/** In a header, which is the standard's default, or in the form. */
const usualAuth = (secret: string) => choosing(secret, true);

/** Some providers announce both but accept only the one that the client was registered with. */
const otherAuth = (secret: string) => choosing(secret, false);

function choosing(secret: string, usual: boolean): ClientAuth {
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const knowsBasic = !methods || methods.includes('client_secret_basic');
    const authenticate = knowsBasic === usual ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    authenticate(server, client, body, headers);
  };
}
