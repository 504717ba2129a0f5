import { ClientError } from 'openid-client';
import type { Discovery, DiscoveryProblem } from '#api/auth/oidc.ts';
import type { OidcProvider } from './provider.ts';
import { AnyTenantError, connect, InsecureEndpointError, namedIssuer } from './provider-client.ts';

/** A problem in words for an admin; `detail` is what it is about. */
const SENTENCES: Record<DiscoveryProblem, (detail: string) => string> = {
  no_issuer: () => 'Enter the issuer address of your provider.',
  no_client_id: () => 'Enter the client ID from your provider.',
  no_client_secret: () => 'Enter the client secret from your provider.',
  connection_refused: () => 'The connection to the issuer was refused. Check that the provider is running and that the port is right.',
  unknown_host: () => 'The issuer’s host name doesn’t exist. Check the address for typos.',
  no_name_service: () => 'The issuer’s host name couldn’t be looked up. Check the network of the computer that runs Pixdock.',
  connection_closed: () => 'The provider closed the connection. Check whether the address should start with https or http.',
  unreachable: (code) => `Couldn’t reach the provider (${code}).`,
  certificate: (code) =>
    `The provider’s certificate isn’t trusted (${code}). Install a valid one, or make the computer that runs Pixdock trust it.`,
  timeout: () => 'The provider didn’t respond in time.',
  no_document: (status) => `There’s no discovery document at this address (HTTP status ${status}).`,
  not_a_provider: () => 'The server at this address isn’t an OpenID Connect provider.',
  incomplete_document: () =>
    'The provider responded, but its discovery document lacks an authorization endpoint, a token endpoint or keys.',
  other_issuer: (issuer) => `The provider’s issuer is ${issuer}. Enter exactly this address.`,
  insecure_endpoint: (address) => `The provider uses an unencrypted address: ${address}.`,
  any_tenant: () => 'With this issuer, users of any organisation could sign in. Enter the allowed tenants.',
};

interface Problem {
  problem: DiscoveryProblem;
  detail?: string | undefined;
}

/** Tests the configured provider and describes the result to an admin. Takes no longer than the time limit of one response. */
export async function diagnose(provider: OidcProvider): Promise<Discovery> {
  const missing = whatIsMissing(provider);
  if (missing && missing.problem !== 'no_client_secret') return describe(missing);
  try {
    const { issuer, authorization_endpoint = null, token_endpoint = null, jwks_uri } = (await connect(provider)).serverMetadata();
    const found = { issuer, authorization_endpoint, token_endpoint };
    if (authorization_endpoint === null || token_endpoint === null || jwks_uri === undefined)
      return describe({ problem: 'incomplete_document' }, found);
    const message = `The provider identifies itself as ${issuer}.`;
    return missing ? { ...describe(missing, found), ok: true } : { ok: true, message, problem: null, detail: null, ...found };
  } catch (error) {
    return describe(whyUnreachable(error));
  }
}

const NOTHING = { issuer: null, authorization_endpoint: null, token_endpoint: null };

function describe({ problem, detail }: Problem, document: Pick<Discovery, keyof typeof NOTHING> = NOTHING): Discovery {
  return { ok: false, message: SENTENCES[problem](detail ?? ''), problem, detail: detail ?? null, ...document };
}

function whatIsMissing({ issuer, clientId, clientSecret }: OidcProvider): Problem | undefined {
  if (issuer === '') return { problem: 'no_issuer' };
  if (clientId === '') return { problem: 'no_client_id' };
  return clientSecret === null ? { problem: 'no_client_secret' } : undefined;
}

const NETWORK_PROBLEMS: Record<string, DiscoveryProblem> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'no_name_service',
  ECONNRESET: 'connection_closed',
};

/** Why the discovery document couldn't be read. */
function whyUnreachable(error: unknown): Problem {
  if (error instanceof InsecureEndpointError) return { problem: 'insecure_endpoint', detail: error.message };
  if (error instanceof AnyTenantError) return { problem: 'any_tenant' };
  if (error instanceof ClientError) return whyUnreadable(error);
  const code = networkCode(error);
  const isCertificate = code?.includes('CERT') || code?.includes('SELF_SIGNED');
  return { problem: isCertificate ? 'certificate' : (NETWORK_PROBLEMS[code ?? ''] ?? 'unreachable'), detail: code ?? 'unknown error' };
}

function whyUnreadable(error: ClientError): Problem {
  const { code, cause } = error;
  if (code === 'OAUTH_TIMEOUT') return { problem: 'timeout' };
  if (cause instanceof Response) return { problem: 'no_document', detail: String(cause.status) };
  const named = namedIssuer(error);
  if (named !== undefined) return { problem: 'other_issuer', detail: named.slice(0, 200) };
  return { problem: 'not_a_provider' };
}

/** The system's code of a failed connection, which `fetch` wraps. */
export function networkCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z_]+$/.test(current.code)) return current.code;
  }
  return undefined;
}
