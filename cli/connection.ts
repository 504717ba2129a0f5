import { type Client, createClient, RedirectError } from '#api/client.ts';
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

export interface Connection {
  client: Client;
  baseUrl: string;
  /** Undefined for guests. */
  token: string | undefined;
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
  const given = options.token ?? environment.token;
  const token = given === undefined ? stored.tokens[baseUrl] : parseToken(given);
  const exposed = given === undefined && token !== undefined && (await isConfigExposed(environment.configDir, environment.platform));
  return {
    client: createClient({ baseUrl, fetch: fetchWithin(options.timeout), ...(token && { token }) }),
    baseUrl,
    token,
    ...(exposed && { warning: exposedWarning(environment.configDir) }),
  };
}

function exposedWarning(configDir: string) {
  return `Other users of this computer can read your token. Run: chmod 600 '${configPath(configDir)}'`;
}

/** Normalises a server's address, for storing and comparing. */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text.trim());
  const usable = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!usable) throw new UsageError(`${JSON.stringify(text)} isn’t a server address. Use one such as https://pics.example.org.`);
  if (url.pathname !== '/') throw new UsageError(`A server address can’t include a path. Use ${url.origin} instead of ${text}.`);
  return url.origin;
}

/** A token that can be sent in a header. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError('That isn’t a token. Tokens start with pxd_. Create one under Settings → API tokens.');
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
