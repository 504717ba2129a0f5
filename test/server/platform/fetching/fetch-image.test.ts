import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createAddressRules, type Resolve } from '#server/platform/fetching/addresses.ts';
import { fetchImage } from '#server/platform/fetching/fetch-image.ts';
import { openStaging } from '#server/platform/storage/staging.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** A second address of this machine; macOS has only one IPv4 loopback address. */
const INSIDE = process.platform === 'darwin' ? ({ address: '::1', family: 6 } as const) : ({ address: '127.0.0.2', family: 4 } as const);

const LIMITS = { maxBytes: 1000, maxDecodedBytes: 2000, timeoutMs: 5000, maxRedirects: 3 };

/** Fetches an image and returns its name and content; the staging folder must be empty afterwards. */
async function fetched(
  url: string,
  { allow = ['127.0.0.1'], resolve, limits = LIMITS }: { allow?: string[]; resolve?: Resolve; limits?: typeof LIMITS } = {},
) {
  const staging = openStaging(temporaryFolder());
  const options = { rules: createAddressRules(allow), staging, limits, ...(resolve && { resolve }) };
  try {
    await using file = await fetchImage(url, options);
    return { name: file.name, size: file.size, text: readFileSync(file.path, 'utf8') };
  } finally {
    expect(readdirSync(staging.folder)).toEqual([]);
  }
}

const says =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.end(text);
const redirectsTo =
  (location: () => string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location: location() }).end();

