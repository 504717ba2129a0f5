import { ClientError } from 'openid-client';
import type { Discovery } from '#api/oidc.ts';
import type { OidcProvider } from './provider.ts';
import { AnyTenantError, connect, InsecureEndpointError } from './provider-client.ts';

const NOTHING = { issuer: null, authorization_endpoint: null, token_endpoint: null };

/** Tests the configured provider and describes the result to an admin. Takes no longer than the time limit of one response. */
export async function diagnose(provider: OidcProvider): Promise<Discovery> {
  const missing = whatIsMissing(provider);
  if (provider.issuer === '' || provider.clientId === '') return { ok: false, message: missing, ...NOTHING };
  try {
    const { issuer, authorization_endpoint = null, token_endpoint = null, jwks_uri } = (await connect(provider)).serverMetadata();
    const ok = authorization_endpoint !== null && token_endpoint !== null && jwks_uri !== undefined;
    const message = ok
      ? `The provider identifies itself as ${issuer}.`
      : 'The provider responded, but its discovery document lacks an authorization endpoint, a token endpoint or keys.';
    return { ok, message: [message, missing].filter(Boolean).join(' '), issuer, authorization_endpoint, token_endpoint };
  } catch (error) {
    return { ok: false, message: explainUnreachable(error), ...NOTHING };
  }
}

function whatIsMissing({ issuer, clientId, clientSecret }: OidcProvider): string {
  if (issuer === '') return 'Enter the issuer address of your provider.';
  if (clientId === '') return 'Enter the client ID from your provider.';
  return clientSecret === null ? 'Enter the client secret from your provider.' : '';
}

const NETWORK_SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection to the issuer was refused. Check that the provider is running and that the port is right.',
  ENOTFOUND: 'The issuer’s host name doesn’t exist. Check the address for typos.',
  EAI_AGAIN: 'The issuer’s host name couldn’t be looked up. Check the network of the computer that runs Pixdock.',
  ECONNRESET: 'The provider closed the connection. Check whether the address should start with https or http.',
};

/** Explains to an admin why the discovery document couldn't be read. */
function explainUnreachable(error: unknown): string {
  if (error instanceof InsecureEndpointError) return `The provider uses an unencrypted address: ${error.message}.`;
  if (error instanceof AnyTenantError) return 'With this issuer, users of any organisation could sign in. Enter the allowed tenants.';
  if (error instanceof ClientError) return explainResponse(error);
  const code = networkCode(error);
  if (code?.includes('CERT') || code?.includes('SELF_SIGNED'))
    return `The provider’s certificate isn’t trusted (${code}). Install a valid one, or make the computer that runs Pixdock trust it.`;
  return NETWORK_SENTENCES[code ?? ''] ?? `Couldn’t reach the provider${code ? ` (${code})` : ''}.`;
}

function explainResponse({ code, cause }: ClientError): string {
  if (code === 'OAUTH_TIMEOUT') return 'The provider didn’t respond in time.';
  if (cause instanceof Response) return `There’s no discovery document at this address (HTTP status ${cause.status}).`;
  const named = (cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer;
  if (typeof named === 'string') return `The provider’s issuer is ${named.slice(0, 200)}. Enter exactly this address.`;
  return 'The server at this address isn’t an OpenID Connect provider.';
}

/** The system's code of a failed connection, which `fetch` wraps. */
export function networkCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z_]+$/.test(current.code)) return current.code;
  }
  return undefined;
}
