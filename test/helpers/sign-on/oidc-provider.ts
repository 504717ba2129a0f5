import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type ClientMetadata, type Configuration, type JWKS, Provider } from 'oidc-provider';
import type { Certificate } from '#test/helpers/network/certificate.ts';

const HOUR = 3_600;

interface PersonClaims {
  email?: unknown;
  email_verified?: unknown;
  preferred_username?: unknown;
  name?: string;
  tid?: string;
  teams?: unknown;
}

/** The provider's claims about a person, by their login name; `idToken` and `userinfo` are in that place only. */
type People = Record<string, PersonClaims & { idToken?: PersonClaims; userinfo?: PersonClaims }>;

/** Changes the body of a response of the provider, by its path, such as `/token`. */
type Changes = Record<string, (body: Record<string, unknown>) => unknown>;

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  people: People;
  /** The requests to the provider, as `GET /path`. */
  requests: string[];
  /** Stops responding; the port stays free. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ProviderOptions {
  people?: People;
  client?: Partial<ClientMetadata>;
  configuration?: Configuration;
  /** Serves https with it. */
  certificate?: Certificate;
  /** The public keys that it publishes in place of its own. */
  published?: JWKS;
  changes?: Changes;
  /** The path of its issuer, after the host. */
  path?: string;
  /** By how much the `Date` of its responses is ahead. */
  clockAheadMs?: number;
}

/**
 * A certified OpenID Connect provider on loopback with one client. Its sign-in page takes any name with any password, then
 * asks for consent.
 * @param redirectUris the allowed redirect addresses
 */
export async function startOidcProvider(redirectUris: string[], options: ProviderOptions = {}): Promise<TestProvider> {
  const requests: string[] = [];
  const people = options.people ?? {};
  const client = { client_id: 'pixdock', client_secret: 'the secret of the client', redirect_uris: redirectUris, ...options.client };
  let respond: (...exchange: Parameters<ReturnType<Provider['callback']>>) => void = () => undefined;
  const { certificate, published, path: root = '', clockAheadMs = 0 } = options;
  function receive(request: IncomingMessage, response: ServerResponse) {
    // Its interactions are at the root of the host.
    if (root && request.url?.startsWith(root)) request.url = `/${request.url.slice(root.length)}`;
    const path = request.url?.split('?')[0];
    requests.push(`${request.method} ${path}`);
    if (clockAheadMs) response.setHeader('date', new Date(Date.now() + clockAheadMs).toUTCString());
    if (path === '/jwks' && published) response.setHeader('content-type', 'application/json').end(JSON.stringify(published));
    else respond(request, response);
  }
  const server = certificate ? createTlsServer(certificate, receive) : createServer(receive);
  const issuer = `${certificate ? 'https' : 'http'}://127.0.0.1:${await listen(server)}${root}`;
  const provider = quietly(() => new Provider(issuer, configure(client, people, options.configuration)));
  provider.use(async (context, next) => {
    await next();
    const change = options.changes?.[context.path];
    if (change && context.status === 200) context.body = await change(context.body as Record<string, unknown>);
  });
  respond = provider.callback();
  const stop = () => close(server);
  return { issuer, clientId: client.client_id, clientSecret: client.client_secret, people, requests, stop, [Symbol.asyncDispose]: stop };
}

function configure(client: ClientMetadata, people: People, more: Configuration = {}): Configuration {
  return {
    clients: [client],
    cookies: { keys: ['a key of the test provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    pkce: { required: () => true },
    ttl: { Interaction: HOUR, Session: HOUR, Grant: HOUR, AccessToken: HOUR, IdToken: HOUR },
    findAccount: (_context, id) => ({
      accountId: id,
      claims(use) {
        const { idToken, userinfo, ...both } = people[id] ?? {};
        return { sub: id, ...both, ...(use === 'id_token' ? idToken : userinfo) } as { sub: string };
      },
    }),
    ...more,
  };
}

/** Silences the provider's console warnings about its development settings, which are intended here. */
function quietly<T>(create: () => T): T {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return create();
  } finally {
    Object.assign(console, { warn, info });
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server) {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
