import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { addToAlbum } from '#api/albums/pictures.ts';
import { updateImage } from '#api/images/changes.ts';
import { getImage } from '#api/images/images.ts';
import { listTrash } from '#api/images/trash.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';
import { newImage } from './homes.ts';
import { runCli } from './run-cli.ts';
import { accept, html, type Reply, reset, startScriptedService, uploadedImage } from './scripted-service.ts';
import { startWithToken } from './start.ts';

// `list`, `search`, `get` and `delete`.

const { service, owner, env } = await startWithToken('full');
const bea = await addUser(service, 'bea');
const asBea = { ...env, PIXDOCK_TOKEN: await bea.token('full') };
const asGuest = { PIXDOCK_BASE_URL: service.url };

const upload = (name: string, fields: Record<string, string> = {}, token = env.PIXDOCK_TOKEN, bytes = newImage()) =>
  uploadImage(service, token, bytes, fields, name);
const run = (args: string[], as: Record<string, string> = env, home = temporaryFolder()) => runCli(home, args, { env: as });
const lines = (text: string) => text.split('\n').filter(Boolean);
/** What a scripted service says of a picture, and the start of its file. */
const SHARE = { ...uploadedImage(), password_required: false };
const startPicture = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 10 });
const isInTrash = async (key: string) => (await owner.client.call(listTrash, { query: {} })).items.some((item) => item.key === key);

describe('pixdock list and search', () => {
  it('print one’s own pictures, the newest first, with date, size, visibility, link and name', async () => {
    const older = await upload('older.png', { visibility: 'private' });
    const newer = await upload('newer.png');
    await upload('of-bea.png', {}, asBea.PIXDOCK_TOKEN);
    const { stdout, stderr, code } = await run(['list', '--limit', '2']);
    expect(code).toBe(0);
    const [first = '', second = '', ...more] = lines(stdout);
    expect(more).toEqual([]);
    expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d +\d+(\.\d)? (bytes|KB) {2}public {3}http\S+ {2}newer\.png$/);
    expect(first).toContain(newer.links.url);
    expect(second).toContain(`private  ${older.links.url}  older.png`);
    expect(stderr).toBe('');
    expect((await run(['list', '--limit', '0', '--format', 'url'])).stdout).not.toContain('of-bea');
    for (let more = 0; more < 50; more++) await upload(`more-${more}.png`);
    expect(await run(['list'])).toMatchObject({ stderr: 'pixdock: There are more. List them all with --limit 0.\n', code: 0 });
    expect(lines((await run(['list', '--json'])).stdout)).toHaveLength(50);
  });

  it('print what --format, --template and --json ask for', async () => {
    const image = await upload('formats.png', { alt: 'A plan' });
    const search = async (...args: string[]) => (await run(['search', 'formats', '--timeout', '30', '--retries', '0', ...args])).stdout;
    expect(await search('--format', 'markdown')).toBe(`${image.links.markdown}\n`);
    expect(await search('--template', '{key} {name}')).toBe(`${image.key} formats.png\n`);
    expect(JSON.parse(await search('--json'))).toMatchObject({ key: image.key, alt: 'A plan', visibility: 'public' });
    expect(await run(['list', '--json', '--format', 'url'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be used with'),
    });
  });

  it('narrow and order the list', async () => {
    const { id } = await owner.client.call(createAlbum, { body: { name: 'Harbour' } });
    const boat = await upload('zebra-boat.png', { album_id: id, visibility: 'private' });
    const crane = await upload('a-crane.png', { album_id: id });
    const keys = async (...args: string[]) => lines((await run([...args, '--template', '{key}'])).stdout);
    expect(await keys('list', '--album', 'Harbour', '--sort', 'name_asc')).toEqual([crane.key, boat.key]);
    expect(await keys('list', '--album', id, '--visibility', 'private')).toEqual([boat.key]);
    expect(await keys('search', 'zebra', 'BOAT')).toEqual([boat.key]);
    expect(await keys('search', 'harbour', '--type', '.PNG', '--visibility', 'public', '--sort', 'uploaded_asc')).toEqual([crane.key]);
    expect(await keys('search', 'harbour', '--type', 'gif', '--album', 'Harbour', '--limit', '5')).toEqual([]);
    expect(await run(['list', '--album', 'Nowhere'])).toMatchObject({ code: 1, stderr: 'pixdock: There’s no album "Nowhere".\n' });
    expect(await run(['search', 'no such picture'])).toMatchObject({ stdout: '', stderr: 'pixdock: No pictures match.\n', code: 0 });
    expect(await run(['search', ' '])).toMatchObject({ code: 2 });
  });

  it('list the album of another user for its members, and for nobody else', async () => {
    const { id } = await bea.client.call(createAlbum, { body: { name: 'Trip' } });
    const { key } = await upload('of-trip.png', { album_id: id, visibility: 'private' }, asBea.PIXDOCK_TOKEN);
    const list = (...args: string[]) => run(['list', '--album', 'bea/Trip', ...args]);
    expect(await list()).toMatchObject({ stdout: '', code: 1 });
    await bea.client.call(putMember, { params: { id }, body: { username: OWNER.username, role: 'viewer' } });
    expect((await list()).stdout).toMatch(/ {2}by bea {3}http\S+ {2}of-trip\.png\n$/);
    expect(lines((await list('--template', '{key}')).stdout)).toEqual([key]);
    expect(await list('--type', 'png')).toMatchObject({ code: 2 });
  });

  it('need a token with full access', async () => {
    for (const command of [['list'], ['search', 'x']]) {
      const guest = await run(command, asGuest);
      expect(guest).toMatchObject({ stdout: '', code: 1, stderr: expect.stringContaining(`Run \`pixdock login ${service.url}\`.`) });
      const limited = await run([...command, '--base-url', service.url, '--token', await owner.token('upload')], {});
      expect(limited).toMatchObject({ stdout: '', code: 1, stderr: expect.stringContaining('can only upload') });
    }
  });
});

