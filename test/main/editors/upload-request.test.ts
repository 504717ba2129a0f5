import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import { formReader, readUploadRequest } from '#main/editors/upload-request.ts';
import { createEditorUploads } from '#main/editors/uploads.ts';
import type { Item } from '#main/journal/item.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
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

/** What an editor uploads that sends this list. */
async function pathsOf(list: unknown) {
  const request = Object.assign(Readable.from([Buffer.from(JSON.stringify({ list }))]), { headers: {} });
  const read = await readUploadRequest(request as unknown as IncomingMessage, () => Promise.reject(new Error('there is no form')));
  return read.kind === 'paths' ? read.paths : [];
}

/** A folder with a name that editors encode, and files in it. */
async function folderWith(...names: string[]) {
  const folder = join(realpathSync(temporaryFolder()), '新建 文件夹');
  await mkdir(folder);
  for (const name of names) await writeFile(join(folder, name), '');
  return folder;
}

describe('a path that an editor has taken from a document', () => {
  it.each(['截图 1.png', '100% sure?.png', 'a#b.png', 'café.png', 'a+b.png'])('is decoded: %s', async (name) => {
    const folder = await folderWith(name);
    const path = join(folder, name);
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const list = [
      path,
      encoded,
      pathToFileURL(path).href,
      `${encoded}?lastModify=1583680946`,
      ...(/[?#%]/.test(name) ? [] : [encodeURI(path)]),
    ];
    expect(await pathsOf(list)).toEqual(list.map(() => path));
  });

  it('is the one as given, if there is such a file, and stays as it is if there is none at all', async () => {
    const folder = await folderWith('a%20b.png', 'a b.png', 'c d.png');
    const names = ['a%20b.png', 'a b.png', 'c%20d.png', 'missing%20e.png'];
    expect(await pathsOf(names.map((name) => join(folder, name)))).toEqual(
      ['a%20b.png', 'a b.png', 'c d.png', 'missing%20e.png'].map((name) => join(folder, name)),
    );
  });

  it('is found in another normal form of Unicode', async () => {
    const folder = await folderWith('cafe\u0301.png');
    expect(await pathsOf([join(folder, 'caf\u00e9.png'), encodeURI(join(folder, 'caf\u00e9.png'))])).toEqual([
      join(folder, 'cafe\u0301.png'),
      join(folder, 'cafe\u0301.png'),
    ]);
  });

  it.each([['relative.png'], ['a%20b.png'], ['https://example.org/a.png'], ['file://server/share/a.png'], [7]])(
    'is refused: %s',
    async (path) => {
      await expect(pathsOf([path])).rejects.toThrow(InvalidRequestError);
    },
  );
});

/** The fields of what has been queued. */
const sent: unknown[] = [];

/** Uploads for editors, through an uploader that succeeds with this image. */
function editorUploads(image: Uploaded, isPaused = false) {
  const item = { id: '1', name: 'cat.jpg', state: 'done' } as Item;
  const unused = () => {
    throw new Error('not needed here');
  };
  return createEditorUploads({
    uploader: {
      send: (items) => {
        sent.push(...items.map(({ fields }) => fields));
        return [Promise.resolve({ item, image, isLast: true })];
      },
      summary: () => ({ isPaused }),
      change: () => undefined,
      onChange: () => () => undefined,
    },
    spool: {
      keep: unused,
      adopt: unused,
      newFile: unused,
      begin: unused,
      remove: unused,
      posterOf: unused,
      keepPoster: unused,
      clean: unused,
    },
    clipboard: { read: unused },
    account: { access: async () => ({ url: 'http://127.0.0.1:1', headers: {} }) },
    takesVideos: async () => false,
    preferences: () => ({ editorVisibility: 'public', editorConvert: 'webp', editorAlbums: ['one', 'two'] }),
    describe: ({ message }) => message,
  });
}

const imageUrl = async (image: Uploaded) => {
  const [result] = await editorUploads(image).upload({ kind: 'paths', paths: ['/cat.jpg'] });
  return result?.imgUrl;
};

test('returns the direct link of a picture, which goes into the albums for editors, in their format', async () => {
  const image = uploadedImage();
  expect(await imageUrl(image)).toBe(image.links.url);
  expect(sent.at(-1)).toEqual({ visibility: 'public', convert: 'webp', albums: 'one,two' });
});

test("returns the share page of a view-limited picture, so that the editor's previews spend no views", async () => {
  const image = { ...uploadedImage(), max_views: 3 };
  expect(await imageUrl(image)).toBe(image.links.share_url);
});

test('refuses at once while uploads are paused, and queues nothing', async () => {
  const refused = editorUploads(uploadedImage(), true).upload({ kind: 'paths', paths: ['/cat.jpg'] });
  await expect(refused).rejects.toMatchObject({ text: 'uploadsArePaused' });
});
