import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { isMultiTenant, isSecure } from './issuer.ts';
import type { OidcProvider } from './provider.ts';

/** Time limit of one response, in seconds. */
const TIMEOUT_SECONDS = 5;

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
 * @param clientAuth how the secret is sent; see {@link usualAuth}
 * @throws errors that `explainUnreachable` explains
 */
export async function connect(provider: OidcProvider, clientAuth: (secret: string) => ClientAuth = usualAuth): Promise<Configuration> {
  const { issuer, clientId, clientSecret, allowInsecureIssuer, allowedTenants } = provider;
  const client = await discovery(new URL(issuer), clientId, undefined, clientAuth(clientSecret ?? ''), {
    timeout: TIMEOUT_SECONDS,
    // Over TLS, the library would trust an ID token without checking its signature, as the standard allows.
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
  });
  const { issuer: found, authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = client.serverMetadata();
  if (isMultiTenant(found) && allowedTenants.length === 0) throw new AnyTenantError(found);
  for (const endpoint of [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri]) {
    if (endpoint && !allowInsecureIssuer && !isSecure(endpoint)) throw new InsecureEndpointError(endpoint);
  }
  return client;
}

/** Sends the secret as the discovery document says: in a header, which is the standard's default, or in the form. */
export const usualAuth = (secret: string) => choosing(secret, true);

/** The other way: some providers announce both but accept only the one that the client was registered with. */
export const otherAuth = (secret: string) => choosing(secret, false);

function choosing(secret: string, usual: boolean): ClientAuth {
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const knowsBasic = !methods || methods.includes('client_secret_basic');
    const authenticate = knowsBasic === usual ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    authenticate(server, client, body, headers);
  };
}
