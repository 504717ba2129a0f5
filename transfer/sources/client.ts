import type { z } from 'zod';
import { NetworkError, parseJson, RedirectError, unreachable } from '#api/client.ts';

/** The source refuses, or isn't what it should be; its message is all that the user sees. */
export class SourceError extends Error {
  override name = 'SourceError';
}

/** The item has been deleted at the source since it was listed. */
export class ItemGone extends SourceError {
  constructor() {
    super('it is no longer there');
  }
}

interface ClientOptions {
  /** Without a slash at the end; may have a path. */
  address: string;
  title: string;
  /** Headers that show who the caller is. They are sent to the origin of the address only. */
  credentials: Record<string, string>;
  /** Repeats what fails for a while, and waits where the source asks for it. */
  repeat: <T>(attempt: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
  /** Requests to other origins, where files can be; default: `fetch`. */
  fetchElsewhere?: (url: URL, options: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>;
  /** Seconds without a response, or without further bytes, after which an attempt fails. */
  timeout: number;
}

interface Call {
  method?: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form, in place of `body`. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** It is about one item, which may be gone. */
  isItem?: boolean;
}

const MAX_REDIRECTS = 5;
/** More than any page of a list. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Reads from another product's server. */
export class SourceClient {
  readonly address: string;
  readonly title: string;
  #credentials: Record<string, string>;
  readonly #options: ClientOptions;
  /** Requests so far. */
  requests = 0;

  constructor(options: ClientOptions) {
    this.address = options.address;
    this.title = options.title;
    this.#credentials = options.credentials;
    this.#options = options;
  }

  /** Shows other credentials from now on: those of a session that a source has opened. */
  use(credentials: Record<string, string>) {
    this.#credentials = credentials;
  }

  /** An absolute address. */
  resolve(url: string): URL {
    const found = URL.parse(url, `${this.address}/`);
    if (!found || !/^https?:$/.test(found.protocol)) throw new SourceError(`${this.title} gives an invalid address: ${url}`);
    return found;
  }

  /** Reads JSON. @throws SourceError if it is something else, or refused */
  async json<T>(path: string, schema: z.ZodType<T>, call: Call = {}): Promise<T> {
    const parsed = schema.safeParse(parseJson(await this.text(path, call)));
    if (parsed.success) return parsed.data;
    throw new SourceError(
      `What ${this.address} returns for ${path.replace(/\?.*/, '')} isn’t what ${this.title} would. Is this its address?`,
    );
  }

  /** A path may begin with that of the address, where the source itself has written it. */
  #at(path: string): URL {
    const { origin, pathname } = new URL(this.address);
    return new URL(pathname !== '/' && path.startsWith(`${pathname}/`) ? `${origin}${path}` : `${this.address}${path}`);
  }

  /** Reads a text. @throws SourceError if it is refused */
  text(path: string, call: Call = {}): Promise<string> {
    return this.#options.repeat(async () => {
      const { response, idle } = await this.#send(this.#at(path), call);
      try {
        return await idle.guard(readText(response, this.title));
      } catch (error) {
        throw this.#explained(error, this.address);
      }
    });
  }

  /** Opens the bytes of an item, which may be at another origin. One attempt: who reads them repeats it. @throws ItemGone */
  async open(url: string): Promise<AsyncIterable<Uint8Array>> {
    const target = this.resolve(url);
    const { response, idle } = await this.#send(target, { headers: { accept: '*/*' }, isItem: true, isFile: true });
    if (!response.body) throw new NetworkError(`Could not reach ${target.origin}: it sent nothing`);
    if (/^text\/html/.test(response.headers.get('content-type') ?? '')) {
      idle.stop();
      await response.body.cancel();
      throw new SourceError(`${this.title} sent a page instead of the picture`);
    }
    return this.#chunks(response.body, idle, target.origin);
  }

  async *#chunks(body: AsyncIterable<Uint8Array>, idle: Idle, origin: string) {
    try {
      for await (const chunk of body) {
        idle.touch();
        yield chunk;
      }
    } catch (error) {
      throw this.#explained(error, origin);
    } finally {
      idle.stop();
    }
  }

  /** Why an attempt failed, as others can classify it. */
  #explained(error: unknown, origin: string): unknown {
    if (this.#options.signal.aborted || error instanceof SourceError || error instanceof NetworkError) return error;
    return unreachable(origin, error);
  }

  /** Follows redirects, without the credentials where they lead to another origin; to its lists, not even there. */
  async #send(first: URL, call: Call & { isFile?: boolean }) {
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const idle = new Idle(this.#options.timeout, this.#options.signal);
      const response = await this.#attempt(url, call, idle);
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) {
        if (response.ok) return { response, idle };
        idle.stop();
        throw await this.#refusal(response, url, call.isItem);
      }
      idle.stop();
      await response.body?.cancel();
      const next = URL.parse(location, url.href);
      if (!next || !/^https?:$/.test(next.protocol) || redirects === MAX_REDIRECTS) throw new RedirectError(undefined, url.origin);
      if (next.origin !== url.origin && !call.isFile) throw new RedirectError(location, url.origin);
      // A form or a body isn't sent twice in another way.
      if (call.method === 'POST' && response.status !== 307 && response.status !== 308) throw new RedirectError(location, url.origin);
      url = next;
    }
  }

  async #attempt(url: URL, { method = 'GET', body, form, headers }: Call, idle: Idle): Promise<Response> {
    this.requests++;
    const isOwn = url.origin === new URL(this.address).origin;
    const content = form
      ? { body: new URLSearchParams(form) }
      : body !== undefined && { body: JSON.stringify(body), type: 'application/json' };
    try {
      const sent = {
        accept: 'application/json',
        'user-agent': 'pixdock-import',
        ...headers,
        ...(content && 'type' in content && { 'content-type': content.type }),
        ...(isOwn && this.#credentials),
      };
      const options = { signal: idle.signal, headers: sent };
      const { fetchElsewhere } = this.#options;
      const response =
        isOwn || !fetchElsewhere
          ? await fetch(url, { ...options, method, redirect: 'manual', ...(content && { body: content.body }) })
          : await fetchElsewhere(url, options);
      if (isOwn) this.#remember(response);
      return response;
    } catch (error) {
      idle.stop();
      throw this.#explained(idle.isOver ? new Error(`no progress for ${this.#options.timeout} seconds`) : error, url.origin);
    }
  }

  /** The session that a source opens for a cookie continues with the next request. */
  #remember({ headers }: Response) {
    const { cookie } = this.#credentials;
    const set = headers.getSetCookie();
    if (cookie === undefined || set.length === 0) return;
    const jar = new Map([...cookie.split('; '), ...set.map((one) => one.split(';', 1)[0] ?? '')].map((one) => [one.split('=', 1)[0], one]));
    this.#credentials = { ...this.#credentials, cookie: [...jar.values()].join('; ') };
  }

  async #refusal(response: Response, { origin, pathname }: URL, isItem = false): Promise<Error> {
    const { status } = response;
    const reason = reasonIn(await readText(response, this.title).catch(() => ''));
    const quoted = reason && `: ${reason}`;
    const isOwn = origin === new URL(this.address).origin;
    if (isItem && (status === 404 || status === 410)) return new ItemGone();
    if (status === 429 || status >= 500)
      return new NetworkError(`${origin} responds with HTTP ${status}${quoted}`, { status, retryAfter: waitOf(response) });
    if (status === 401 && isOwn)
      return new CredentialsError(`${this.title} at ${this.address} doesn’t accept this token or password${quoted}`);
    if (status === 403 && isOwn) return new CredentialsError(`${this.title} at ${this.address} refuses: the token lacks a right${quoted}`);
    if (status === 404) return new SourceError(`${this.title} has no ${pathname} at ${this.address}. Is this its address?`);
    return new SourceError(`${origin} responds with HTTP ${status}${quoted}`);
  }
}

/** The token or password isn't accepted, for nothing that follows either. */
export class CredentialsError extends SourceError {}

/** Aborts a request that makes no progress. */
class Idle {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;

  constructor(seconds: number, signal: AbortSignal) {
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`no progress for ${seconds} seconds`)), seconds * 1000);
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
  }

  get isOver() {
    return this.#controller.signal.aborted;
  }

  touch() {
    this.#timer.refresh();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  async guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      this.stop();
    }
  }
}

async function readText(response: Response, title: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_TEXT_BYTES) throw new SourceError(`${title} sends endless data`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const MAX_REASON = 200;

/** What a refusal says, in the shapes of the products. */
function reasonIn(text: string): string {
  const body = parseJson(text) as { message?: unknown; error?: unknown } | undefined;
  const error = body?.error as { message?: unknown } | string | undefined;
  const found = [body?.message, typeof error === 'string' ? error : error?.message].find((one) => typeof one === 'string' && one);
  return typeof found === 'string' ? found.slice(0, MAX_REASON) : '';
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
function waitOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
