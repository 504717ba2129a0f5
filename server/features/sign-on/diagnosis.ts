import { errors } from 'jose';
import { ClientError, type Configuration, type ServerMetadata } from 'openid-client';
import type { Discovery, DiscoveryProblem } from '#api/auth/oidc.ts';
import type { OidcProvider } from './provider.ts';
import {
  AnyTenantError,
  CLOCK_TOLERANCE_SECONDS,
  connect,
  InsecureEndpointError,
  isClientRefused,
  namedIssuer,
  redeem,
  requestCode,
  TIMEOUT_SECONDS,
} from './provider-client.ts';
import { acceptedAlgorithms, announcedAlgorithms, hasUsableKey, usesSecret } from './signatures.ts';

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
  no_algorithm: (announced) =>
    `The provider signs ID tokens only with algorithms that Pixdock doesn’t know (${announced}). Choose another one there, such as RS256.`,
  no_keys: (address) =>
    `The provider publishes no key that signs ID tokens at ${address}. Check that a signing key is selected there, and that Pixdock can open this address.`,
  endpoint_unreachable: (address) =>
    `Pixdock can’t reach ${address}, which every sign-in needs. Check the network and the provider’s own address.`,
  request_refused: (reason) =>
    `The provider refuses the sign-in requests of Pixdock (${reason}). Check the client ID, and enter exactly the redirect URI of Pixdock there.`,
  client_refused: () => 'The provider refuses the client ID or the client secret. Copy both again.',
  clocks_differ: (minutes) =>
    `The clocks of the provider and of the computer that runs Pixdock differ by ${minutes} minutes, so sign-ins fail. Set the one that’s wrong.`,
};

/** What can be found without anyone signing in. */
type Found = Omit<Discovery, 'claimed'>;

interface Problem {
  problem: DiscoveryProblem;
  detail?: string | undefined;
}

/**
 * Tests the configured provider and describes the result to an admin. Takes no longer than the time limits of four responses.
 * @param redirectUri where the provider must let browsers return to
 */
export async function diagnose(provider: OidcProvider, redirectUri: string): Promise<Found> {
  const missing = whatIsMissing(provider);
  if (missing && missing.problem !== 'no_client_secret') return describe(missing);
  try {
    const client = await connect(provider);
    const { issuer, authorization_endpoint = null, token_endpoint = null } = client.serverMetadata();
    const found = { issuer, authorization_endpoint, token_endpoint };
    const failing = await whatFails(provider, client, redirectUri);
    if (failing) return describe(failing, found);
    const message = `The provider identifies itself as ${issuer}.`;
    return missing ? { ...describe(missing, found), ok: true } : { ok: true, message, problem: null, detail: null, ...found };
  } catch (error) {
    return describe(whyUnreachable(error));
  }
}

const NOTHING = { issuer: null, authorization_endpoint: null, token_endpoint: null };

function describe({ problem, detail }: Problem, document: Pick<Discovery, keyof typeof NOTHING> = NOTHING): Found {
  return { ok: false, message: SENTENCES[problem](detail ?? ''), problem, detail: detail ?? null, ...document };
}

function whatIsMissing({ issuer, clientId, clientSecret }: OidcProvider): Problem | undefined {
  if (issuer === '') return { problem: 'no_issuer' };
  if (clientId === '') return { problem: 'no_client_id' };
  return clientSecret === null ? { problem: 'no_client_secret' } : undefined;
}

/** Tries each part of a sign-in that needs no user. */
async function whatFails(provider: OidcProvider, client: Configuration, redirectUri: string): Promise<Problem | undefined> {
  const server = client.serverMetadata();
  const algorithms = acceptedAlgorithms(server);
  if (algorithms.length === 0) return { problem: 'no_algorithm', detail: announcedAlgorithms(server).join(', ').slice(0, MAX_DETAIL) };
  const hasKeys = server.jwks_uri || algorithms.some(usesSecret);
  if (!server.authorization_endpoint || !server.token_endpoint || !hasKeys) return { problem: 'incomplete_document' };
  const tried = await Promise.all([tryKeys(server), tryRequest(provider, client, redirectUri), tryClient(provider, client, redirectUri)]);
  return tried.find((problem) => problem !== undefined);
}

const MAX_DETAIL = 200;

async function tryKeys(server: ServerMetadata): Promise<Problem | undefined> {
  const { jwks_uri: detail } = server;
  if (!detail) return undefined;
  try {
    if (await hasUsableKey(server)) return undefined;
  } catch (error) {
    if (isAway(error)) return { problem: 'endpoint_unreachable', detail };
  }
  // A provider that signs with the secret may publish anything, such as an empty object.
  return acceptedAlgorithms(server).some(usesSecret) ? undefined : { problem: 'no_keys', detail };
}

/** The errors with which a provider may send a browser back whose user has yet to do something. */
const USER_NEEDED = new Set(['login_required', 'interaction_required', 'consent_required', 'account_selection_required']);
/** How providers respond to a client or a redirect URI that they don't know; other errors may be about this visitor. */
const REFUSALS = new Set([400, 401, 404, 422]);

/** Opens the provider's page like a browser. Not every such page can be reached from here. */
async function tryRequest({ groupsClaim }: OidcProvider, client: Configuration, redirectUri: string): Promise<Problem | undefined> {
  const { url } = await requestCode(client, redirectUri, groupsClaim);
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
  const page = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!page) return undefined;
  await page.body?.cancel();
  const error = URL.parse(page.headers.get('location') ?? '', url.href)?.searchParams.get('error');
  if (error && !USER_NEEDED.has(error)) return { problem: 'request_refused', detail: error.slice(0, MAX_DETAIL) };
  if (REFUSALS.has(page.status)) return { problem: 'request_refused', detail: `HTTP ${page.status}` };
  const seconds = Math.abs(Date.parse(page.headers.get('date') ?? '') - Date.now()) / 1000;
  return seconds > CLOCK_TOLERANCE_SECONDS ? { problem: 'clocks_differ', detail: String(Math.round(seconds / 60)) } : undefined;
}

/** Redeems a code that doesn't exist: a provider refuses a wrong client before it looks at the code. */
async function tryClient(provider: OidcProvider, client: Configuration, redirectUri: string): Promise<Problem | undefined> {
  if (provider.clientSecret === null) return undefined;
  const { issuer, token_endpoint } = client.serverMetadata();
  const { url: _, ...flow } = await requestCode(client, redirectUri, provider.groupsClaim);
  const callback = new URL(`${redirectUri}?${new URLSearchParams({ code: flow.nonce, state: flow.state, iss: issuer })}`);
  try {
    await redeem(provider, client, callback, flow);
  } catch (error) {
    if (isClientRefused(error)) return { problem: 'client_refused' };
    if (isAway(error)) return { problem: 'endpoint_unreachable', detail: token_endpoint };
  }
  return undefined;
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
  if (named !== undefined) return { problem: 'other_issuer', detail: named.slice(0, MAX_DETAIL) };
  return { problem: 'not_a_provider' };
}

/** Whether a response of the provider failed to arrive. */
export function isAway(error: unknown): boolean {
  if (error instanceof ClientError) return error.code === 'OAUTH_TIMEOUT';
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  return error instanceof errors.JWKSTimeout || (error instanceof TypeError && networkCode(error) !== undefined);
}

/** The system's code of a failed connection, which `fetch` wraps. */
function networkCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z_]+$/.test(current.code)) return current.code;
  }
  return undefined;
}
