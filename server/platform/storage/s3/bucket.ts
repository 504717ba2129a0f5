import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { S3Client } from '@bradenmacdonald/s3-lite-client';
import { Agent, type Dispatcher, request } from 'undici';
import { BlobMissingError, type ByteRange } from '../driver.ts';
import { faultOf, faultOfResponse, StorageFault } from './fault.ts';
import type { S3Access } from './settings.ts';

/** What a request sends; `open` is called again for another attempt. */
interface Payload {
  open(): Readable | Buffer;
  length: number;
  /** In base64: object stores compare it with the bytes that arrive. */
  md5: string;
}

/** An object that is being received. Read `body` to its end or destroy it. */
export interface StoredObject {
  size: number;
  body: Readable;
}

/** Requests to one bucket. All reject with a StorageFault when the object store can't be used. */
export interface Bucket {
  /** Resolves once the object store has acknowledged the object. */
  put(key: string, path: string, size: number, mime?: string): Promise<void>;
  putBytes(key: string, bytes: Buffer): Promise<void>;
  /** Stores an object unless there is one of that name, and returns whether it did. Some object stores ignore the condition. */
  create(key: string, bytes: Buffer): Promise<boolean>;
  /** @throws BlobMissingError */
  get(key: string, range?: ByteRange): Promise<StoredObject>;
  has(key: string): Promise<boolean>;
  /** Deletes an object and what unfinished uploads have left of it. */
  delete(key: string): Promise<void>;
  /** The keys below a prefix, in order. */
  list(prefix: string): AsyncGenerator<string>;
  /** Closes the connections as soon as no request uses them. Later requests still work, and close their own connections. */
  retire(): void;
  /** Ends all requests. */
  close(): Promise<void>;
}

export interface BucketLimits {
  /** Larger files are sent in parts. */
  singleBytes: number;
  /** Size of a part; object stores require 5 MiB or more. */
  partBytes: number;
  connectMs: number;
  /** How long the object store may be silent. */
  silentMs: number;
}

const LIMITS: BucketLimits = { singleBytes: 16 * 1024 * 1024, partBytes: 16 * 1024 * 1024, connectMs: 5_000, silentMs: 30_000 };
/** Of responses that aren't known to be an object store's. */
const MAX_FOREIGN_BYTES = 64 * 1024;
/** Of a list of a thousand keys or unfinished uploads, with a kilobyte for each key, escaped. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Signed addresses are used at once; the rest allows for clocks that differ. */
const SIGNED_SECONDS = 900;

interface SendOptions {
  parameters?: Record<string, string>;
  headers?: Record<string, string>;
  payload?: Payload;
}

/** Also signs requests for the bucket itself, whose name as an object is empty. */
class Signer extends S3Client {
  protected override checkNames(_name: string, options: { bucketName?: string } | undefined) {
    return this.getBucketName(options);
  }
}