describe('pixdock get', () => {
  it('downloads a picture by its key, custom address or any link, under its name', async () => {
    const bytes = newImage();
    const image = await upload('../plan: 1.png', {}, env.PIXDOCK_TOKEN, bytes);
    await owner.client.call(updateImage, { params: { key: image.key }, body: { slug: 'the-plan' } });
    const local = image.links.share_url.replace('127.0.0.1', 'localhost');
    const names = [
      image.key,
      'the-plan',
      image.links.url,
      local,
      image.links.thumbnail_url,
      `/i/${image.key}.png`,
      `${image.key}.png`,
      `${service.linkAddress}/?picture=${image.key}`,
    ];
    for (const picture of names) {
      const home = temporaryFolder();
      const { stdout, stderr, code } = await run(['get', picture], env, home);
      expect({ stderr, code }, picture).toEqual({ stderr: '', code: 0 });
      const path = stdout.trim();
      expect(path).toMatch(/^[^/]*plan_ 1\.png$/);
      expect((await readFile(join(home, path))).equals(bytes)).toBe(true);
      expect(await readdir(home)).toEqual([path]);
    }
  });

  it('writes to a file, a folder or standard output, and replaces a file only with --force', async () => {
    const [one, two] = [await upload('one.png'), await upload('two.png')];
    const home = temporaryFolder();
    await mkdir(join(home, 'folder'));
    const get = (...args: string[]) => run(['get', ...args, '--timeout', '30', '--retries', '0'], env, home);
    expect((await get(one.key, two.key, '--out', 'folder')).stdout).toBe('folder/one.png\nfolder/two.png\n');
    await writeFile(join(home, 'mine.png'), 'mine');
    const kept = await get(one.key, '--out', 'mine.png');
    expect(kept).toMatchObject({ stdout: '', code: 1, stderr: expect.stringContaining('mine.png exists already. Add --force') });
    expect(await readFile(join(home, 'mine.png'), 'utf8')).toBe('mine');
    const replaced = await get(one.key, '--out', 'mine.png', '--force', '--json');
    expect(JSON.parse(replaced.stdout)).toMatchObject({ key: one.key, path: 'mine.png' });
    expect((await readFile(join(home, 'mine.png'))).length).toBe(one.size);
    expect((await get(one.key, '--out', '-')).stdout).toContain('PNG');
    expect(await get(one.key, two.key, '--out', 'mine.png')).toMatchObject({ code: 2 });
    expect((await readdir(home)).sort()).toEqual(['folder', 'mine.png']);
  });

  it.each([
    ['CON.jpeg', 'picture CON.jpg'],
    [`${'é'.repeat(200)}.jpg`, `${'é'.repeat(125)}.jpg`],
  ])('stores %j under a name that every system takes', async (name, stored) => {
    const home = temporaryFolder();
    await using service = await startScriptedService([
      accept({ ...SHARE, name }),
      (response) => void startPicture(response).end('0123456789'),
    ]);
    expect(await run(['get', SHARE.key], { PIXDOCK_BASE_URL: service.url }, home)).toMatchObject({ stdout: `${stored}\n`, code: 0 });
    expect(await readdir(home)).toEqual([stored]);
  });

  it('tries again when the connection breaks in the middle of a file, and leaves no part of one that fails', async () => {
    const home = temporaryFolder();
    const half: Reply = (response) => void startPicture(response).write('half', () => response.socket?.destroy());
    const whole: Reply = (response) => void startPicture(response).end('half, rest');
    await using service = await startScriptedService([accept(SHARE), half, whole, accept(SHARE), half]);
    const get = (...args: string[]) => run(['get', SHARE.key, ...args], { PIXDOCK_BASE_URL: service.url }, home);
    expect(await get()).toEqual({ stdout: 'cat.jpg\n', stderr: '', code: 0 });
    expect(await readFile(join(home, 'cat.jpg'), 'utf8')).toBe('half, rest');
    const lost = `pixdock: ${SHARE.key}: Could not reach ${service.url}: the connection was lost.\n`;
    expect(await get('--out', 'other.jpg', '--retries', '0')).toEqual({ stdout: '', stderr: lost, code: 1 });
    expect(await readdir(home)).toEqual(['cat.jpg']);
  });

  it('gives up on a server that falls silent in the middle of a file', async () => {
    const home = temporaryFolder();
    await using service = await startScriptedService([accept(SHARE), (response) => void startPicture(response).write('half')]);
    const { stdout, stderr, code } = await run(
      ['get', SHARE.key, '--timeout', '1', '--retries', '0'],
      { PIXDOCK_BASE_URL: service.url },
      home,
    );
    const silent = `pixdock: ${SHARE.key}: Could not reach ${service.url}: nothing arrived for 1 s.\n`;
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: silent, code: 1 });
    expect(await readdir(home)).toEqual([]);
  });

  it('prints no byte twice: it tries again until the first one, and then reports a connection that breaks', async () => {
    let cut = () => undefined as unknown;
    const half: Reply = (response) => {
      cut = () => response.socket?.destroy();
      startPicture(response).write('half');
    };
    await using service = await startScriptedService([accept(SHARE), reset, html(502), half]);
    const { stdout, stderr, code } = await runCli(temporaryFolder(), ['get', SHARE.key, '--out', '-'], {
      env: { PIXDOCK_BASE_URL: service.url },
      onStart: ({ stdout }) => stdout.once('data', () => cut()),
    });
    const lost = `pixdock: ${SHARE.key}: Could not reach ${service.url}: the connection was lost.\n`;
    expect({ stdout, stderr, code }).toEqual({ stdout: 'half', stderr: lost, code: 1 });
    expect(service.seen).toHaveLength(4);
  });

  it('reports that its output is read no further', async () => {
    const endless: Reply = (response) => void response.writeHead(200).write('x'.repeat(2 ** 20));
    await using service = await startScriptedService([accept(SHARE), endless]);
    const { stderr, code } = await runCli(temporaryFolder(), ['get', SHARE.key, '--out', '-'], {
      env: { PIXDOCK_BASE_URL: service.url },
      onStart: ({ stdout }) => stdout.once('data', () => stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))),
    });
    expect({ stderr, code }).toEqual({ stderr: `pixdock: ${SHARE.key}: the program that reads the output has ended\n`, code: 1 });
  });

  it('doesn’t take a slow reader of its output for a server that is silent', async () => {
    const bytes = 'x'.repeat(2 ** 20);
    await using service = await startScriptedService([
      accept(SHARE),
      (response) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
    ]);
    const home = temporaryFolder();
    let read = 0;
    const { stderr, code } = await runCli(home, ['get', SHARE.key, '--out', '-', '--timeout', '1'], {
      env: { PIXDOCK_BASE_URL: service.url },
      onStart: ({ stdout }) => {
        stdout.on('data', (chunk: Buffer) => {
          if (read === 0) setTimeout(() => stdout.resume(), 1500);
          if (read === 0) stdout.pause();
          read += chunk.length;
        });
      },
    });
    expect({ stderr, code, read }).toEqual({ stderr: '', code: 0, read: bytes.length });
  });

  it('shows what a picture is with --info', async () => {
    const image = await upload('info.png');
    expect((await run(['get', image.key, '--info'])).stdout).toContain(`Link      ${image.links.url}\n`);
    expect(JSON.parse((await run(['get', image.key, '--info', '--json'])).stdout)).toMatchObject({ key: image.key, name: 'info.png' });
  });

  it('opens what the caller may open: others’ public pictures, none that are private, and protected ones with their password', async () => {
    const [open, hidden] = [await upload('open.png'), await upload('hidden.png', { visibility: 'private' })];
    const locked = await upload('locked.png', { access_password: 'sésame' });
    const home = temporaryFolder();
    await writeFile(join(home, 'secret.txt'), 'sésame\n');
    for (const as of [asBea, asGuest]) {
      expect(await run(['get', open.key, '--out', '-'], as)).toMatchObject({ code: 0 });
      expect(await run(['get', hidden.key], as)).toMatchObject({ stdout: '', code: 1, stderr: expect.stringContaining(`${hidden.key}: `) });
      expect(await run(['get', locked.key], as)).toMatchObject({
        stdout: '',
        code: 1,
        stderr: expect.stringContaining('Add --password-file'),
      });
      expect(await run(['get', locked.key, '--password', 'wrong'], as)).toMatchObject({ stdout: '', code: 1 });
      expect(await run(['get', locked.key, '--password-file', 'secret.txt', '--force'], as, home)).toMatchObject({
        stdout: 'locked.png\n',
        code: 0,
      });
    }
    expect(await run(['get', hidden.key])).toMatchObject({ stdout: 'hidden.png\n', code: 0 });
    expect(await run(['get', open.key, '--base-url', service.url, '--token', await owner.token('upload')], {})).toMatchObject({ code: 0 });
  });
});

