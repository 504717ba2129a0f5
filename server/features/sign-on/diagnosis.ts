import { ClientError } from 'openid-client';
import type { Discovery } from '#api/oidc.ts';
import type { OidcProvider } from './provider.ts';
import { connect, InsecureEndpointError } from './provider-client.ts';

const NOTHING = { issuer: null, authorization_endpoint: null, token_endpoint: null };

/** Tries the provider as configured and says, for an admin, how that went. Takes no longer than one answer may take. */
export async function diagnose(provider: OidcProvider): Promise<Discovery> {
  const missing = whatIsMissing(provider);
  if (provider.issuer === '' || provider.clientId === '') return { ok: false, message: missing, ...NOTHING };
  try {
    const { issuer, authorization_endpoint = null, token_endpoint = null } = (await connect(provider)).serverMetadata();
    const ok = authorization_endpoint !== null && token_endpoint !== null;
    const message = ok ? `The provider answers as ${issuer}.` : 'The provider answers, but its document names no addresses for signing in.';
    return { ok, message: [message, missing].filter(Boolean).join(' '), issuer, authorization_endpoint, token_endpoint };
  } catch (error) {
    return { ok: false, message: explainUnreachable(error), ...NOTHING };
  }
}

function whatIsMissing({ issuer, clientId, clientSecret }: OidcProvider): string {
  if (issuer === '') return 'Enter the issuer address of your provider.';
  if (clientId === '') return 'Enter the client ID that your provider has given you.';
  return clientSecret === null ? 'The client secret is still missing.' : '';
}

const NETWORK_SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at the issuer address. Is the provider running, and is the port right?',
  ENOTFOUND: 'There is no server of the issuer’s name. Check the address for typing errors.',
  EAI_AGAIN: 'The issuer’s name cannot be looked up at the moment. Check this server’s network.',
  ECONNRESET: 'The provider closed the connection. Is https or http right?',
};

/** What an admin should know about a failed look at the discovery document. */
function explainUnreachable(error: unknown): string {
  if (error instanceof InsecureEndpointError) return `The provider names an address with plain http: ${error.message}.`;
  if (error instanceof ClientError) return explainAnswer(error);
  const code = networkCode(error);
  if (code?.includes('CERT') || code?.includes('SELF_SIGNED'))
    return `The provider’s certificate is not trusted (${code}). Give it a valid one, or make this server trust it.`;
  return NETWORK_SENTENCES[code ?? ''] ?? `The provider cannot be reached${code ? ` (${code})` : ''}.`;
}

function explainAnswer({ code, cause }: ClientError): string {
  if (code === 'OAUTH_TIMEOUT') return 'The provider does not answer in time.';
  if (cause instanceof Response) return `The provider has no discovery document there: it answers with status ${cause.status}.`;
  const named = (cause as { body?: { issuer?: unknown } } | undefined)?.body?.issuer;
  if (typeof named === 'string') return `The provider calls itself ${named.slice(0, 200)}. Enter exactly this as the issuer.`;
  return 'What answers at the issuer address is no OpenID Connect provider.';
}

/** The system's code of a failed connection, which `fetch` wraps. */
export function networkCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z_]+$/.test(current.code)) return current.code;
  }
  return undefined;
}