describe('fetching from the web', () => {
  it('returns the bytes and the name from the address', async () => {
    await using server = await startWebServer(says('a picture'));
    expect(await fetched(`${server.url}/folder/caf%C3%A9.jpg?x=1`)).toEqual({ name: 'café.jpg', size: 9, text: 'a picture' });
    expect(server.requests[0]?.headers).not.toHaveProperty('cookie');
  });

  it('rejects this machine without connecting, unless it is on the allow list', async () => {
    await using server = await startWebServer(says('secret'));
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '0.0.0.0']) {
      await expect(fetched(`http://${host}:${server.port}/`, { allow: [] })).rejects.toMatchObject({ code: 'url_not_allowed' });
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/x.png',
    'data:image/png;base64,AAAA',
    'http://user:secret@127.0.0.1/',
    'picture.png',
    'http://',
  ])('rejects %s', async (url) => {
    await expect(fetched(url)).rejects.toMatchObject({ code: 'url_not_allowed' });
  });

  it('follows redirects', async () => {
    await using target = await startWebServer(says('moved'));
    await using first = await startWebServer(redirectsTo(() => `${target.url}/here.png`));
    expect(await fetched(first.url)).toMatchObject({ name: 'here.png', text: 'moved' });
  });

  it.each(['http://169.254.169.254/latest/meta-data/', 'http://[::1]:1/', 'http://127.0.0.2:1/', 'file:///etc/passwd', '//10.0.0.1/x'])(
    'rejects a redirect to %s',
    async (location) => {
      await using server = await startWebServer(redirectsTo(() => location));
      await expect(fetched(server.url)).rejects.toMatchObject({ code: 'url_not_allowed' });
    },
  );

  it('stops at a redirect loop', async () => {
    await using server = await startWebServer(redirectsTo(() => '/again'));
    await expect(fetched(server.url)).rejects.toMatchObject({ code: 'url_unreachable' });
    expect(server.requests).toHaveLength(1 + LIMITS.maxRedirects);
  });

  it("isn't fooled by a name that resolves differently between check and connection, or between redirects", async () => {
    await using inside = await startWebServer(says('secret'), { host: INSIDE.address });
    const outsideHandler: RequestListener = (request, response) =>
      request.url === '/moves' ? void response.writeHead(302, { location: '/secret' }).end() : void response.end('harmless');
    await using outside = await startWebServer(outsideHandler, { port: inside.port });
    let lookups = 0;
    const rebinding: Resolve = async () => [++lookups === 1 ? { address: '127.0.0.1', family: 4 } : INSIDE];

    const url = `http://rebinding.example:${outside.port}`;
    expect(await fetched(`${url}/picture.png`, { resolve: rebinding })).toMatchObject({ text: 'harmless' });
    expect(lookups).toBe(1);

    lookups = 0;
    await expect(fetched(`${url}/moves`, { resolve: rebinding })).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(inside.requests).toEqual([]);
  });

  it('rejects a response whose declared size is too large before reading it', async () => {
    await using server = await startWebServer(
      (_request, response) => void response.writeHead(200, { 'content-length': 5_000_000 }).write('x'),
    );
    await expect(fetched(server.url)).rejects.toMatchObject({
      code: 'file_too_large',
      message: 'The file is larger than 1 KB. Choose a smaller one.',
      details: { max_bytes: 1000 },
    });
  });

  it('stops reading an endless response', async () => {
    await using server = await startWebServer((_request, response) => {
      const more = () => {
        while (response.write('x'.repeat(400)));
      };
      response.on('drain', more);
      more();
    });
    await expect(fetched(server.url)).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('times out', async () => {
    await using server = await startWebServer((_request, response) => void response.writeHead(200).write('slow'));
    await expect(fetched(server.url, { limits: { ...LIMITS, timeoutMs: 200 } })).rejects.toMatchObject({ code: 'url_unreachable' });
  });

  it('reports when the other server refuses, disconnects or is unreachable', async () => {
    await using refusing = await startWebServer((_request, response) => void response.writeHead(403).end('no'));
    await expect(fetched(refusing.url)).rejects.toThrow(/status 403/);
    await using breaking = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    await expect(fetched(breaking.url)).rejects.toMatchObject({ code: 'url_unreachable' });
    const gone = await startWebServer(says(''));
    await gone[Symbol.asyncDispose]();
    await expect(fetched(gone.url)).rejects.toMatchObject({ code: 'url_unreachable' });
  });

  it.each([
    ['its name', 'attachment; filename="Holiday 2026.jpg"', 'Holiday 2026.jpg'],
    ['the name in UTF-8 before the other', `inline; filename="b.jpg"; filename*=UTF-8''%E5%8E%A8%E6%88%BF.jpg`, '厨房.jpg'],
    ['the name in ISO-8859-1', `attachment; filename*=iso-8859-1'en'%A3.jpg`, '£.jpg'],
    ['the name in raw UTF-8', Buffer.from('attachment; filename="厨房.jpg"').toString('latin1'), '厨房.jpg'],
    ['the name without quotes', 'attachment; filename=my photo.jpg', 'my photo.jpg'],
    ['the name with escapes', 'attachment; filename="a \\"b\\".jpg"', 'a "b".jpg'],
    ['the name from the address for an empty one', 'attachment; filename=" "', 'address.jpg'],
    ['the name from the address for a header without one', 'attachment', 'address.jpg'],
    ['the name from the address for a header that can’t be read', ';;=;"', 'address.jpg'],
  ])('takes from Content-Disposition %s', async (_name, disposition, expected) => {
    await using server = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-disposition': disposition }).end('a picture');
    });
    expect(await fetched(`${server.url}/address.jpg`)).toMatchObject({ name: expected, text: 'a picture' });
  });

  describe('from a server that compresses although it isn’t asked to', () => {
    const sending =
      (encoding: string, bytes: Uint8Array): RequestListener =>
      (_request, response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    const ENCODINGS: [string, (bytes: Buffer) => Buffer][] = [
      ['gzip', gzipSync],
      ['X-GZIP', gzipSync],
      ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ['deflate', deflateSync],
      [' Deflate ', deflateRawSync],
      ['zstd', zstdCompressSync],
    ];

    it.each(ENCODINGS)('decodes %s', async (encoding, compress) => {
      await using server = await startWebServer(sending(encoding, compress(Buffer.from('a picture'))));
      expect(await fetched(`${server.url}/a.svg`)).toEqual({ name: 'a.svg', size: 9, text: 'a picture' });
      expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
    });

    it.each(['identity', 'none', 'utf-8', 'binary', 'aws-chunked', '', 'identity, none'])(
      'takes %j for no compression',
      async (encoding) => {
        await using server = await startWebServer(sending(encoding, Buffer.from('a picture')));
        expect(await fetched(server.url)).toMatchObject({ text: 'a picture' });
      },
    );

    it.each(ENCODINGS)('stops at the limit of %s, in little memory', async (encoding, compress) => {
      const bomb = compress(Buffer.alloc(200 * 1024 * 1024));
      await using server = await startWebServer(sending(encoding, bomb));
      const before = process.memoryUsage.rss();
      const limits = { ...LIMITS, maxBytes: 1024 * 1024 };
      await expect(fetched(server.url, { limits })).rejects.toMatchObject({ code: 'file_too_large', details: { max_bytes: 1024 * 1024 } });
      // Whoever may store files of any size gets no bombs either.
      await expect(fetched(server.url, { limits: { ...LIMITS, maxBytes: 0 } })).rejects.toMatchObject({
        code: 'file_too_large',
        details: { max_bytes: 2000 },
      });
      expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024);
    });

    it('counts what is compressed, too, if it contains nothing', async () => {
      const empty = gzipSync(Buffer.alloc(0));
      await using server = await startWebServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(Buffer.concat(Array(200).fill(empty)));
      });
      await expect(fetched(server.url)).rejects.toMatchObject({ code: 'file_too_large' });
    });

    it.each(['compress', 'dcb', 'exi', 'gzip, br', 'GZIP, gzip'])('says that %s isn’t known', async (encoding) => {
      await using server = await startWebServer(sending(encoding, Buffer.from('a picture')));
      await expect(fetched(server.url)).rejects.toMatchObject({
        code: 'url_unreachable',
        message: `127.0.0.1:${server.port} compresses the picture in a way that can’t be decoded (${encoding.toLowerCase()}).`,
      });
    });

    it.each(ENCODINGS)('says that %s is damaged', async (encoding, compress) => {
      const whole = compress(Buffer.from('a picture '.repeat(50)));
      for (const bytes of [whole.subarray(0, -4), Buffer.from('this is no compressed data'), Buffer.alloc(0)]) {
        await using server = await startWebServer(sending(encoding, bytes));
        await expect(fetched(server.url)).rejects.toMatchObject({
          code: 'url_unreachable',
          message: `127.0.0.1:${server.port} sent compressed data that is damaged.`,
        });
      }
    });

    it('reports when it disconnects', async () => {
      await using server = await startWebServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 500 });
        response.write(gzipSync(Buffer.from('a picture')).subarray(0, 12), () => response.destroy());
      });
      await expect(fetched(server.url)).rejects.toThrow(/connection was lost/);
    });
  });
});
