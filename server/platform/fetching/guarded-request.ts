import type { Agent } from 'undici';
import { RequestError } from '#server/platform/base/errors.ts';
import { type AddressRules, allowedAddresses, type Resolve, type ResolvedAddress } from './addresses.ts';

/** A response of a foreign server. Read `body` to its end or destroy it, then call `close`. */
export interface GuardedResponse {
  status: number;
  header(name: string): string | undefined;
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection. */
  close(): Promise<void>;
}

export interface GuardedRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/**
 * Sends one request to a foreign server. The name is resolved once and the connection goes to one of the checked addresses, so
 * that DNS rebinding can't redirect it. Redirects are returned like any other response; proxy variables of the environment are
 * ignored.
 * @throws RequestError `url_not_allowed` or `url_unreachable`
 */
export async function guardedRequest(url: URL, rules: AddressRules, resolve: Resolve, options: GuardedRequest): Promise<GuardedResponse> {
  requirePlainWeb(url);
  const addresses = await allowedAddresses(url.hostname, rules, resolve);
  // Loaded with the first request, since most services send none.
  const { Agent, request } = await import('undici');
  const agent = new Agent(pinnedTo(addresses));
  try {
    const { signal, method = 'GET', headers, body } = options;
    const response = await request(url, { dispatcher: agent, method, signal, ...(headers && { headers }), ...(body && { body }) });
    return {
      status: response.statusCode,
      header: (name) => [response.headers[name]].flat()[0],
      body: response.body,
      close: () => agent.destroy(),
    };
  } catch (error) {
    await agent.destroy();
    throw error;
  }
}

/**
 * Parses an address that a user has entered.
 * @throws RequestError `url_not_allowed` for anything but a plain web address
 */
export function parseWebAddress(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw notAllowed('Enter a complete web address, starting with http:// or https://.');
  requirePlainWeb(url);
  return url;
}

function requirePlainWeb(url: URL) {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notAllowed('Only http and https addresses can be used.');
  if (url.username || url.password) throw notAllowed('The address can’t contain a username or password.');
}

const notAllowed = (message: string) => new RequestError('url_not_allowed', message, { field: 'url', problem: 'not_web_address' });

const CONNECT_MS = 10_000;

/** Connects only to `addresses`, whatever the host name. */
function pinnedTo(addresses: ResolvedAddress[]): Agent.Options {
  const [first] = addresses;
  return {
    pipelining: 0,
    connections: 1,
    connect: {
      timeout: CONNECT_MS,
      autoSelectFamily: true,
      lookup: (_host, options, done) => {
        if (options.all) return done(null, addresses);
        done(null, first?.address ?? '', first?.family ?? 4);
      },
    },
  };
}
