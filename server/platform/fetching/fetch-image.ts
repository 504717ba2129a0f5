import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { fileTooLarge, RequestError } from '#server/platform/base/errors.ts';
import { fileNameIn, parseHeader } from '#server/platform/base/header-parameters.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import type { Staging } from '#server/platform/storage/staging.ts';
import { type AddressRules, type Resolve, resolveBySystem } from './addresses.ts';
import { type GuardedResponse, guardedRequest, parseWebAddress } from './guarded-request.ts';

/** The limits of a fetch. */
export interface FetchLimits {
  /** Largest file in bytes; 0: unlimited. */
  maxBytes: number;
  /** Largest file in a compressed response, in bytes, where files are unlimited. */
  maxDecodedBytes: number;
  /** The total time limit in milliseconds. */
  timeoutMs: number;
  maxRedirects: number;
}

/** A picture from the web, complete in `tmp/`. */
export interface FetchedFile extends StagedFile, AsyncDisposable {
  /** The name from the response, or else from the address; untrusted. */
  name: string;
}

export const FETCH_TIMEOUT_MS = 60_000;
export const MAX_REDIRECTS = 5;
export const MAX_DECODED_BYTES = 256 * 1024 * 1024;

/**
 * Fetches a file from another server into `tmp/`. Disposing of the result removes it.
 * @throws RequestError `url_not_allowed`, `url_unreachable` or `file_too_large`
 */
export async function fetchImage(
  address: string,
  { rules, staging, limits, resolve = resolveBySystem }: { rules: AddressRules; staging: Staging; limits: FetchLimits; resolve?: Resolve },
): Promise<FetchedFile> {
  await using files = new AsyncDisposableStack();
  const writer = files.use(await staging.create());
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let ownFault: unknown; // of our disk, which the sentences for faults of the other server must not cover
  const write = (bytes: Uint8Array) =>
    writer.write(bytes).catch((error) => {
      ownFault = error;
      throw error;
    });
  const name = await receive(address, write, { rules, limits, resolve, signal }).catch((error) => {
    throw ownFault ?? toRefusal(error, signal);
  });
  const file = await writer.finish();
  const kept = files.move();
  return { ...file, name, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Receiving {
  rules: AddressRules;
  limits: FetchLimits;
  resolve: Resolve;
  signal: AbortSignal;
}

async function receive(address: string, write: (bytes: Uint8Array) => Promise<void>, receiving: Receiving): Promise<string> {
  const { response, url } = await followRedirects(parseWebAddress(address), receiving);
  try {
    const { maxBytes, maxDecodedBytes } = receiving.limits;
    if (response.status !== 200) throw unreachable(`${url.host} returned status ${response.status} instead of a picture.`);
    if (maxBytes > 0 && Number(response.header('content-length') ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
    const { firstByte, body } = await peek(response.body);
    const decoder = decoderFor(response.header('content-encoding'), firstByte, url);
    if (!decoder) await writeAtMost(maxBytes, body, write);
    else await writeDecoded(maxBytes || maxDecodedBytes, body, { decoder, write, url });
    return nameIn(response) ?? nameOf(url);
  } finally {
    await response.close();
  }
}

async function writeAtMost(maxBytes: number, chunks: AsyncIterable<Uint8Array>, write: (bytes: Uint8Array) => Promise<void>) {
  for await (const chunk of limited(maxBytes, chunks)) await write(chunk);
}

/** @param maxBytes 0: unlimited */
async function* limited(maxBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (maxBytes > 0 && received > maxBytes) throw fileTooLarge(maxBytes);
    yield chunk;
  }
}

/** Both forms have the limit: a bomb is small, and data that contains nothing decodes to nothing. */
async function writeDecoded(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
  { decoder, write, url }: { decoder: Duplex; write: (bytes: Uint8Array) => Promise<void>; url: URL },
) {
  const decoded = pipeline(limited(maxBytes, body), decoder, (chunks: AsyncIterable<Uint8Array>) => writeAtMost(maxBytes, chunks, write));
  await decoded.catch((error: unknown) => {
    throw isDamaged(error) ? unreachable(`${url.host} sent compressed data that is damaged.`) : error;
  });
}

/** The codes of zlib, Brotli and Zstandard. */
const isDamaged = (error: unknown) => error instanceof Error && 'code' in error && /^(Z_|ERR__|ZSTD_)/.test(String(error.code));

async function peek(body: AsyncIterable<Uint8Array>): Promise<{ firstByte: number | undefined; body: AsyncIterable<Uint8Array> }> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  async function* whole() {
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value;
  }
  return { firstByte: first.done ? undefined : first.value[0], body: whole() };
}

/** What servers send although it is no compression. */
const PLAIN = new Set(['', 'identity', 'none', 'null', 'utf-8', 'utf8', 'binary', '7bit', '8bit', 'aws-chunked']);

const DECODERS: Partial<Record<string, (firstByte: number | undefined) => Duplex>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  // Some servers omit the header of zlib, which the standard requires.
  deflate: (firstByte = 8) => ((firstByte & 15) === 8 ? createInflate() : createInflateRaw()),
};

/** The decoder for a response, which may be compressed although that wasn't asked for. Undefined if it isn't. */
function decoderFor(header = '', firstByte: number | undefined, url: URL): Duplex | undefined {
  const encodings = header.toLowerCase().split(',');
  const [encoding, ...more] = encodings.map((text) => text.trim()).filter((text) => !PLAIN.has(text));
  if (encoding === undefined) return undefined;
  const create = more.length === 0 && Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (create) return create(firstByte);
  const named = [encoding, ...more].join(', ').slice(0, 60);
  throw unreachable(`${url.host} compresses the picture in a way that can’t be decoded (${named}).`);
}

const HEADERS = { accept: 'image/*, video/*', 'accept-encoding': 'identity', 'user-agent': 'Pixdock' };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Checks the address of every redirect like the first one. */
async function followRedirects(
  start: URL,
  { rules, resolve, limits, signal }: Receiving,
): Promise<{ response: GuardedResponse; url: URL }> {
  let url = start;
  for (let redirects = 0; ; redirects++) {
    const response = await guardedRequest(url, rules, resolve, { headers: HEADERS, signal });
    const location = REDIRECTS.has(response.status) ? response.header('location') : undefined;
    if (location === undefined) return { response, url };
    await response.close();
    if (redirects === limits.maxRedirects) throw unreachable(`${start.host} redirects more than ${limits.maxRedirects} times.`);
    url = parseWebAddress(URL.parse(location, url.href)?.href ?? '');
  }
}

/** The name in Content-Disposition (RFC 6266), unless it is empty. */
const nameIn = (response: GuardedResponse) => fileNameIn(parseHeader(response.header('content-disposition') ?? ''))?.trim() || undefined;

/** The last part of an address's path, decoded. */
function nameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // a stray percent sign
  }
}

function unreachable(message: string): RequestError {
  return new RequestError('url_unreachable', message, { field: 'url' });
}

/** Connection errors are the foreign server's. Their details could reveal networks behind this server. */
function toRefusal(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RequestError) return error;
  if (signal.aborted) return unreachable('The other server didn’t respond in time. Try again later.');
  return unreachable('Couldn’t reach the other server, or the connection was lost.');
}