describe('pixdock delete', () => {
  it('moves pictures to the trash, by key, custom address and link, each once', async () => {
    const [one, two, three] = [await upload('1.png'), await upload('2.png'), await upload('3.png')];
    await owner.client.call(updateImage, { params: { key: two.key }, body: { slug: 'second' } });
    const { stdout, stderr, code } = await run(['delete', one.key, 'second', two.links.share_url, three.links.url]);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: 'pixdock: Moved 3 pictures to the trash.\n', code: 0 });
    for (const { key } of [one, two, three]) expect(await isInTrash(key)).toBe(true);
  });

  it('prints JSON, and reports each picture that it can’t delete', async () => {
    const image = await upload('json.png');
    const { stdout, stderr, code } = await run(['delete', 'aaaaaaaaaaaa', image.key, '--json', '--timeout', '30', '--retries', '0']);
    expect(JSON.parse(stdout)).toEqual({ key: image.key, deleted: true });
    expect(stderr).toMatch(/^pixdock: aaaaaaaaaaaa: .*\npixdock: Moved 1 picture to the trash\.\n$/);
    expect(code).toBe(1);
  });

  it('deletes nothing for another user, a guest or a token that can only upload', async () => {
    const image = await upload('kept.png');
    for (const as of [asBea, asGuest, { ...asGuest, PIXDOCK_TOKEN: await owner.token('upload') }])
      for (const name of [image.key, image.links.url]) expect(await run(['delete', name], as)).toMatchObject({ stdout: '', code: 1 });
    const given = await run(['delete', image.key, '--base-url', service.url, '--token', String(asBea.PIXDOCK_TOKEN)]);
    expect(given.code).toBe(1);
    expect((await owner.client.call(getImage, { params: { key: image.key } })).deleted_at).toBeNull();
  });
});

