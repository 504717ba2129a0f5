import { ApiError, type Client, createClient, RedirectError } from '#api/client.ts';
import { isLocalHost } from '#api/desktop/listening.ts';
import { DEFAULT_PORT } from '#server/platform/config/config.ts';
import { configPath, isConfigExposed, readConfig } from './config-file.ts';
import type { Environment } from './env.ts';
import { UsageError } from './errors.ts';

/** The server as given on the command line. */
export interface ConnectionOptions {
  baseUrl?: string | undefined;
  token?: string | undefined;
  /** Seconds that an attempt may take without progress. */
  timeout?: number | undefined;
}

/** Where a token comes from. */
export type TokenSource = 'option' | 'environment' | 'stored';

export interface Connection {
  /** Its errors are explained. */
  client: Client;
  baseUrl: string;
  /** Undefined for guests. */
  token: string | undefined;
  tokenSource: TokenSource | undefined;
  /** Says what can be done about a refused token, which depends on where it comes from. */
  explain(error: unknown): unknown;
  /** A warning about insecure settings. */
  warning?: string;
}

/**
 * Finds the server and the token: from the options, then the environment, then the settings of `pixdock login`.
 * A stored token is sent to its own server only.
 * @throws UsageError if there is no server, or its address is invalid
 */
export async function connect(options: ConnectionOptions, environment: Environment): Promise<Connection> {
  const stored = await readConfig(environment.configDir);
  const address = options.baseUrl ?? environment.baseUrl ?? stored.base_url;
  if (!address) throw new UsageError('No server is set. Run `pixdock login https://your-server`, or use --base-url or PIXDOCK_BASE_URL.');
  const baseUrl = parseBaseUrl(address);
  const { token, tokenSource } = findToken(options.token, environment.token, stored.tokens[baseUrl]);
  const exposed = tokenSource === 'stored' && (await isConfigExposed(environment.configDir, environment.platform));
  const explain = (error: unknown) => explainRefusal(error, tokenSource, baseUrl);
  const client = createClient({ baseUrl, fetch: fetchWithin(options.timeout), ...(token && { token }) });
  const explained: typeof client.call = (route, input) =>
    client.call(route, input).catch((error: unknown) => {
      throw explain(error);
    });
  return {
    client: { ...client, call: explained },
    baseUrl,
    token,
    tokenSource,
    explain,
    ...(exposed && { warning: exposedWarning(environment.configDir) }),
  };
}

function findToken(option: string | undefined, variable: string | undefined, stored: string | undefined) {
  const found: [TokenSource, string | undefined][] = [
    ['option', option],
    ['environment', variable],
    ['stored', stored],
  ];
  const [tokenSource, token] = found.find(([, text]) => text !== undefined) ?? [];
  return { token: token === undefined ? undefined : parseToken(token), tokenSource };
}

function explainRefusal(error: unknown, source: TokenSource | undefined, baseUrl: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const advice = adviceOn(error.code, source, baseUrl);
  return advice ? new ApiError(error.status, `${error.message} ${advice}`, error.details) : error;
}

function adviceOn(code: string, source: TokenSource | undefined, baseUrl: string): string | undefined {
  if (code === 'guest_disabled') return `Run \`pixdock login ${baseUrl}\` to upload with your own account.`;
  if (code !== 'unauthorized') return undefined;
  switch (source) {
    case 'option':
      return `${baseUrl} doesn’t accept the token in --token.`;
    case 'environment':
      return `${baseUrl} doesn’t accept the token in PIXDOCK_TOKEN. Change the variable, or remove it to use the token from \`pixdock login\`.`;
    default:
      return `Run \`pixdock login ${baseUrl}\`.`;
  }
}

function exposedWarning(configDir: string) {
  return `Other users of this computer can read your token. Run: chmod 600 '${configPath(configDir)}'`;
}

/** A client without a token, whatever is set or stored. */
export const guestClient = (baseUrl: string, timeout?: number): Client => createClient({ baseUrl, fetch: fetchWithin(timeout) });

/**
 * Normalises a server's address, for storing and comparing. Without a scheme, addresses of the local network mean http and, without a port, Pixdock's own; others mean https.
 * @throws UsageError if it isn't one
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(withScheme(text.trim()));
  const usable = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!usable) throw new UsageError(`${JSON.stringify(text)} isn’t a server address. Use one such as https://pics.example.org.`);
  if (url.pathname !== '/') throw new UsageError(`A server address can’t include a path. Use ${url.origin} instead of ${text}.`);
  return url.origin;
}

function withScheme(address: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return address;
  const { hostname = '' } = URL.parse(`http://${address}`) ?? {};
  if (!isLocalHost(hostname)) return `https://${address}`;
  return `http://${address.replace(/\/$/, '')}${/:\d+\/?$/.test(address) ? '' : `:${DEFAULT_PORT}`}`;
}

/** A token that can be sent in a header. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError('That isn’t a token. Tokens start with pxd_.');
}

/** Seconds for JSON requests, or fewer if the user wants; uploads time out by progress instead. */
const MAX_RESPONSE_SECONDS = 60;

/** A `fetch` with a time limit that doesn't follow redirects. */
const fetchWithin =
  (timeout = MAX_RESPONSE_SECONDS): typeof fetch =>
  async (input, init) => {
    const limit = AbortSignal.timeout(Math.min(timeout, MAX_RESPONSE_SECONDS) * 1000);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const response = await fetch(input, { ...init, redirect: 'manual', signal });
    if (response.status < 300 || response.status >= 400) return response;
    await response.body?.cancel();
    throw new RedirectError(response.headers.get('location'), new URL(String(input)).origin);
  };
