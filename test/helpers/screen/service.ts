import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import type { Route, RouteData, RouteParsed } from '#api/contract.ts';
import { BODY_ERRORS, COMMON_ERRORS, ERROR_STATUS, type ErrorCode, type ErrorDetails } from '#api/errors.ts';
import type { EventData, EventKind } from '#api/events.ts';
import type { RouteName, Routes } from '#api/routes.ts';

/** What a handler gets: the request, parsed as the service parses it. */
export interface Call<R extends Route = Route> {
  params: RouteParsed<R, 'params'>;
  query: RouteParsed<R, 'query'>;
  headers: RouteParsed<R, 'headers'>;
  body: RouteParsed<R, 'body'>;
  /** Of a form; with a video, also its poster. */
  file: R extends { multipart: true } ? File : undefined;
  poster: File | undefined;
  /** Aborted when the page no longer waits for the response. */
  signal: AbortSignal;
  /** Reports to the page how much of a form's file has arrived, from 0 to 1. */
  progress(part: number): void;
}

/** A refusal, as the service sends it. */
export class Refusal {
  readonly details: ErrorDetails;

  constructor(details: ErrorDetails) {
    this.details = details;
  }
}

/** Refuses a call: `'PUT /albums/:id/members': refuse('not_found')`. The route must declare the code. */
export const refuse = (code: ErrorCode, details: Omit<ErrorDetails, 'code'> = {}) => new Refusal({ retry: 'never', ...details, code });

/** In place of a response: the service can't be reached. */
export const UNREACHABLE = Symbol('unreachable');

type Data<R extends Route> = R extends { binary: string } ? Blob : RouteData<R>;
type Outcome<R extends Route> = Data<R> | Refusal | typeof UNREACHABLE;
/** What the service responds with, or a function that says so for each call. */
type Handler<R extends Route> = Outcome<R> | ((call: Call<R>) => Outcome<R> | Promise<Outcome<R>>);
/** Handlers by the name of their route. */
export type Api = { [N in RouteName]?: Handler<Routes[N]> };

