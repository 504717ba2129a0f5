import { PassThrough, Readable } from 'node:stream';
import multer from 'multer';
import { describe, expect, it } from 'vitest';
import { readMultipart } from '#server/platform/http/multipart.ts';

const LIMITS = { fileSize: 1024 * 1024, fields: 10, files: 10, parts: 20 };
const BOUNDARY = 'aab/a=';

/** Reads a form that arrives in these pieces. */
async function read(pieces: Iterable<Buffer>) {
  const request = Object.assign(Readable.from(pieces), { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } });
  const { fields, files } = await readMultipart(request, { storage: multer.memoryStorage(), limits: LIMITS, fileField: 'file' });
  return { fields, files: files.map(({ fieldname, originalname, buffer }) => [fieldname, originalname, buffer.toString('latin1')]) };
}

const split = (form: Buffer, size: number) =>
  Array.from({ length: Math.ceil(form.length / size) }, (_, index) => form.subarray(index * size, (index + 1) * size));

/** Contents that resemble delimiters, as far as a client may send them. */
const CONTENTS = [
  '',
  '\r',
  '\n',
  '\r\n',
  '\r\n-',
  '\r\n--',
  '\r\n--a',
  '\r\n--aab/a',
  '\n--aab/a=x',
  '\r\n--aab/a=\t x',
  '--aab/a=',
  '\r\r\n',
  'a\r\n\r\nb\r',
  '\x00\xff',
];

function formOf(contents: readonly string[], end: '\r\n' | '\n'): Buffer {
  const parts = contents.map((content, index) =>
    ['', `Content-Disposition: form-data; name="file"; filename=${index} a.png;`, '', content].join(end),
  );
  return Buffer.from(`--${BOUNDARY}${parts.join(`${end}--${BOUNDARY}`)}${end}--${BOUNDARY}--`, 'latin1');
}

describe.each([
  ['CR LF', '\r\n'],
  ['LF', '\n'],
] as const)('a form whose lines end with %s', (_name, end) => {
  it.each([1, 2, 3, 5, 7, 11, 64, 100_000])('has the same parts if it arrives in pieces of %i bytes', async (size) => {
    for (let first = 0; first < CONTENTS.length; first += 7) {
      const contents = CONTENTS.slice(first, first + 7);
      const { files } = await read(split(formOf(contents, end), size));
      expect(files).toEqual(contents.map((content, index) => ['file', `${index} a.png`, content]));
    }
  });
});

it('decodes a text whose characters arrive in pieces', async () => {
  const part = 'Content-Disposition: form-data; name=title\r\nContent-Type: text/plain; charset=Shift_JIS\r\n\r\n\x8e\xca\x90\x5e\x8e';
  const form = Buffer.from(`--${BOUNDARY}\r\n${part}\r\n--${BOUNDARY}--`, 'latin1');
  for (const size of [1, 2, 3, 1000]) expect((await read(split(form, size))).fields).toEqual({ title: '写真\ufffd' });
});

it('stops reading a form of too many parts', async () => {
  const request = Object.assign(new PassThrough(), { headers: { 'content-type': 'multipart/form-data; boundary=B' } });
  const reading = readMultipart(request, { storage: multer.memoryStorage(), limits: LIMITS });
  // The client continues sending: the refusal must not wait for the end.
  for (const parameters of ['', '; filename=a'])
    request.write(`--B\r\nContent-Disposition: form-data; name=a${parameters}\r\n\r\n\r\n`.repeat(10));
  request.write('--B\r\n');
  await expect(reading).rejects.toThrow('The form has more than 20 parts.');
});

it('holds back a client that sends faster than its file is stored', async () => {
  const request = Object.assign(new PassThrough(), { headers: { 'content-type': 'multipart/form-data; boundary=B' } });
  const { promise: started, resolve: start } = Promise.withResolvers<Readable>();
  const storage: multer.StorageEngine = {
    _handleFile: (_request, { stream }, done) => {
      stream.on('end', () => done(null, {}));
      start(stream);
    },
    _removeFile: (_request, _file, done) => done(null),
  };
  const reading = readMultipart(request, { storage, limits: { ...LIMITS, fileSize: 10 ** 9 } });
  request.write('--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
  // Until nobody reads any more, what has been taken fills the buffers in between.
  let sent = 0;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let needsDrain = false; !needsDrain && sent < 100; needsDrain = request.writableNeedDrain) {
    request.write(Buffer.alloc(64 * 1024));
    sent += 1;
    for (let turns = 0; turns < 10 && request.writableNeedDrain; turns++) await turn();
  }
  expect(sent).toBeLessThan(20);
  const file = await started;
  file.resume();
  request.end('\r\n--B--\r\n');
  expect((await reading).files).toHaveLength(1);
});

it('refuses a form whose sender disappears, and one that disappeared before', async () => {
  const options = { storage: multer.memoryStorage(), limits: LIMITS };
  const request = Object.assign(new PassThrough(), { headers: { 'content-type': 'multipart/form-data; boundary=B' } });
  const reading = readMultipart(request, options);
  request.write('--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nxx');
  request.destroy();
  await expect(reading).rejects.toThrow('The upload was interrupted.');
  await expect(readMultipart(request, options)).rejects.toThrow('The upload was interrupted.');
});

it('takes linear time for forms that are slow to search', async () => {
  const forms = ['a', '\n', '\r', '\r\n--aab/a', '\n--aab/a=x', '\n-', 'aab/a='].map((text) => {
    const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    return Buffer.from(`${start}${text.repeat(900_000 / text.length)}\r\n--${BOUNDARY}--`);
  });
  for (const form of forms) {
    const before = process.cpuUsage();
    await read(split(form, 64 * 1024));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(400);
  }
});
