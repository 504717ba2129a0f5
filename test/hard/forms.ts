import { connect } from 'node:net';
import type { Random } from './random.ts';

/** A request for uploading, byte for byte. */
export interface RawForm {
  bytes: Buffer;
  /** The client stops before the end of what it announced: the service may close the connection without a response. */
  isCut: boolean;
}

const NAMES = [
  'x.jpg',
  '',
  'a'.repeat(5000),
  '../../x.png',
  'x\\..\\y.gif',
  '"; filename="y.png',
  '截图.webp',
  '\u0000.jpg',
  'CON',
  '‮gnp.exe',
  "x'%00.avif",
];
const FIELDS = [
  'visibility',
  'expires_in',
  'max_views',
  'access_password',
  'album_id',
  'policy_id',
  'name',
  'title',
  'taken_at',
  'tags',
  'permission',
  '__proto__',
  'file',
  '',
];
const VALUES = [
  '',
  'private',
  'public',
  '0',
  '-1',
  '1',
  '3600',
  '1e9',
  'NaN',
  '99999999999999999999',
  '2026-01-02T03:04:05Z',
  'a,b,,c',
  '[]',
  '\u0000',
  '<b>',
  '𝕏'.repeat(400),
];
const TYPES = [
  'image/jpeg',
  'image/svg+xml',
  'text/html',
  '',
  'application/octet-stream; charset=x',
  'multipart/mixed; boundary=y',
  'a/b\tc',
];

/** A form with a picture, plain half of the time. */
export function formOf(random: Random, picture: Buffer, token: string): RawForm {
  const boundary = random.chance(0.9) ? `b${random.below(1e9)}` : random.pick(['"', '-'.repeat(70), 'a b', 'x'.repeat(300)]);
  const odd = random.chance(0.5);
  const parts = [filePart(random, picture, odd)];
  for (let left = odd && random.chance(0.3) ? random.below(4) : 0; left > 0; left--) {
    const field = Buffer.concat([head(`form-data; name="${random.pick(FIELDS)}"`), Buffer.from(random.pick(VALUES))]);
    if (random.chance(0.5)) parts.push(field);
    else parts.unshift(field);
  }
  if (odd && random.chance(0.1)) parts.push(filePart(random, picture, true));
  const line = Buffer.from(`--${boundary}\r\n`);
  const end = odd && random.chance(0.2) ? Buffer.alloc(0) : Buffer.from(`--${boundary}--\r\n`);
  const body = Buffer.concat([...parts.flatMap((part) => [line, part, Buffer.from('\r\n')]), end]);
  const type =
    odd && random.chance(0.1)
      ? random.pick(['', 'text/plain', 'multipart/form-data', 'application/json'])
      : `multipart/form-data; boundary=${boundary}`;
  return framed(random, body, type, token, odd);
}

const head = (disposition: string, more = '') => Buffer.from(`Content-Disposition: ${disposition}\r\n${more}\r\n`);

function filePart(random: Random, picture: Buffer, odd: boolean): Buffer {
  if (!odd) return Buffer.concat([head('form-data; name="file"; filename="x.jpg"', 'Content-Type: image/jpeg\r\n'), picture]);
  const disposition = random.pick([
    `form-data; name="file"; filename="${random.pick(NAMES)}"`,
    `form-data; name="file"; filename*=UTF-8''%E6%88%AA%ff.png`,
    'form-data; name="file"',
    'form-data; filename="x.jpg"',
    'form-data; name="other"; filename="x.jpg"',
    'attachment',
  ]);
  const more = [
    `Content-Type: ${random.pick(TYPES)}\r\n`,
    'Content-Transfer-Encoding: base64\r\n',
    `X-Long: ${'y'.repeat(random.below(30_000))}\r\n`,
  ];
  return Buffer.concat([head(disposition, random.chance(0.7) ? random.pick(more) : ''), picture]);
}

/** The request around a body: with the right length, a wrong one, in chunks, or cut off. */
function framed(random: Random, body: Buffer, type: string, token: string, odd: boolean): RawForm {
  const start = `POST /api/v1/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n${type && `Content-Type: ${type}\r\n`}`;
  const whole = (headers: string, sent: Buffer, isCut = false) => ({
    bytes: Buffer.concat([Buffer.from(`${start}${headers}\r\n`), sent]),
    isCut,
  });
  const cut = body.subarray(0, random.below(body.length));
  switch (odd ? random.below(8) : 7) {
    case 0:
      return whole(`Content-Length: ${body.length}\r\n`, cut, true);
    case 1:
      return whole(`Content-Length: ${body.length + 1 + random.below(1000)}\r\n`, body, true);
    case 2:
      return whole(`Content-Length: ${random.below(body.length)}\r\n`, body);
    case 3:
      return whole('Transfer-Encoding: chunked\r\n', chunked(random, body));
    case 4:
      return whole('Transfer-Encoding: chunked\r\n', chunked(random, body).subarray(0, random.below(body.length)), true);
    case 5:
      return whole('Transfer-Encoding: chunked\r\n', cut, true);
    default:
      return whole(`Content-Length: ${body.length}\r\n`, body);
  }
}

function chunked(random: Random, body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const length = 1 + random.below(Math.min(16_384, body.length - at));
    chunks.push(Buffer.from(`${length.toString(16)}\r\n`), body.subarray(at, at + length), Buffer.from('\r\n'));
    at += length;
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** A response, or undefined if the service closed the connection without one. Rejects after the time limit. */
export function sendRaw(url: string, { bytes, isCut }: RawForm, limitMs: number): Promise<{ status: number; body: string } | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => (isCut ? socket.end(bytes) : socket.write(bytes)));
    const limit = setTimeout(() => {
      reject(new Error(`no response within ${limitMs} ms`));
      socket.destroy();
    }, limitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A service that has responded need not read the rest.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(limit);
      resolve(parsed(Buffer.concat(chunks).toString('latin1')));
    });
  });
}

/** The first response: bytes after a too short length are a second request, which gets its own. */
function parsed(text: string): { status: number; body: string } | undefined {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const end = text.indexOf('\r\n\r\n');
  if (!status || end === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end)) ?? [];
  const body = text.slice(end + 4).slice(0, length === undefined ? undefined : Number(length));
  return { status: Number(status), body: Buffer.from(body, 'latin1').toString('utf8') };
}
