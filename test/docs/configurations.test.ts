import { describe, expect, it } from 'vitest';
import { getImage } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { codeBlocks, fillIn, guideNames, readGuide } from './guides.ts';

// These programs aren't packages: the tests read their configurations from the guides and send what the programs' sources would send.

type Json = Record<string, unknown>;

const { service, owner } = await startFileService();
const token = await owner.token('full');

/** A guide's configuration, with the test's address and token. */
const configuration = (guide: string, index = 0) => JSON.parse(fillIn(codeBlocks(guide, 'json')[index] ?? '', service.url, token));

const follow = (value: unknown, path: (string | number)[]) =>
  path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value) as string;

const image = async (seed: number) => new Blob([new Uint8Array(await photoJpeg({ seed }))]);

interface Sent {
  method: string;
  headers: Record<string, string>;
  /** The name of the form part with the file. */
  part: string;
  fields?: Record<string, string>;
}

async function send(url: string, { method, headers, part, fields = {} }: Sent, file: Blob, name = '截图 été.jpg') {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append(part, file, name);
  const response = await fetch(url, { method, headers, body });
  return { status: response.status, json: await response.json() };
}

async function expectUploaded(link: string, expected: Json = { name: '截图 été.jpg', visibility: 'public' }) {
  expect((await fetch(link)).headers.get('content-type')).toBe('image/jpeg');
  const key = /\/i\/(\w{12})\./.exec(link)?.[1] ?? '';
  expect(await owner.client.call(getImage, { params: { key } })).toMatchObject(expected);
}

describe('sharex.md', () => {
  it('extracts its three links, and the reason for a rejection', async () => {
    const uploader = configuration('sharex.md');
    const { RequestURL, RequestMethod: method, Headers: headers, FileFormName: part } = uploader;
    const { json } = await send(RequestURL, { method, headers, part }, await image(5));
    const read = (template: string, from: unknown) => follow(from, (/^\{json:(.*)\}$/.exec(template)?.[1] ?? '').split('.'));
    for (const template of [uploader.URL, uploader.ThumbnailURL, uploader.DeletionURL]) {
      const target = read(template, json);
      expect(target).toMatch(/^http/);
      expect((await fetch(target)).status).toBe(200);
    }
    const refused = await send(RequestURL, { method, part, headers: { ...headers, Authorization: 'Bearer pxd_no' } }, await image(5));
    expect(read(uploader.ErrorMessage, refused.json)).toMatch(/\w+/);
  });
});

describe('piclist.md', () => {
  /** The request of PicList's uploader `lskyplist`. */
  const lsky = ({ token: authorization, permission }: { token: string; permission: number }): Sent => ({
    method: 'POST',
    headers: { Accept: 'application/json', 'User-Agent': 'PicList', Authorization: authorization },
    part: 'file',
    fields: { ssl: 'true', permission: String(permission) },
  });

  it("Lsky: uploads, deletes its upload, and gets the reason when a file isn't a picture", async () => {
    const { picBed } = configuration('piclist.md');
    const settings = picBed[picBed.uploader];
    expect({ uploader: picBed.uploader, version: settings.version }).toEqual({ uploader: 'lskyplist', version: 'V2' });
    const { json } = await send(`${settings.host}/api/v1/upload`, lsky(settings), await image(11));
    expect(json.status).toBe(true);
    await expectUploaded(json.data.links.url);
    const { method, headers } = { ...lsky(settings), method: 'DELETE' };
    const deleted = await fetch(`${settings.host}/api/v1/images/${json.data.key}`, { method, headers });
    expect({ status: deleted.status, body: (await deleted.json()).status }).toEqual({ status: 200, body: true });
    expect((await fetch(json.data.links.url)).status).toBe(404);
    const refused = await send(`${settings.host}/api/v1/upload`, lsky(settings), new Blob(['no picture']));
    expect(refused.json).toMatchObject({ status: false, message: expect.stringMatching(/\w+/) });
  });

  it('Lsky: uploads privately if configured', async () => {
    const settings = { ...configuration('piclist.md').picBed.lskyplist, permission: 0 };
    const { json } = await send(`${settings.host}/api/v1/upload`, lsky(settings), await image(12));
    expect(await owner.client.call(getImage, { params: { key: json.data.key } })).toMatchObject({ visibility: 'private' });
  });

  it("Advanced: uploads, and finds no link if a file isn't a picture", async () => {
    const { picBed } = configuration('piclist.md', 1);
    expect(picBed.uploader).toBe('advancedplist');
    const { endpoint, method, formDataKey: part, headers, body, resDataPath } = picBed.advancedplist;
    // Misspelt by PicList, so it means nothing: the form's own header counts.
    const own = { contentType: 'multipart/form-data', 'User-Agent': 'PicList' };
    const sent = { method, part, headers: { ...own, ...JSON.parse(headers) }, fields: JSON.parse(body) };
    const { json } = await send(endpoint, sent, await image(13));
    await expectUploaded(follow(json, resDataPath.split('.')));
    const refused = await send(endpoint, sent, new Blob(['no picture']));
    expect(follow(refused.json, resDataPath.split('.'))).toBeUndefined();
  });
});

describe('upic.md', () => {
  it('has a file that uPic can import and that uploads', async () => {
    const [host, ...others] = (configuration('upic.md') as string[]).map((text) => JSON.parse(text));
    expect({ type: host.type, others }).toEqual({ type: 'custom', others: [] });
    const { url, method, field: part, headers, resultPath, useBase64, domain, suffix } = JSON.parse(host.data);
    expect({ useBase64, domain, suffix }).toEqual({ useBase64: false, domain: '', suffix: '' });
    const pairs = (JSON.parse(headers) as { key: string; value: string }[]).map(({ key, value }) => [key.toLowerCase(), value]);
    const { 'content-type': type, ...rest } = Object.fromEntries(pairs);
    // uPic sends a form only if this header says so, and then replaces it with one that has the form's boundary.
    expect(type).toContain('form-data');
    const { json } = await send(url, { method, part, headers: rest }, await image(21));
    await expectUploaded(follow(json, JSON.parse(resultPath)));
  });

  it('gives the same settings for manual entry as in the file', () => {
    const { headers, resultPath, url, field } = JSON.parse(JSON.parse(configuration('upic.md')[0]).data);
    const rows = fillIn(readGuide('upic.md'), service.url, token).split('\n');
    const row = (label: string) => rows.find((line) => line.startsWith(`| ${label}`)) ?? '';
    expect(row('API URL')).toContain(url);
    expect(row('File Field')).toContain(`\`${field}\``);
    expect(JSON.parse(/`(\[.*\])`/.exec(row('URL Path'))?.[1] ?? 'null')).toEqual(JSON.parse(resultPath));
    for (const { key, value } of JSON.parse(headers)) expect(rows.join('\n')).toContain(`\`${key}\`: \`${value}\``);
  });
});

describe('all guides', () => {
  it('name only existing parts of a response', async () => {
    const sent = { method: 'POST', headers: { Authorization: `Bearer ${token}` }, part: 'file' };
    const { json } = await send(`${service.url}/api/v1/upload`, sent, await image(6));
    const paths = guideNames().flatMap((name) => readGuide(name).match(/data\.links\.\w+/g) ?? []);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) expect(follow(json, path.split('.')), path).toMatch(/\S/);
  });
});