describe('a link to another server', () => {
  it.each(['get', 'delete'])('is refused by pixdock %s before anything else happens, and that server learns nothing', async (command) => {
    const image = await upload('safe.png');
    await using other = await startScriptedService([accept()]);
    const home = temporaryFolder();
    for (const link of [
      `${other.url}/i/${image.key}.png`,
      `https://other.example/s/${image.key}`,
      'http://other.example/?picture=aaaaaaaaaaaa',
    ]) {
      const { stdout, stderr, code } = await run([command, image.key, link], env, home);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toContain(`${link} is on another server. This command uses ${service.url}`);
    }
    expect(other.seen).toEqual([]);
    expect(await readdir(home)).toEqual([]);
    expect(await isInTrash(image.key)).toBe(false);
  });

  it('may start with the address of the links, if that isn’t the one that is used', async () => {
    await owner.client.call('PATCH /admin/settings', { body: { base_url: 'https://pics.example.org' } });
    const image = await upload('base.png');
    expect(image.links.url).toMatch(/^https:\/\/pics\.example\.org\//);
    expect(await run(['get', image.links.url])).toMatchObject({ stdout: 'base.png\n', code: 0 });
    await owner.client.call('PATCH /admin/settings', { body: { base_url: '' } });
  });

  it.each(['', 'x', 'no_address', 'https://pics.example.org/albums/aaaaaaaaaa', 'album', 'floor-plan.png', '../etc/passwd'])(
    '%j names no picture',
    async (text) => {
      const { stdout, stderr, code } = await run(['get', text]);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toContain('isn’t a picture');
    },
  );
});

it('pictures of an album can be found, downloaded and deleted in one line each', async () => {
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Pipeline' } });
  const image = await upload('pipeline.png');
  await owner.client.call(addToAlbum, { params: { id }, body: { keys: [image.key] } });
  const keys = lines((await run(['list', '--album', 'Pipeline', '--template', '{key}'])).stdout);
  expect(await run(['get', ...keys])).toMatchObject({ stdout: 'pipeline.png\n', code: 0 });
  expect(await run(['delete', ...keys])).toMatchObject({ code: 0 });
});
