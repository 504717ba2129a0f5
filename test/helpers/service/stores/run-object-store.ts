import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import S3rver from '@20minutes/s3rver';
import type { S3Access } from '#server/platform/storage/s3/settings.ts';

/** Handles a request in place of the object store; false: it handles the request. */
type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/** An S3 server in this process with one bucket, whose requests can be watched and broken. */
export interface ObjectStore {
  access: S3Access;
  /** Methods and paths with queries, without signatures: `PUT /pictures/ab/cd/…?partNumber=1`. */
  requests: string[];
  /** Replaces responses until it is called with undefined. */
  intercept(handler: Intercept | undefined): void;
  /** Responds with an S3 error. */
  fail(status: number, code: string): void;
  /** Stops listening, and starts again at the same address. */
  stop(): Promise<void>;
  /** The number of open connections. */
  connections(): Promise<number>;
  start(): Promise<void>;
}

const BUCKET = 'pictures';

export async function runObjectStore(): Promise<ObjectStore & AsyncDisposable> {
  const directory = mkdtempSync(join(tmpdir(), 'pixdock-test-'));
  const options = { silent: true, directory, configureBuckets: [{ name: BUCKET, configs: [] }] };
  const store = new S3rver(options);
  await store.configureBuckets();
  acceptZeroAsEnd(store);
  const handle = store.callback();
  // s3rver computes another signature than S3 for the root of a bucket.
  const handleRoot = new S3rver({ ...options, allowMismatchedSignatures: true }).callback();
  const requests: string[] = [];
  let intercepted: Intercept | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const shown = [...searchParams].filter(([name]) => !name.startsWith('X-Amz-')).map(([name, value]) => `${name}=${value}`);
    requests.push(`${request.method} ${pathname}${shown.length > 0 ? `?${shown.join('&')}` : ''}`);
    if (!intercepted?.(request, response)) void (/^\/[^/]+\/$/.test(pathname) ? handleRoot : handle)(request, response);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    access: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: BUCKET,
      prefix: 'pixdock',
      path_style: true,
      access_key_id: 'S3RVER',
      secret_access_key: 'S3RVER',
      public_url: null,
    },
    requests,
    intercept(handler) {
      intercepted = handler;
    },
    fail(status, code) {
      intercepted = (request, response) => {
        request.resume();
        response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
        return true;
      };
    },
    stop,
    connections: () => promisify(server.getConnections.bind(server))(),
    start: () => listen(port),
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(directory, { recursive: true });
    },
  };
}

/** s3rver takes the last byte 0 for a range without an end. */
function acceptZeroAsEnd({ store }: S3rver) {
  const getObject = store.getObject.bind(store);
  store.getObject = (bucket, key, options) => getObject(bucket, key, options?.end === 0 ? { ...options, end: Object(0) } : options);
}
