import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The faults of a bad network. */
const FAULTS = {
  /** Refused with Retry-After, as by a rate limit. */
  limited: (response: ServerResponse) => respond(response, 429, { 'retry-after': '0' }, 'rate_limited'),
  /** Refused without Retry-After, as by a proxy. */
  badGateway: (response: ServerResponse) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>'),
  internal: (response: ServerResponse) => respond(response, 500, {}, 'internal'),
  /** The connection breaks before the service has seen the request. */
  reset: (response: ServerResponse) => response.socket?.resetAndDestroy(),
  /** No response ever comes. */
  silence: () => undefined,
} as const;
export type Fault = keyof typeof FAULTS | 'lostResponse';

export interface FaultyProxyOptions {
  /** The real service. */
  target: string;
  /** Equal seeds produce the same sequence of faults. */
  seed: number;
  /** The probability of each fault; all other requests pass. */
  faults: Partial<Record<Fault, number>>;
}

/**
 * A proxy in front of a service that disturbs requests at random: some never reach it, some are refused, and with `lostResponse`
 * some are carried out but their responses are lost.
 */
export async function startFaultyProxy({ target, seed, faults }: FaultyProxyOptions) {
  const random = seededRandom(seed);
  const counts: Record<string, number> = {};
  const server = createServer((request, response) => {
    const fault = pick(faults, random());
    counts[fault ?? 'none'] = (counts[fault ?? 'none'] ?? 0) + 1;
    if (fault === undefined || fault === 'lostResponse') return forward(target, request, response, fault === 'lostResponse');
    // Read to the end first, or the client would see a broken pipe instead of the response.
    request.resume().once('end', () => FAULTS[fault](response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often each fault has happened; `none` counts undisturbed requests. */
    counts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(target: string, request: IncomingMessage, response: ServerResponse, isLost: boolean) {
  const { host } = new URL(target);
  const onward = httpRequest(`${target}${request.url}`, { method: request.method, headers: { ...request.headers, host } });
  onward.on('response', (incoming) => {
    if (isLost) incoming.resume().once('end', () => response.socket?.resetAndDestroy());
    else incoming.pipe(response.writeHead(incoming.statusCode ?? 502, incoming.headers));
  });
  onward.on('error', () => response.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

function respond(response: ServerResponse, status: number, headers: Record<string, string>, code: string) {
  const body = { status: false, message: 'The network is bad today.', data: { code } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function pick(faults: FaultyProxyOptions['faults'], chance: number): Fault | undefined {
  for (const [fault, share] of Object.entries(faults)) {
    if (chance < share) return fault as Fault;
    chance -= share;
  }
  return undefined;
}

/** Mulberry32: small, and uniform enough. */
function seededRandom(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