export function openBucket(access: S3Access, changes: Partial<BucketLimits> = {}): Bucket {
  const limits = { ...LIMITS, ...changes };
  const client = new Signer({
    endPoint: access.endpoint,
    region: access.region,
    bucket: access.bucket,
    pathStyle: access.path_style,
    accessKey: access.access_key_id,
    secretKey: access.secret_access_key,
  });
  // As many connections as there are callers: with a limit, slow readers would keep all others waiting.
  const connect = () =>
    new Agent({ connect: { timeout: limits.connectMs }, headersTimeout: limits.silentMs, bodyTimeout: limits.silentMs });
  let agent: Agent | undefined = connect();

  function dispatch(url: string, options: Omit<Parameters<typeof request>[1], 'dispatcher'>) {
    const dispatcher = agent ?? connect();
    const response = request(url, { ...options, dispatcher });
    if (!agent) void dispatcher.close(); // once the response has been read
    return response;
  }

  async function send(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    key: string,
    { parameters = {}, headers = {}, payload }: SendOptions = {},
  ): Promise<Dispatcher.ResponseData> {
    for (let attempt = 1; ; attempt++) {
      const url = await client.getPresignedUrl(method, key, { expirySeconds: SIGNED_SECONDS, parameters });
      const body = payload?.open();
      try {
        return await dispatch(url, { method, headers, ...(body && { body }) });
      } catch (error) {
        if (body && 'destroy' in body) body.destroy();
        const fault = faultOf(error);
        // Object stores close idle connections; the next attempt opens another.
        if (!(fault instanceof StorageFault && fault.reason === 'connection' && attempt === 1)) throw fault;
      }
    }
  }

  async function expect(status: number, response: Dispatcher.ResponseData): Promise<Dispatcher.ResponseData> {
    if (response.statusCode === status) return response;
    throw await refusalOf(response);
  }

  /** What the bucket itself lists, as XML; shortened if it is something else. */
  async function list(parameters: Record<string, string>): Promise<string> {
    const { body } = await expect(200, await send('GET', '', { parameters }));
    return readStart(body, (xml) => xml.length > (/<List\w+Result\b/.test(xml) ? MAX_LIST_BYTES : MAX_FOREIGN_BYTES));
  }

  /** Sends an object or a part of one, and returns the tag of what was stored. */
  async function sendPayload(key: string, payload: Payload, headers: Record<string, string>, parameters: Record<string, string> = {}) {
    const sent = { ...headers, 'content-length': String(payload.length), 'content-md5': payload.md5 };
    const response = await expect(200, await send('PUT', key, { headers: sent, payload, parameters }));
    await response.body.dump();
    return String(response.headers.etag ?? '');
  }

  async function sendParts(key: string, path: string, size: number, headers: Record<string, string>) {
    const started = await post(key, 'uploads', '', headers);
    const uploadId = textIn(started, 'UploadId');
    if (!uploadId) throw new StorageFault('not_s3', 'no UploadId');
    try {
      const tags: string[] = [];
      for (let start = 0; start < size; start += limits.partBytes) {
        const part = await filePart(path, start, Math.min(start + limits.partBytes, size) - 1);
        tags.push(await sendPayload(key, part, {}, { partNumber: String(tags.length + 1), uploadId }));
      }
      const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`);
      const done = await post(
        key,
        `uploadId=${encodeURIComponent(uploadId)}`,
        `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`,
      );
      // A 200 may still contain an error: the status is sent before the parts are put together.
      if (!done.includes('CompleteMultipartUploadResult')) throw faultOfResponse(200, codeOf(done) || 'InternalError');
    } catch (error) {
      await abort(key, uploadId);
      throw error;
    }
  }

  async function abort(key: string, uploadId: string) {
    const response = await send('DELETE', key, { parameters: { uploadId } });
    await response.body.dump();
  }

  async function post(key: string, query: string, payload: string, headers: Record<string, string> = {}): Promise<string> {
    const response = await inTime(
      client.makeRequest({ method: 'POST', objectName: key, query, payload, headers: new Headers(headers), returnBody: true }),
    );
    return inTime(response.text());
  }

  /** The client's own requests have no time limit. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new StorageFault('timeout', 'no response')), limits.silentMs);
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      throw faultOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts the uploads that a crash has left unfinished. Object stores that can't list them end them on their own. */
  async function abortUnfinished(key: string) {
    const listing = await list({ uploads: '', prefix: key }).catch((error) => {
      if (error instanceof StorageFault && ['NotImplemented', 'MethodNotAllowed'].includes(error.detail)) return '';
      throw error;
    });
    for (const upload of elementsIn(listing, 'Upload')) {
      const uploadId = textIn(upload, 'UploadId');
      if (textIn(upload, 'Key') === key && uploadId) await abort(key, uploadId);
    }
  }

  return {
    async put(key, path, size, mime = 'application/octet-stream') {
      const headers = headersOf(mime);
      if (size > limits.singleBytes) await sendParts(key, path, size, headers);
      else await sendPayload(key, await filePart(path, 0, size - 1), headers);
    },

    async putBytes(key, bytes) {
      await sendPayload(key, inMemory(bytes), {});
    },

    async create(key, bytes) {
      try {
        await sendPayload(key, inMemory(bytes), { 'if-none-match': '*' });
      } catch (error) {
        if (!(error instanceof StorageFault)) throw error;
        if (['PreconditionFailed', 'ConditionalRequestConflict'].includes(error.detail)) return false;
        if (error.detail !== 'NotImplemented') throw error;
        await sendPayload(key, inMemory(bytes), {});
      }
      return true;
    },

    async get(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` };
      const response = await send('GET', key, headers && { headers });
      if (response.statusCode === 404) await throwMissing(response, key);
      const { body, headers: received } = await expect(range ? 206 : 200, response);
      body.on('error', () => undefined); // also emitted when there is no reader; readers get it as well
      const size = Number(received['content-length']);
      if (Number.isSafeInteger(size)) return { size, body };
      body.destroy();
      throw new StorageFault('not_s3', 'no Content-Length');
    },

    async has(key) {
      const response = await send('HEAD', key);
      await response.body.dump();
      if (response.statusCode === 404) return false;
      if (response.statusCode === 200) return true;
      throw faultOfResponse(response.statusCode, undefined);
    },

    async delete(key) {
      const response = await send('DELETE', key);
      if (response.statusCode !== 404) await (await expect(204, response)).body.dump();
      else await response.body.dump();
      await abortUnfinished(key);
    },

    async *list(prefix) {
      for (let page: Record<string, string> = {}; ; ) {
        const xml = await list({ 'list-type': '2', prefix, ...page });
        if (!xml.includes('</ListBucketResult>')) throw new StorageFault('not_s3', 'no ListBucketResult');
        for (const object of elementsIn(xml, 'Contents')) yield textIn(object, 'Key') ?? '';
        if (textIn(xml, 'IsTruncated') !== 'true') return;
        const token = textIn(xml, 'NextContinuationToken');
        if (!token) throw new StorageFault('not_s3', 'no NextContinuationToken');
        page = { 'continuation-token': token };
      }
    },

    retire() {
      if (!agent || agent.destroyed) return; // closed already
      void agent.close();
      agent = undefined;
    },

    close: async () => agent?.destroy(),
  };
}

