import { hash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { createAlbum, getAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { KNOWN_EXTS } from '#api/formats.ts';
import { updateImage } from '#api/images/changes.ts';
import { getImage, listImages } from '#api/images/images.ts';
import { newImage } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { startWithToken } from '#test/cli/start.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { swap } from '#test/helpers/programs/swap.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { OWNER } from '#test/helpers/service/service.ts';

const { service, owner, env } = await startWithToken('full');

/** What the tools return; each has some of it. */
interface Data {
  key: string;
  id: string;
  links: Record<string, string>;
  pictures: object[];
  albums: object[];
}
type Answer = { error: string } | { error?: undefined; data: Data };

/** A session of the official client with `pixdock mcp`, whose folder has a picture. */
async function session({ folders = true, token, args = [] }: { folders?: boolean; token?: string; args?: string[] } = {}) {
  const home = temporaryFolder();
  const folder = join(home, 'shots');
  await mkdir(join(folder, 'sub'), { recursive: true });
  await writeFile(join(folder, 'sub/a.png'), newImage());
  await writeFile(join(home, 'secret.png'), newImage());
  await symlink(join(home, 'secret.png'), join(folder, 'link.png'));
  await symlink(join(folder, 'sub/a.png'), join(folder, 'inside.png'));
  await symlink(home, join(folder, 'away'), 'junction');
  await symlink(join(home, 'missing.png'), join(folder, 'lost.png'));
  await symlink('/net/server.example/share', join(folder, 'remote'), 'junction');
  const client = new Client({ name: 'test', version: '1' });
  const started = Promise.withResolvers<Transport>();
  const ended = runCli(home, ['mcp', ...(folders ? ['--folder', folder] : []), ...args], {
    env: { ...env, ...(token && { PIXDOCK_TOKEN: token }) },
    stdin: null,
    onStart: ({ stdin, stdout }) => started.resolve(transportOver(stdout, stdin)),
  });
  await client.connect(await started.promise);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Answer> => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [answer] = content;
    const text = answer?.type === 'text' ? answer.text : '';
    return isError ? { error: text } : { data: JSON.parse(text) };
  };
  const dataOf = async (name: string, input?: Record<string, unknown>) => {
    const answer = await call(name, input);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.data;
  };
  const close = async () => {
    await client.close();
    await ended;
  };
  return { client, call, dataOf, home, folder, [Symbol.asyncDispose]: close };
}

/** Speaks to a server that runs in this process, as the client's own transport does to a program. */
function transportOver(input: Readable, output: Writable): Transport {
  const transport: Transport = {
    start: async () => {
      createInterface({ input }).on('line', (line) => transport.onmessage?.(JSON.parse(line)));
    },
    send: async (message) => void output.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      output.end();
      transport.onclose?.();
    },
  };
  return transport;
}

