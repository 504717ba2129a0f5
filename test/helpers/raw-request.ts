import { request } from 'node:http';
import type { ErrorDetails } from '#api/errors.ts';

export interface RawAnswer {
  status: number;
  header(name: string): string | undefined;
  setCookies: string[];
  body: string;
  /** `data.code` of a refusal; undefined for anything else. */
  code: string | undefined;
  /** `data` of the envelope. */
  data: Record<string, unknown> & Partial<ErrorDetails>;
}

export interface RawOptions {
  method?: string;
  /** Any header, `Host` and `Origin` too, which `fetch` does not let a caller set. */
  headers?: Record<string, string>;
  /** A text goes as it is, anything else as JSON. */
  body?: unknown;
}

/** One HTTP request with exactly the given headers; redirects are not followed. */
export function rawRequest(url: string, { method = 'GET', headers = {}, body }: RawOptions = {}): Promise<RawAnswer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const json = body !== undefined && typeof body !== 'string' ? { 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: { ...json, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const received = Buffer.concat(chunks).toString('utf8');
        const data = dataOf(received, answer.headers['content-type']);
        resolve({
          status: answer.statusCode ?? 0,
          header: (name) => answer.headers[name.toLowerCase()]?.toString(),
          setCookies: answer.headers['set-cookie'] ?? [],
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

function dataOf(text: string, type: string | undefined): RawAnswer['data'] {
  return type?.includes('json') ? (JSON.parse(text).data ?? {}) : {};
}