/** SVG can contain scripts, which only this service's responses disable, and the bucket may be public. */
const headersOf = (mime: string): Record<string, string> =>
  mime === 'image/svg+xml' ? { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' } : { 'content-type': mime };

async function throwMissing(response: Dispatcher.ResponseData, key: string): Promise<never> {
  const refusal = await refusalOf(response);
  throw refusal.detail === 'NoSuchKey' ? new BlobMissingError(`${key} is missing in the bucket`) : refusal;
}

/** The fault that a response other than to HEAD means. */
async function refusalOf({ statusCode, body }: Dispatcher.ResponseData): Promise<StorageFault> {
  const text = await readStart(body, ({ length }) => length > MAX_FOREIGN_BYTES);
  return faultOfResponse(statusCode, text === '' ? undefined : codeOf(text));
}

/** Reads a body until that is enough, and drops the rest. */
async function readStart(body: Readable, isEnough: (text: string) => boolean): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk;
      if (isEnough(text)) break;
    }
  } catch (error) {
    throw faultOf(error);
  }
  return text;
}

const inMemory = (bytes: Buffer): Payload => ({
  open: () => bytes,
  length: bytes.length,
  md5: createHash('md5').update(bytes).digest('base64'),
});

async function filePart(path: string, start: number, end: number): Promise<Payload> {
  const open = () => createReadStream(path, { start, end });
  const hash = createHash('md5');
  for await (const chunk of open()) hash.update(chunk as Buffer);
  return { open, length: end - start + 1, md5: hash.digest('base64') };
}

/** Empty unless it is a plain word: codes are shown to admins and logged. */
const codeOf = (xml: string) => /<Code>(\w{1,64})<\/Code>/.exec(xml)?.[1] ?? '';

/** What follows the start of each element of that name, up to the next one. */
const elementsIn = (xml: string, name: string) => xml.split(`<${name}>`).slice(1);

/** The text of the first element of that name. */
function textIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