describe('pixdock mcp', () => {
  it('lists its tools: none deletes', async () => {
    await using mcp = await session();
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['upload_picture', false],
      ['search_pictures', true],
      ['get_links', true],
      ['replace_picture', false],
      ['list_albums', true],
      ['create_album', false],
      ['add_to_album', false],
    ]);
    expect(tools.every(({ annotations }) => annotations?.destructiveHint === false)).toBe(true);
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', properties: { visibility: { enum: ['private', 'public'] } } });
  });

  it('uploads a file privately, finds it, replaces it, and puts it into an album', async () => {
    await using mcp = await session();
    const album = await mcp.dataOf('create_album', { name: 'Assistant' });
    const { key, links } = await mcp.dataOf('upload_picture', {
      path: 'sub/a.png',
      title: 'Harbour at dawn',
      alt: 'Boats',
      albums: ['Assistant'],
    });
    const image = await owner.client.call(getImage, { params: { key } });
    expect(image).toMatchObject({ visibility: 'private', title: 'Harbour at dawn', alt: 'Boats', albums: [album.id] });
    expect(links).toMatchObject({ url: image.links.url, markdown: image.links.markdown, share_page: image.links.share_url });
    expect(links.html_responsive).toContain('<picture>');
    expect((await mcp.dataOf('search_pictures', { query: 'harbour' })).pictures).toEqual([expect.objectContaining({ key, alt: 'Boats' })]);
    await owner.client.call(updateImage, { params: { key }, body: { slug: 'dawn' } });
    for (const picture of [key, 'dawn', links.url, links.share_page]) expect((await mcp.dataOf('get_links', { picture })).key).toBe(key);
    for (const picture of [`https://other.example/i/${key}.png`, 'no picture'])
      expect((await mcp.call('get_links', { picture })).error).toMatch(/is on another server|isn’t a picture/);

    await writeFile(join(mcp.folder, 'b.png'), newImage());
    expect((await mcp.dataOf('replace_picture', { picture: key, path: join(mcp.folder, 'b.png') })).key).toBe(key);
    const other = await mcp.dataOf('upload_picture', { path: 'inside.png', visibility: 'public' });
    expect((await owner.client.call(getImage, { params: { key: other.key } })).visibility).toBe('public');
    await mcp.dataOf('add_to_album', { album: album.id, pictures: [other.key] });
    expect((await owner.client.call(getAlbum, { params: { id: album.id } })).image_count).toBe(2);
    expect((await mcp.dataOf('list_albums')).albums).toEqual([
      { id: album.id, name: 'Assistant', owner: OWNER.username, role: 'owner', image_count: 2, visibility: 'private', member_count: 0 },
    ]);
  });

  it('shows others nothing without an argument that says so, and says whose each album is', async () => {
    const mara = await addUser(service, 'mara');
    const { id: theirs } = await mara.client.call(createAlbum, { body: { name: 'Contracts' } });
    await mara.client.call(putMember, { params: { id: theirs }, body: { username: OWNER.username, role: 'contributor' } });
    const open = async (name: string, visibility: 'public' | 'private') =>
      (await owner.client.call(createAlbum, { body: { name, visibility } })).id;
    const [published, joined, own] = [await open('Published', 'public'), await open('Joined', 'private'), await open('Own', 'private')];
    await owner.client.call(putMember, { params: { id: joined }, body: { username: 'mara', role: 'viewer' } });
    await using mcp = await session();
    const upload = async (more: Record<string, unknown> = {}) => {
      await writeFile(join(mcp.folder, 'new.png'), newImage());
      return mcp.call('upload_picture', { path: 'new.png', ...more });
    };
    const keyOf = (answer: Answer) => (answer.error === undefined ? answer.data.key : expect.fail(answer.error));

    expect((await mcp.dataOf('list_albums')).albums).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: theirs, owner: 'mara', role: 'contributor' }),
        expect.objectContaining({ id: joined, owner: OWNER.username, role: 'owner', member_count: 1 }),
      ]),
    );
    expect((await mcp.call('add_to_album', { album: 'Contracts', pictures: [keyOf(await upload())], open_to_others: true })).error).toBe(
      'You have no album "Contracts". For the one that is shared with you, write "mara/Contracts".',
    );
    const key = keyOf(await upload({ albums: ['Own'] }));
    const opened = { 'mara/Contracts': theirs, [theirs]: theirs, Published: published, Joined: joined };
    for (const [album, id] of Object.entries(opened)) {
      const isAsked = expect.stringContaining('Ask the user. If they agree, repeat this with open_to_others: true.');
      expect(await mcp.call('add_to_album', { album, pictures: [key] })).toEqual({ error: isAsked });
      expect(await upload({ albums: ['Own', album] })).toEqual({ error: isAsked });
      expect((await owner.client.call(getImage, { params: { key } })).albums).not.toContain(id);
    }
    expect((await mcp.call('add_to_album', { album: 'mara/Contracts', pictures: [key] })).error).toContain('belongs to mara, who can see');

    // A public picture, and one in an album that others can open.
    const isPublic = keyOf(await upload({ visibility: 'public' }));
    const isShared = keyOf(await upload({ albums: ['Joined'], open_to_others: true }));
    for (const shown of [isPublic, isShared]) {
      const before = await owner.client.call(getImage, { params: { key: shown } });
      await writeFile(join(mcp.folder, 'other.png'), newImage());
      expect((await mcp.call('replace_picture', { picture: shown, path: 'other.png' })).error).toContain('open_to_others: true');
      expect((await owner.client.call(getImage, { params: { key: shown } })).sha256).toBe(before.sha256);
      await mcp.dataOf('replace_picture', { picture: shown, path: 'other.png', open_to_others: true });
      expect((await owner.client.call(getImage, { params: { key: shown } })).sha256).not.toBe(before.sha256);
    }
    await mcp.dataOf('add_to_album', { album: 'mara/Contracts', pictures: [key], open_to_others: true });
    expect((await mara.client.call(getAlbum, { params: { id: theirs } })).image_count).toBe(1);

    // The user's usual album is used while nobody else can open it.
    const usual = (album_id: string | null) => owner.client.call('PATCH /user/preferences', { body: { album_id } });
    const albumsOf = async (answer: Answer) => (await owner.client.call(getImage, { params: { key: keyOf(answer) } })).albums;
    await usual(own);
    expect(await albumsOf(await upload())).toEqual([own]);
    await usual(joined);
    expect(await albumsOf(await upload())).toEqual([]);
    expect(await albumsOf(await upload({ open_to_others: true }))).toEqual([joined]);
    await usual(null);
  });

  it('uploads a video, or says that the group may not', async () => {
    await using mcp = await session();
    const send = async (name: string, as: string) => {
      await writeFile(join(mcp.folder, as), videoFixture(name));
      return mcp.call('upload_picture', { path: as });
    };
    for (const [name, as] of [
      ['h264-aac.mov', 'a.MOV'],
      ['fragmented.mp4', 'b.mp4'],
      ['vp9-opus.webm', 'c.webm'],
    ] as const)
      expect(await send(name, as)).toMatchObject({ data: { links: { html: expect.stringContaining('<video') } } });
    await owner.client.call(changeGroup, { params: { id: '1' }, body: { allowed_exts: ['png'] } });
    expect(await send('two-videos.mp4', 'd.mp4')).toEqual({ error: 'MP4 videos aren’t allowed here. Allowed formats: png.' });
    await owner.client.call(changeGroup, { params: { id: '1' }, body: { allowed_exts: KNOWN_EXTS } });
  });

  it('uploads from an address, which the server fetches', async () => {
    const picture = newImage();
    await using web = await startWebServer((_request, response) => void response.end(picture));
    await owner.client.call('PATCH /admin/settings', { body: { fetch_allowed_hosts: ['127.0.0.1'] } });
    await using mcp = await session();
    const { key } = await mcp.dataOf('upload_picture', { url: `${web.url}/pic.png`, slug: 'from-the-web', convert: 'webp' });
    expect(await owner.client.call(getImage, { params: { key } })).toMatchObject({
      visibility: 'private',
      slug: 'from-the-web',
      ext: 'webp',
    });
    const second = { path: 'sub/a.png', slug: 'from-the-web', convert: 'jpeg' };
    expect(await mcp.call('upload_picture', second)).toMatchObject({ error: expect.stringContaining('“from-the-web”') });
    const numbered = await mcp.dataOf('upload_picture', { ...second, slug_or: 'number' });
    expect(await owner.client.call(getImage, { params: { key: numbered.key } })).toMatchObject({ slug: 'from-the-web-2', ext: 'jpg' });
    expect(await mcp.call('upload_picture', { url: `${web.url}/pic.png`, path: 'sub/a.png' })).toEqual({
      error: 'Give either path or url.',
    });
    expect(await mcp.call('upload_picture', {})).toEqual({ error: 'Give either path or url.' });
  });

  it('reads nothing outside its folders, and says nothing about it', async () => {
    const before = (await owner.client.call(listImages, { query: {} })).items.length;
    await using mcp = await session();
    const answers: string[] = [];
    for (const path of [
      'link.png',
      '../secret.png',
      join(mcp.home, 'secret.png'),
      join(mcp.home, 'missing.png'),
      'away/secret.png',
      'away/missing.png',
      'lost.png',
      'remote/a.png',
      '/etc/passwd',
      mcp.folder,
    ]) {
      const { error = '' } = await mcp.call('upload_picture', { path });
      answers.push(error.replace(path, 'PATH').replace(mcp.folder, 'FOLDER'));
    }
    expect(new Set(answers)).toEqual(new Set(['PATH isn’t in a folder that may be read. There are: FOLDER.']));
    expect(await mcp.call('upload_picture', { path: 'missing.png' })).toEqual({ error: 'There’s no file missing.png.' });
    expect(await mcp.call('upload_picture', { path: 'sub' })).toEqual({ error: 'sub isn’t a file.' });
    expect((await owner.client.call(listImages, { query: {} })).items.length).toBe(before);
  });

  it('uploads nothing outside its folders while a file or a folder becomes a link and back', async () => {
    await using mcp = await session();
    const secret = newImage();
    await mkdir(join(mcp.home, 'private'));
    for (const name of ['a.png', 'b.png']) await writeFile(join(mcp.home, 'private', name), secret);
    await mkdir(join(mcp.folder, 'swapped'));
    for (const name of ['swapped/a.png', 'b.png']) await writeFile(join(mcp.folder, name), newImage());
    await swap(join(mcp.folder, 'swapped'), join(mcp.home, 'private'));
    await swap(join(mcp.folder, 'b.png'), join(mcp.home, 'private/b.png'));
    for (let call = 0; call < 150; call++) await mcp.call('upload_picture', { path: call % 2 ? 'swapped/a.png' : 'b.png' });
    const { items } = await owner.client.call(listImages, { query: { limit: 200 } });
    expect(items.map(({ sha256 }) => sha256)).not.toContain(hash('sha256', secret));
  });

  it('reads no file at all without a folder', async () => {
    await using mcp = await session({ folders: false });
    expect(await mcp.call('upload_picture', { path: 'shots/sub/a.png' })).toEqual({
      error: 'No files can be read: start `pixdock mcp` with --folder and the folder that has the pictures.',
    });
  });

  it('passes the server’s refusals on as sentences, and works on', async () => {
    await using mcp = await session({ token: await owner.token('upload') });
    expect((await mcp.call('search_pictures')).error).toMatch(/^[A-Z].+[.?]/);
    expect((await mcp.call('get_links', { picture: 'AAAAAAAAAAAA' })).error).toMatch(/^[A-Z].+[.?]/);
    expect((await mcp.dataOf('upload_picture', { path: 'sub/a.png' })).key).toMatch(/^\w{12}$/);
  });

  it('tells the assistant that the server can’t be reached, as patiently as it was asked to be', async () => {
    await using silent = await startWebServer(() => undefined);
    await using slow = await session({ args: ['--base-url', silent.url, '--timeout', '1', '--retries', '0'] });
    expect((await slow.call('upload_picture', { path: 'sub/a.png' })).error).toMatch(/^[A-Z].+[.?]/);
    expect(silent.requests).toHaveLength(1);
  });

  it('reports a folder that doesn’t exist, and ends with its input', async () => {
    const home = temporaryFolder();
    expect(await runCli(home, ['mcp', '--folder', 'nowhere'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere isn’t a folder.'),
    });
    expect(await runCli(home, ['mcp'], { env, stdin: '' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
