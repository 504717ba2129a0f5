import { API_PREFIX, IDEMPOTENCY_HEADER } from './constants.ts';
import type { Route, RouteData, RouteInput } from './contract.ts';
import type { ErrorCode, ErrorDetails } from './errors.ts';
import type { RouteName, RouteOf } from './routes.ts';

/** A refusal by the service. `message` is for users, `code` is for programs. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(status: number, message: string, details: ErrorDetails) {
    super(message);
    this.status = status;
    this.code = details.code;
    this.details = details;
  }

  /** Seconds until another attempt makes sense, where the service says. */
  get retryAfter(): number | undefined {
    return this.details.retry_after;
  }
}

/** The service couldn't be reached, its response broke off, or something else responded (a proxy, another program). */
export class NetworkError extends Error {
  override name = 'NetworkError';
  /** HTTP status of a response that isn't from Pixdock. */
  readonly status: number | undefined;
  /** `Retry-After` of such a response, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    { status, retryAfter, ...options }: ErrorOptions & { status?: number; retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** What the system, or fetch, said about an attempt to reach an address. */
export const unreachable = (address: string, error: unknown): NetworkError =>
  new NetworkError(`Could not reach ${address}: ${describe(error)}`, { cause: error });

/** The service redirects. Clients that send uploads don't follow: that would turn a POST into a GET. */
export class RedirectError extends NetworkError {
  constructor(location: string | null | undefined, baseUrl: string) {
    const target = URL.parse(location ?? '', baseUrl);
    super(
      `Could not reach ${baseUrl}: ${target ? `it redirects to ${target.origin}. Use that address.` : 'it redirects to an invalid address.'}`,
    );
  }
}

export interface ClientOptions {
  /** Address of the service, without a path; empty in a page of the service itself. */
  baseUrl?: string;
  /** Bearer token; without one, the browser's session cookie is used. */
  token?: string;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

export type Client = ReturnType<typeof createClient>;

/**
 * The typed client for browsers and Node: `client.call('GET /user/tokens', { query: { limit: 50 } })`.
 * Throws {@link ApiError} if the service refuses and {@link NetworkError} if it can't be reached.
 */
export function createClient({ baseUrl = '', token, fetch: send = fetch }: ClientOptions = {}) {
  async function request(
    method: string,
    address: string,
    body: BodyInit | undefined,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ) {
    const authorization = token ? { authorization: `Bearer ${token}` } : undefined;
    try {
      const response = await sendRequest(send, `${baseUrl}${address}`, {
        method,
        body,
        signal,
        headers: { accept: 'application/json', ...authorization, ...headers },
      });
      return await readEnvelope(response);
    } catch (error) {
      if (signal?.aborted || error instanceof ApiError || error instanceof NetworkError) throw error;
      throw unreachable(baseUrl || 'the service', error);
    }
  }

  return {
    baseUrl,

    /** Calls a JSON route and returns its `data`. */
    async call<R extends Route | RouteName>(route: R, input: RouteInput<RouteOf<R>> & CallOptions): Promise<RouteData<RouteOf<R>>> {
      const { body, signal, headers, ...parts } = input as AddressParts & { body?: unknown } & CallOptions;
      const { method, path } = endpointOf(route);
      const json = body === undefined ? undefined : JSON.stringify(body);
      const contentType = json === undefined ? undefined : { 'content-type': 'application/json' };
      return (await request(method, fillAddress(path, parts), json, { ...contentType, ...headers }, signal)) as RouteData<RouteOf<R>>;
    },

    /** Sends a form (`multipart/form-data`) to a route without parameters and returns its `data`. */
    async send<R extends (Route & { multipart: true }) | RouteName>(
      route: R,
      form: FormData,
      options: CallOptions = {},
    ): Promise<RouteData<RouteOf<R>>> {
      const { method, path } = endpointOf(route);
      return (await request(method, API_PREFIX + path, form, options.headers ?? {}, options.signal)) as RouteData<RouteOf<R>>;
    },
  };
}

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];
/** undici's and the system's codes for a connection that was closed before a response. */
const CLOSED = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/**
 * Sends a request, and sends it again at once if it can be repeated safely and its connection was closed: Node's fetch, unlike browsers',
 * fails when the service has just closed a kept-alive connection (decision 054).
 */
async function sendRequest(send: typeof fetch, address: string, init: RequestInit & { method: string }): Promise<Response> {
  try {
    return await send(address, init);
  } catch (error) {
    const closed = [...causes(error)].some((cause) => 'code' in cause && CLOSED.includes(String(cause.code)));
    const isRepeatable = IDEMPOTENT.includes(init.method) || new Headers(init.headers).has(IDEMPOTENCY_HEADER);
    if (!closed || init.signal?.aborted || !isRepeatable) throw error;
    return send(address, init);
  }
}

/** Reads the envelope of every response; throws {@link ApiError} for a refusal. */
export async function readEnvelope(response: Response): Promise<unknown> {
  const text = await response.text();
  return parseEnvelope(response.status, text, response.headers.get('retry-after'));
}

/** The same for a response that wasn't received by fetch. */
export function parseEnvelope(status: number, text: string, retryAfter?: string | null): unknown {
  const wait = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  const envelope = parseJson(text) as { status?: unknown; message?: unknown; data?: unknown } | null | undefined;
  if (envelope?.status === true) return envelope.data;
  if (envelope?.status !== false || typeof envelope.data !== 'object' || !envelope.data)
    throw new NetworkError(`The response (HTTP ${status}) isn’t from Pixdock.`, { status, retryAfter: wait });
  const details = envelope.data as ErrorDetails;
  throw new ApiError(status, String(envelope.message), { ...(wait !== undefined && { retry_after: wait }), ...details });
}

/** The address of a route that the browser opens directly: a download, an image, a redirect. */
export function addressOf<N extends RouteName>(name: N, parts: Omit<RouteInput<RouteOf<N>>, 'body'>): string {
  return fillAddress(endpointOf(name).path, parts);
}

interface AddressParts {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
}

function endpointOf(route: Route | RouteName): { method: string; path: string } {
  if (typeof route === 'object') return route;
  const [method = '', path = ''] = route.split(' ');
  return { method, path };
}

function fillAddress(path: string, { params = {}, query }: AddressParts): string {
  return API_PREFIX + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + toQuery(query);
}

function toQuery(query: Record<string, unknown> = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (!pairs.length) return '';
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

/** Every error in the chain of causes, the outermost first. */
export function* causes(error: unknown): Generator<Error> {
  for (let depth = 0; error instanceof Error && depth < 10; depth++, error = error.cause) yield error;
}

/** Parses JSON; undefined where the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