/** Every route of the contract, those without parameters first. */
const ROUTES = Object.values(import.meta.glob<Record<string, unknown>>(['/api/**/*.ts', '!/api/desktop/**'], { eager: true }))
  .flatMap((module) => Object.values(module))
  .filter((value): value is Route => typeof value === 'object' && value !== null && 'path' in value && 'access' in value)
  .map((route) => ({
    route,
    name: `${route.method} ${route.path}` as RouteName,
    pattern: new RegExp(`^${API_PREFIX}${route.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))
  .sort((a, b) => countParameters(a.route) - countParameters(b.route));

function countParameters({ path }: Route): number {
  return path.split('/:').length;
}

/** One request of the page. */
interface Sent {
  method: string;
  address: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal;
  progress(part: number): void;
}

type Caller = { role: 'user' | 'admin'; is_owner: boolean } | null;

/**
 * A service at the contract, in the page. It can't differ from `api/`: handlers are typed by their routes, and what they return is parsed with
 * the route's own schema. Whatever the page calls without a handler is a fault, and so is a request that the contract doesn't allow.
 */
export class FakeService {
  readonly #api: Api;
  readonly #caller: () => Caller;
  readonly #faults: string[];
  readonly #calls: { name: RouteName; call: Call }[] = [];
  readonly #streams = new Set<FakeEventSource>();

  /**
   * @param caller who is signed in
   * @param faults gets what the page or a handler does against the contract
   */
  constructor(api: Api, caller: () => Caller, faults: string[]) {
    this.#api = api;
    this.#caller = caller;
    this.#faults = faults;
  }

  /** Adds handlers, or replaces them. */
  handle(api: Api): void {
    Object.assign(this.#api, api);
  }

  /** What a route does now, as a function. */
  handlerOf<N extends RouteName>(name: N) {
    const handler = this.#api[name] as unknown;
    return (typeof handler === 'function' ? handler : () => handler) as (
      call: Call<Routes[N]>,
    ) => Outcome<Routes[N]> | Promise<Outcome<Routes[N]>>;
  }

  /** Has a route wait before it responds. */
  hold<N extends RouteName>(name: N, until: (call: Call<Routes[N]>) => Promise<void>): void {
    const respond = this.handlerOf(name);
    const waiting = (call: Call<Routes[N]>) => until(call).then(() => respond(call));
    Object.assign(this.#api, { [name]: waiting });
  }

  /** The calls of a route, the first one first. */
  calls<N extends RouteName>(name: N): Call<Routes[N]>[] {
    return this.#calls.filter((each) => each.name === name).map(({ call }) => call as Call<Routes[N]>);
  }

  /** Tells the page of a change, as the stream of events does. */
  tell(kind: EventKind, ...keys: string[]): void {
    const data = JSON.stringify({ keys } satisfies EventData);
    for (const stream of this.#streams) stream.dispatchEvent(new MessageEvent(kind, { data }));
  }

  /** Ends the streams of events and refuses to open them again, as the service does with their session. */
  endStreams(): void {
    for (const stream of [...this.#streams]) {
      stream.close();
      stream.dispatchEvent(new Event('error'));
    }
  }

  /** Takes the place of the network in the page. Returns a function that gives it back. */
  install(): () => void {
    const real = { fetch: window.fetch, XMLHttpRequest: window.XMLHttpRequest, EventSource: window.EventSource, SharedWorker };
    const service = this;
    const isOurs = (address: string | URL) => new URL(address, location.href).pathname.startsWith(`${API_PREFIX}/`);
    Object.assign(window, {
      fetch: ((input, init) =>
        typeof input !== 'object' && isOurs(input) ? this.#fetch(input, init) : real.fetch.call(window, input, init)) as typeof fetch,
      XMLHttpRequest: class extends FakeXMLHttpRequest {
        constructor() {
          super((request) => service.#respond(request));
        }
      },
      EventSource: class extends FakeEventSource {
        constructor() {
          super(service.#streams);
        }
      },
      // The stream's shared worker has a network of its own; without it, the page opens the stream itself.
      SharedWorker: undefined,
    });
    return () => Object.assign(window, real);
  }

  #fetch(address: string, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<Response> {
    const noProgress = () => undefined;
    return this.#respond({
      method,
      address,
      headers: new Headers(headers),
      body,
      signal: signal ?? new AbortController().signal,
      progress: noProgress,
    });
  }

  async #respond(sent: Sent): Promise<Response> {
    const { method, address, signal } = sent;
    // As late as over a network: never in the same turn.
    await new Promise((resolve) => setTimeout(resolve));
    const outcome = await Promise.race([this.#outcome(sent), rejectOnAbort(signal)]).catch((error: unknown) => {
      if (!signal.aborted) this.#fault(`${method} ${address}: the handler failed: ${error}`);
      throw error;
    });
    if (outcome === UNREACHABLE) throw new TypeError('Failed to fetch');
    if (outcome instanceof Blob) return new Response(outcome);
    if (!(outcome instanceof Refusal)) return Response.json({ status: true, message: 'ok', data: outcome });
    const { code, retry_after } = outcome.details;
    const headers = retry_after === undefined ? undefined : { 'retry-after': String(retry_after) };
    const envelope = { status: false, message: `Refused: ${code}.`, data: outcome.details };
    return Response.json(envelope, { status: ERROR_STATUS[code], headers });
  }

  async #outcome(sent: Sent): Promise<unknown> {
    const { pathname, searchParams } = new URL(sent.address, location.href);
    const found = ROUTES.find(({ route, pattern }) => route.method === sent.method && pattern.test(pathname));
    if (!found) return this.#fault(`the contract has no ${sent.method} ${pathname}`);
    const { route, name, pattern } = found;
    const refusal = refuseAccess(route, this.#caller());
    if (refusal) return refusal;
    const handler = this.#api[name] as unknown;
    if (handler === undefined) return this.#fault(`no handler for ${name} (${sent.address})`);
    let call: Call;
    try {
      call = await readCall(route, pattern.exec(pathname)?.groups, searchParams, sent);
    } catch (error) {
      // What a page sends on purpose, to learn of a refusal, has one in place of a handler.
      return handler instanceof Refusal ? handler : this.#fault(`${name} (${sent.address}) isn’t valid: ${error}`);
    }
    this.#calls.push({ name, call });
    const outcome: unknown = await (typeof handler === 'function' ? handler(call) : handler);
    if (outcome instanceof Refusal) return this.#checkRefusal(route, outcome);
    if (outcome === UNREACHABLE || outcome instanceof Blob) return outcome;
    const result = route.data?.safeParse(outcome);
    return result?.success === false
      ? this.#fault(`the response of ${name} breaks the contract: ${z.prettifyError(result.error)}`)
      : result?.data;
  }

  #checkRefusal(route: Route, refusal: Refusal): Refusal {
    const known = [...COMMON_ERRORS, ...(route.body ? BODY_ERRORS : []), ...(route.errors ?? [])];
    const { code } = refusal.details;
    return known.includes(code) ? refusal : this.#fault(`${route.method} ${route.path} doesn’t refuse with ${code}`);
  }

  #fault(what: string): Refusal {
    this.#faults.push(what);
    return refuse('internal');
  }
}

/** Where the service refuses a caller by the access that a route declares. */
function refuseAccess({ access }: Route, caller: Caller): Refusal | undefined {
  if (access === 'open') return undefined;
  if (!caller) return refuse('unauthorized');
  const isAllowed = access === 'owner' ? caller.is_owner : access !== 'admin' || caller.role === 'admin';
  return isAllowed ? undefined : refuse('forbidden');
}

async function readCall(route: Route, params: unknown, query: URLSearchParams, { headers, body, signal, progress }: Sent): Promise<Call> {
  const form = body instanceof FormData ? Object.fromEntries(body) : undefined;
  const { file, poster, ...fields } = form ?? {};
  if (route.multipart && !(file instanceof File)) throw new Error('the form has no file');
  return {
    params: route.params?.parse(params),
    query: route.query?.parse(Object.fromEntries(query)),
    headers: route.headers?.parse(Object.fromEntries(headers)),
    body: route.body?.parse(route.multipart ? fields : JSON.parse(String(body))),
    file,
    poster,
    signal,
    progress,
  } as Call;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What the page uses of it (renderer/upload/queue/send-form.ts). */
class FakeXMLHttpRequest extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  readonly #respond: (sent: Sent) => Promise<Response>;
  readonly #controller = new AbortController();
  readonly #headers = new Headers();
  #to = { method: '', address: '' };
  #response: Response | undefined;

  constructor(respond: (sent: Sent) => Promise<Response>) {
    super();
    this.#respond = respond;
  }

  open(method: string, address: string) {
    this.#to = { method, address };
  }

  setRequestHeader(name: string, value: string) {
    this.#headers.set(name, value);
  }

  getResponseHeader(name: string) {
    return this.#response?.headers.get(name) ?? null;
  }

  abort() {
    this.#controller.abort();
  }

  send(body: FormData) {
    const { size } = body.get('file') as File;
    const progress = (part: number) =>
      this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded: Math.round(part * size), total: size }));
    const { signal } = this.#controller;
    this.#respond({ ...this.#to, headers: this.#headers, body, signal, progress })
      .then(async (response) => {
        this.upload.dispatchEvent(new ProgressEvent('load', { loaded: size, total: size }));
        this.#response = response;
        this.status = response.status;
        this.responseText = await response.text();
        this.dispatchEvent(new ProgressEvent('load'));
      })
      .catch(() => this.dispatchEvent(new ProgressEvent(signal.aborted ? 'abort' : 'error')));
  }
}

/** What the page uses of it (renderer/service/live/stream.ts). */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  readonly #streams: Set<FakeEventSource>;

  constructor(streams: Set<FakeEventSource>) {
    super();
    this.#streams = streams.add(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
    this.#streams.delete(this);
  }
}
