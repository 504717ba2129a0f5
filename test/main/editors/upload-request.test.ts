import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { formReader, readUploadRequest } from '#main/editors/upload-request.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** Sends a form of one part; returns what an editor uploads by it, with the bytes of its files, or the message of a refusal. */
async function send(head: string, { boundary = 'X1', parameter, end }: { boundary?: string; parameter?: string; end?: string } = {}) {
  const folder = temporaryFolder();
  const storeFiles = await formReader(folder);
  const server = createServer(async (incoming, response) => {
    const wanted = await readUploadRequest(incoming, storeFiles).catch((error: Error) => ({ message: error.message }));
    if (!('kind' in wanted)) return response.end(JSON.stringify({ ...wanted, left: await readdir(folder) }));
    const files = wanted.kind === 'files' ? wanted.files : [];
    const read = await Promise.all(files.map(async ({ path, name }) => [name, await readFile(path, 'latin1')]));
    response.end(JSON.stringify(read));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    agent: false,
    headers: { 'content-type': `multipart/form-data; ${parameter ?? `boundary=${boundary}`}` },
  });
  sent.end(Buffer.from(`--${boundary}\r\n${head}\r\n\r\nbytes\r\n${end ?? `--${boundary}--\r\n`}`, 'latin1'));
  const [response] = await once(sent, 'response');
  return JSON.parse(await text(response));
}

test.each([
  ['quoted filename*', `Content-Disposition: form-data; name="list"; filename*="UTF-8''%E5%8A%B3.jpg"`, '劳.jpg'],
  ['name with spaces and no quotes', 'Content-Disposition: form-data; name="list"; filename=my photo.jpg', 'my photo.jpg'],
  ['semicolon at the end', 'Content-Disposition: form-data; name="list"; filename="a.jpg";', 'a.jpg'],
  ['filename* in another charset', `Content-Disposition: form-data; name="list"; filename*=GBK''%C4%E3.jpg`, '你.jpg'],
  ['picture without a file name', 'Content-Disposition: form-data; name="any"\r\nContent-Type: image/jpeg', 'picture'],
])('a form from an editor may have a %s', async (_name, head, name) => {
  expect(await send(head)).toEqual([[name, 'bytes']]);
});

test.each(['-XrQ/dc2', '===1===', 'a b'])('a form from an editor may have the boundary %s without quotes', async (boundary) => {
  expect(await send('Content-Disposition: form-data; name="list"; filename="a.jpg"', { boundary })).toEqual([['a.jpg', 'bytes']]);
});

test.each([
  ['The form has no file.', 'Content-Disposition: form-data; name="list"', {}],
  ['Part 1 of the form has no name.', 'Content-Disposition: form-data; filename="a.jpg"', {}],
  ['The form’s Content-Type names no boundary. Let your program’s HTTP library set this header.', '', { parameter: '' }],
  [
    'Part 1 of the form breaks off: the last boundary, “--X1--”, is missing.',
    'Content-Disposition: form-data; name="a"; filename="a.jpg"',
    { end: '' },
  ],
])('a form from an editor is refused with what is wrong, and leaves nothing behind: %s', async (message, head, options) => {
  expect(await send(head, options)).toEqual({ message, left: [] });
});
