import { type Client, createClient, RedirectError } from '#api/client.ts';
import { configPath, isConfigExposed, readConfig } from './config-file.ts';
import type { Environment } from './env.ts';
import { UsageError } from './errors.ts';

/** What a person can say about the server on the command line. */
export interface ConnectionOptions {
  baseUrl?: string | undefined;
  token?: string | undefined;
}

export interface Connection {
  client: Client;
  baseUrl: string;
  /** Undefined: uploads are a guest's. */
  token: string | undefined;
  /** A sentence about settings that deserve attention. */
  warning?: string;
}

/**
 * Decides which server is meant and who is asking: the options, then the environment, then what `pixdock login` has stored.
 * A stored token goes to its own server only.
 * @throws UsageError when no server is known or its address is not usable
 */
export async function connect(options: ConnectionOptions, environment: Environment): Promise<Connection> {
  const stored = await readConfig(environment.configDir);
  const address = options.baseUrl ?? environment.baseUrl ?? stored.base_url;
  if (!address)
    throw new UsageError(
      'No server is known yet. Run `pixdock login https://your-server`, or name it with --base-url or PIXDOCK_BASE_URL.',
    );
  const baseUrl = parseBaseUrl(address);
  const given = options.token ?? environment.token;
  const token = given === undefined ? stored.tokens[baseUrl] : parseToken(given);
  const exposed = given === undefined && token !== undefined && (await isConfigExposed(environment.configDir, environment.platform));
  return {
    client: createClient({ baseUrl, fetch: fetchHere, ...(token && { token }) }),
    baseUrl,
    token,
    ...(exposed && { warning: exposedWarning(environment.configDir) }),
  };
}

function exposedWarning(configDir: string) {
  return `Other people of this computer can read your token. Run: chmod 600 '${configPath(configDir)}'`;
}

/** Brings a server's address into the one form that it is stored and compared in. */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text.trim());
  const usable = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!usable) throw new UsageError(`${JSON.stringify(text)} is not the address of a server. It looks like https://pics.example.org.`);
  if (url.pathname !== '/') throw new UsageError(`The address of the server has no path. Try ${url.origin} instead of ${text}.`);
  return url.origin;
}

/** A token as it may travel in a header. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError('That is not a token. Tokens are made on the settings page under API Token and begin with pxd_.');
}

/** Milliseconds for questions whose answers are short; uploads have their own way. */
const ANSWER_LIMIT_MS = 60_000;

const fetchHere: typeof fetch = async (input, init) => {
  const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await fetch(input, { ...init, redirect: 'manual', signal });
  if (response.status < 300 || response.status >= 400) return response;
  await response.body?.cancel();
  throw new RedirectError(response.headers.get('location'), new URL(String(input)).origin);
};
