import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

interface Options {
  host?: string;
  port?: number;
  /** Makes it speak HTTPS. */
  certificate?: Certificate;
}

/** A foreign web server on this machine that records its requests. */
export interface WebServer {
  url: string;
  port: number;
  /** All requests so far, in order. */
  requests: IncomingMessage[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts one: `await using server = await startWebServer((request, response) => …)`. */
export async function startWebServer(
  handler: RequestListener,
  { host = '127.0.0.1', port = 0, certificate }: Options = {},
): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    handler(request, response);
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve()));
  const actual = (server.address() as AddressInfo).port;
  return {
    url: `${certificate ? 'https' : 'http'}://${host}:${actual}`,
    port: actual,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
