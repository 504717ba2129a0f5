import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import type { ErrorDetails } from '#api/errors.ts';

export interface RawResponse {
  status: number;
  header(name: string): string | undefined;
  setCookies: string[];
  body: string;
  /** `data.code` of an error; otherwise undefined. */
  code: string | undefined;
  /** `data` of the envelope. */
  data: Record<string, unknown> & Partial<ErrorDetails>;
}

export interface RawOptions {
  method?: string;
  /** Any header, including `Host` and `Origin`, which `fetch` doesn't allow. */
  headers?: Record<string, string>;
  /** Strings are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** The address that the connection comes from. */
  localAddress?: string;
}

/** One HTTP request with exactly the given headers; redirects are not followed. */
export function rawRequest(url: string, { method = 'GET', headers = {}, body, localAddress }: RawOptions = {}): Promise<RawResponse> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  // Node doesn't announce the body of a DELETE.
  const announced = method === 'DELETE' && text !== undefined ? { 'content-length': String(Buffer.byteLength(text)) } : {};
  const json = body !== undefined && typeof body !== 'string' ? { 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestTls : request;
    const options = { method, agent: false, headers: { ...announced, ...json, ...headers }, ...(localAddress && { localAddress }) };
    const sent = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = Buffer.concat(chunks).toString('utf8');
        // Compressed bodies stay as they are.
        const data = response.headers['content-encoding'] ? {} : dataOf(received, response.headers['content-type']);
        resolve({
          status: response.statusCode ?? 0,
          header: (name) => response.headers[name.toLowerCase()]?.toString(),
          setCookies: response.headers['set-cookie'] ?? [],
          body: received,
          code: data.code,
          data,
        });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

function dataOf(text: string, type: string | undefined): RawResponse['data'] {
  return type?.includes('json') ? (JSON.parse(text).data ?? {}) : {};
}
