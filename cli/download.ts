import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ApiError, NetworkError, readEnvelope, unreachable } from '#api/client.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { draftOf } from './replace-file.ts';
import type { Run } from './run.ts';

export interface Download {
  path: string;
  /** On the client's own server. */
  address: string;
  headers?: Record<string, string>;
}

/** Hands the bytes at an address to `use`. One attempt. */
export async function withBytes<T>(
  { connection, timeout }: Pick<Run, 'connection' | 'timeout'>,
  { address, headers }: Omit<Download, 'path'>,
  signal: AbortSignal,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { baseUrl, token } = connection;
  using waiting = new Waiting(timeout, signal);
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await use(await open(baseUrl, address, { ...headers, ...authorization }, waiting));
}

/** Writes what is at an address to a file, which appears once it is complete. One attempt. */
export function download(run: Pick<Run, 'connection' | 'timeout'>, { path, ...from }: Download, signal: AbortSignal): Promise<void> {
  return withBytes(run, from, signal, async (bytes) => {
    const draft = draftOf(path);
    try {
      await writeStream(draft, { flags: 'wx', flush: true, mode: 0o666 }, (file) => pipeline(bytes, file, { signal }));
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  });
}

/** Waits for a server, up to `timeout` seconds for each part of its response. Disposing of it ends a response that isn't complete. */
class Waiting implements Disposable {
  readonly #timeout: number;
  readonly #interrupted: AbortSignal;
  readonly #silent = new AbortController();
  /** For the requests. */
  readonly signal: AbortSignal;

  constructor(timeout: number, interrupted: AbortSignal) {
    this.#timeout = timeout;
    this.#interrupted = interrupted;
    this.signal = AbortSignal.any([interrupted, this.#silent.signal]);
  }

  /** @throws NetworkError if it fails or takes too long; what the server refuses as it is */
  async for<T>(part: Promise<T>, origin: string): Promise<T> {
    const timer = setTimeout(() => this.#silent.abort(new Error(`nothing arrived for ${this.#timeout} s.`)), this.#timeout * 1000);
    try {
      return await part;
    } catch (error) {
      if (this.#interrupted.aborted || error instanceof ApiError || error instanceof NetworkError) throw error;
      throw unreachable(origin, this.#silent.signal.aborted ? this.#silent.signal.reason : error);
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose]() {
    this.#silent.abort();
  }
}

/** The bytes at an address. A bucket to which the server redirects gets neither the token nor the password. */
async function open(baseUrl: string, address: string, headers: Record<string, string>, waiting: Waiting) {
  const { signal } = waiting;
  const send = (url: string, init: RequestInit) => waiting.for(fetch(url, { ...init, signal }), new URL(url).origin);
  let response = await send(baseUrl + address, { headers: { accept: 'application/json', ...headers }, redirect: 'manual' });
  const target = response.status >= 300 && response.status < 400 ? URL.parse(response.headers.get('location') ?? '', baseUrl) : undefined;
  if (target && /^https?:$/.test(target.protocol)) {
    await response.body?.cancel();
    response = await send(target.href, { redirect: 'error' });
    if (!response.ok) throw new NetworkError(`${target.origin} responded with ${response.status}.`, { status: response.status });
  }
  if (!response.ok) await waiting.for(readEnvelope(response), baseUrl);
  if (!response.body) throw new NetworkError(`Could not reach ${baseUrl}: the response is empty.`);
  return read(response.body, target?.origin ?? baseUrl, waiting);
}

async function* read(body: ReadableStream<Uint8Array>, origin: string, waiting: Waiting) {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await waiting.for(reader.read(), origin);
    if (done) return;
    yield value;
  }
}
