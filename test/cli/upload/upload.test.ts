import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { createAlbum, getAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { KNOWN_EXTS } from '#api/formats.ts';
import { getImage } from '#api/images/images.ts';
import { type Uploaded, uploaded } from '#api/images/upload.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { startWithToken } from '#test/cli/start.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { OWNER } from '#test/helpers/service/service.ts';

const { service, owner, env } = await startWithToken('upload');

/** A home with pictures that no other test uploads. */
async function homeWithImages(...names: string[]) {
  const home = temporaryFolder();
  for (const name of names)
    await writeFile(join(home, name), await photoJpeg({ seed: Math.floor(Math.random() * 1e6), width: 64, height: 48 }));
  return home;
}

const upload = (home: string, ...args: string[]) => runCli(home, ['upload', ...args], { env });
const lines = (text: string) => text.trimEnd().split('\n');
const parse = (text: string) => JSON.parse(text) as Uploaded;

/** The note about a file that was uploaded before, on standard error. */
const REPEATED = 'pixdock: cat.jpg: already uploaded.\n';

describe('pixdock upload', () => {
  it('prints one working direct link per file, in order', async () => {
    const home = await homeWithImages('b.jpg', 'a.jpg', 'c.jpg');
    const { stdout, stderr, code } = await upload(home, 'c.jpg', 'a.jpg', 'b.jpg');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const keys = lines(stdout).map((url) => /\/i\/(\w{12})\.jpg$/.exec(url)?.[1] ?? '');
    const names = await Promise.all(keys.map(async (key) => (await owner.client.call(getImage, { params: { key } })).name));
    expect(names).toEqual(['c.jpg', 'a.jpg', 'b.jpg']);
    for (const url of lines(stdout)) expect((await fetch(url)).headers.get('content-type')).toBe('image/jpeg');
  });

  it('finds a file whose path an editor has encoded', async () => {
    const home = await homeWithImages('雨 1.jpg');
    const { stdout, stderr, code } = await upload(home, encodeURI(join(home, '雨 1.jpg')), '--format', 'json');
    expect({ stderr, code, name: parse(stdout).name }).toEqual({ stderr: '', code: 0, name: '雨 1.jpg' });
  });

  it('uploads videos, or says that the group may not', async () => {
    const home = await homeWithImages();
    for (const [name, as] of [
      ['h264-aac.mov', 'a.MOV'],
      ['fragmented.mp4', 'b.mp4'],
      ['vp9-opus.webm', 'c.webm'],
    ] as const)
      await writeFile(join(home, as), videoFixture(name));
    const { stdout, stderr, code } = await upload(home, 'a.MOV', 'b.mp4', 'c.webm');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(lines(stdout).map((url) => url.split('.').at(-1))).toEqual(['mp4', 'mp4', 'webm']);
    const allowing = (allowed_exts: typeof KNOWN_EXTS) => owner.client.call(changeGroup, { params: { id: '1' }, body: { allowed_exts } });
    await allowing(['jpg']);
    await writeFile(join(home, 'd.mp4'), videoFixture('two-videos.mp4'));
    expect(await upload(home, 'd.mp4')).toMatchObject({
      stderr: expect.stringContaining('d.mp4: MP4 videos aren’t allowed here. Allowed formats: jpg.'),
      code: 1,
    });
    await allowing(KNOWN_EXTS);
  });

  it.each(['url', 'markdown', 'html', 'bbcode'] as const)('prints %s', async (format) => {
    const home = await homeWithImages('cat.jpg');
    const json = parse((await upload(home, 'cat.jpg', '--format', 'json')).stdout);
    const { stdout, stderr, code } = await upload(home, 'cat.jpg', '--format', format);
    expect({ stdout, stderr, code }).toEqual({ stdout: `${json.links[format]}\n`, stderr: REPEATED, code: 0 });
  });

  it('stores another format, under an address of its own, and another one if that is taken', async () => {
    const home = await homeWithImages('a.jpg', 'b.jpg', 'c.jpg');
    const send = (file: string, ...args: string[]) => upload(home, file, '--convert', 'webp', '--slug', 'Floor-Plan', ...args);
    expect((await send('a.jpg')).stdout).toMatch(/\/i\/floor-plan\.webp\n$/);
    expect((await send('b.jpg', '--slug-or', 'number')).stdout).toMatch(/\/i\/floor-plan-2\.webp\n$/);
    const taken = await send('c.jpg');
    expect(taken).toMatchObject({ stdout: '', code: 1 });
    expect(taken.stderr).toContain('Another picture uses the address “floor-plan”, or did until recently. Choose a different one.');
    const several = await upload(home, 'a.jpg', 'b.jpg', '--slug', 'plans');
    expect(several).toMatchObject({ stdout: '', code: 2 });
    expect(several.stderr).toContain('--slug works with a single picture only.');
    expect(await upload(home, 'a.jpg', '--slug-or', 'random')).toMatchObject({ stdout: '', code: 2 });
    expect(await upload(home, 'a.jpg', '--convert', 'heic')).toMatchObject({ stdout: '', code: 2 });
  });

  it('prints the text of a template on one line per picture', async () => {
    const home = await homeWithImages('cat.jpg');
    const { key, width, links } = parse((await upload(home, 'cat.jpg', '--format', 'json')).stdout);
    const args = ['upload', 'cat.jpg', '--template', '{key}\n{{{width} {name} {url}'];
    const full = { ...env, PIXDOCK_TOKEN: await owner.token('full') };
    const { stdout, stderr, code } = await runCli(home, args, { env: full });
    expect({ stdout, stderr, code }).toEqual({ stdout: `${key} {${width} cat.jpg ${links.url}\n`, stderr: REPEATED, code: 0 });
    // A token that may only upload learns nothing about a picture that exists.
    expect((await runCli(home, args, { env })).stdout).toBe(`${key} { cat.jpg ${links.url}\n`);
  });

  it('prints the share page of a view-limited picture, whose direct link would spend views', async () => {
    const home = await homeWithImages('cat.jpg');
    const limited = await upload(home, 'cat.jpg', '--max-views', '3', '--format', 'url');
    expect(limited).toMatchObject({ stdout: expect.stringMatching(/\/s\/\w{12}\n$/), stderr: '', code: 0 });
    const page = await fetch(limited.stdout.trim());
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const key = limited.stdout.trim().slice(-12);
    expect(await owner.client.call(getImage, { params: { key } })).toMatchObject({ max_views: 3, views_left: 3 });
  });

  it.each([
    ['markdown', /^\[.*\]\(\S+\/s\/\w{12}\)\n$/],
    ['html', /^<a href="\S+\/s\/\w{12}">.*<\/a>\n$/],
    ['bbcode', /^\[url\]\S+\/s\/\w{12}\[\/url\]\n$/],
  ])('prints %s of a view-limited picture as the service writes it', async (format, expected) => {
    const home = await homeWithImages('cat.jpg');
    expect((await upload(home, 'cat.jpg', '--max-views', '3', '--format', format)).stdout).toMatch(expected);
  });

  it('prints the data of a view-limited picture unchanged', async () => {
    const home = await homeWithImages('cat.jpg');
    const { links } = parse((await upload(home, 'cat.jpg', '--max-views', '3', '--format', 'json')).stdout);
    expect(links.url).toMatch(/\/i\/\w{12}\.jpg$/);
  });

  it("prints the response's data as one line of JSON per file", async () => {
    const home = await homeWithImages('a.jpg', 'b.jpg');
    const { stdout, code } = await upload(home, 'a.jpg', 'b.jpg', '--format=json');
    expect(code).toBe(0);
    expect(lines(stdout).map((line) => uploaded.parse(JSON.parse(line)).name)).toEqual(['a.jpg', 'b.jpg']);
  });

  it.each([
    [4711, ['-']],
    [4712, []],
  ])('reads standard input (%i, %j)', async (seed, args) => {
    const stdin = await photoJpeg({ seed });
    const home = temporaryFolder();
    const { stdout, stderr, code } = await runCli(home, ['upload', ...args, '--format', 'json', '--name', 'über "uns"\n.jpg'], {
      env,
      stdin,
    });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(parse(stdout).name).toMatch(/^über/);
    expect(await readdir(home)).toEqual([]);
  });

  it('reads standard input between files, in its place', async () => {
    const home = await homeWithImages('a.jpg', 'b.jpg');
    const stdin = await readFile(join(home, 'b.jpg'));
    const { stdout } = await runCli(home, ['upload', 'a.jpg', '-', '--format', 'json'], { env, stdin });
    expect(lines(stdout).map((line) => parse(line).name)).toEqual(['a.jpg', 'stdin']);
  });

  it('reports empty standard input', async () => {
    const { stdout, stderr, code } = await runCli(temporaryFolder(), ['upload', '-'], { env, stdin: '' });
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: 'pixdock: -: the input is empty; the command before the pipe may have failed\n',
      code: 1,
    });
  });

  it('continues after a file that fails, and reports what failed and why', async () => {
    const home = await homeWithImages('good.jpg', 'secret.jpg');
    await writeFile(join(home, 'text.jpg'), 'no picture at all');
    await mkdir(join(home, 'folder'));
    await symlink('/nowhere', join(home, 'broken'));
    const { stdout, stderr, code } = await upload(home, 'text.jpg', 'missing.jpg', 'folder', 'broken', 'good.jpg');
    expect(code).toBe(1);
    expect(lines(stdout)).toHaveLength(1);
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/^pixdock: text\.jpg: .*\w/),
      'pixdock: missing.jpg: no such file',
      'pixdock: folder: is a folder; use `pixdock import-dir` for folders',
      'pixdock: broken: no such file',
    ]);
  });

  it.runIf(process.getuid?.() !== 0)('reports a file without read permission', async () => {
    const home = await homeWithImages('secret.jpg');
    await chmod(join(home, 'secret.jpg'), 0);
    expect((await upload(home, 'secret.jpg')).stderr).toBe('pixdock: secret.jpg: permission denied\n');
  });

  it('accepts any name: other scripts, quotes, line breaks, a leading dash', async () => {
    const names = ['貓 咪.jpg', 'a"b%20.jpg', 'two\nlines.jpg', '-dash.jpg'];
    const home = await homeWithImages(...names);
    const { stdout, stderr, code } = await upload(home, '--format', 'json', '--', ...names);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const stored = lines(stdout).map((line) => parse(line).name);
    expect(stored[0]).toBe('貓 咪.jpg');
    expect(stored[1]).toContain('a"b%20');
    expect(stored[3]).toBe('-dash.jpg');
  });

  it('prints an error about an odd name on one line', async () => {
    const { stderr } = await upload(temporaryFolder(), 'two\nlines\u001b[31m.jpg');
    expect(stderr).toBe('pixdock: two\\nlines\\u{1b}[31m.jpg: no such file\n');
  });

  it('sends visibility, expiry, view limit and password', async () => {
    const home = await homeWithImages('cat.jpg');
    await writeFile(join(home, 'password.txt'), 'sesame\nsecond line\n');
    const options = [
      '--visibility',
      'private',
      '--expires-in',
      '2h',
      '--max-views',
      '3',
      '--password-file',
      'password.txt',
      '--format',
      'json',
    ];
    const { stdout, stderr, code } = await upload(home, 'cat.jpg', ...options);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const data = parse(stdout);
    expect(data).toMatchObject({ visibility: 'private', max_views: 3, has_password: true });
    expect(Date.parse(data.expires_at ?? '') - Date.now()).toBeGreaterThan(7_100_000);
    expect(stdout).not.toContain('sesame');
  });

  it('sends a title, a caption and an alternative text, which Markdown and HTML links use', async () => {
    const texts = ['--title', 'Harbour', '--caption', 'Two boats', '--alt', 'Boats at "dawn"'];
    const first = await upload(await homeWithImages('cat.jpg'), 'cat.jpg', ...texts, '--format', 'json');
    expect({ stderr: first.stderr, code: first.code }).toEqual({ stderr: '', code: 0 });
    expect(parse(first.stdout)).toMatchObject({ title: 'Harbour', caption: 'Two boats', alt: 'Boats at "dawn"' });
    const second = await upload(await homeWithImages('dog.jpg'), 'dog.jpg', ...texts, '--format', 'html');
    expect(second.stdout).toContain('alt="Boats at &quot;dawn&quot;"');
    const { code, stderr } = await upload(await homeWithImages('cow.jpg'), 'cow.jpg', '--title', 'x'.repeat(201));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('at most 200 characters') });
  });

  it('adds pictures to an album by its ID, even if another one has the same name, and to several', async () => {
    const full = { PIXDOCK_TOKEN: await owner.token('full') };
    const twins = [];
    for (const name of ['Twins', 'Twins']) twins.push(await owner.client.call(createAlbum, { body: { name } }));
    for (const { id } of twins) {
      const home = await homeWithImages('cat.jpg');
      const args = ['upload', 'cat.jpg', '--album', id, '--format', 'json'];
      const { stdout, stderr } = await runCli(home, args, { env: { ...env, ...full } });
      expect(stderr).toBe('');
      expect(parse(stdout).album_id).toBe(id);
    }
    const both = twins.flatMap(({ id }) => ['--album', id]);
    const home = await homeWithImages('dog.jpg');
    const { stdout } = await runCli(home, ['upload', 'dog.jpg', ...both, '--format', 'json'], { env: { ...env, ...full } });
    expect(parse(stdout).albums).toEqual(twins.map(({ id }) => id));
  });

  it('puts pictures into an album of another user only by id or `owner/name`, and says whose it is', async () => {
    const mara = await addUser(service, 'mara');
    const share = async (name: string, role: 'viewer' | 'contributor') => {
      const { id } = await mara.client.call(createAlbum, { body: { name } });
      await mara.client.call(putMember, { params: { id }, body: { username: OWNER.username, role } });
      return id;
    };
    const [contracts] = [await share('Contracts', 'contributor'), await share('Only to see', 'viewer')];
    const full = { ...env, PIXDOCK_TOKEN: await owner.token('full') };
    const home = await homeWithImages('cat.jpg', 'dog.jpg', 'cow.jpg');
    const sendTo = (album: string, file = 'cat.jpg') =>
      runCli(home, ['upload', file, '--album', album, '--visibility', 'private', '--format', 'json'], { env: full });

    expect(await sendTo('Contracts')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'pixdock: You have no album "Contracts". For the one that is shared with you, write "mara/Contracts".\n',
    });
    for (const unknown of ['Only to see', 'mara/Only to see', 'mara/Other', `${OWNER.username}/Contracts`, 'x/Contracts'])
      expect((await sendTo(unknown)).stderr).toContain(`There’s no album ${JSON.stringify(unknown)}.`);
    expect((await mara.client.call(getAlbum, { params: { id: contracts } })).image_count).toBe(0);

    const notice = 'pixdock: The album “Contracts” belongs to mara. Everyone with whom it is shared can see what you put into it.\n';
    for (const [name, file] of [
      ['mara/Contracts', 'cat.jpg'],
      [contracts, 'dog.jpg'],
    ] as const) {
      const { stdout, stderr } = await sendTo(name, file);
      expect([parse(stdout).albums, stderr]).toEqual([[contracts], notice]);
    }
    const own = await owner.client.call(createAlbum, { body: { name: 'Contracts' } });
    const { stdout, stderr } = await sendTo('Contracts', 'cow.jpg');
    expect([parse(stdout).albums, stderr]).toEqual([[own.id], '']);
  });

  it('prints the same link for the same picture', async () => {
    const home = await homeWithImages('cat.jpg');
    const [first, second] = [await upload(home, 'cat.jpg', '--format', 'json'), await upload(home, 'cat.jpg', '--format', 'json')];
    expect(parse(second.stdout)).toEqual({ key: parse(first.stdout).key, reused: true, links: expect.anything() });
    expect([first.stderr, second.stderr]).toEqual(['', REPEATED]);
    // A --name that has no effect is reported.
    const renamed = await upload(home, 'cat.jpg', '--name', 'dog.jpg');
    expect(renamed).toEqual({
      stdout: `${parse(first.stdout).links.url}\n`,
      stderr: 'pixdock: cat.jpg: already uploaded. Its name wasn’t changed.\n',
      code: 0,
    });
    const full = { ...env, PIXDOCK_TOKEN: await owner.token('full') };
    expect((await runCli(home, ['upload', 'cat.jpg', '--name', 'dog.jpg'], { env: full })).stderr).toBe(
      'pixdock: cat.jpg: already uploaded as “cat.jpg”.\n',
    );
  });

  it('reports an invalid token, and what to do', async () => {
    const home = await homeWithImages('cat.jpg');
    const { stdout, stderr, code } = await upload(home, 'cat.jpg', '--token', 'pxd_wrong');
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: cat\.jpg: .* doesn’t accept the token in --token\.\n$/);
  });

  it('without a token uploads as a guest, which is not allowed by default', async () => {
    const home = await homeWithImages('cat.jpg');
    const { stdout, stderr, code } = await runCli(home, ['upload', 'cat.jpg', '--base-url', service.url]);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: cat\.jpg: .* Run `pixdock login http:\S+` to upload with your own account\.\n$/);
  });

  it('uploads a picture larger than its buffers unchanged', async () => {
    const home = temporaryFolder();
    const bytes = await png({ width: 2400, height: 1800 });
    expect(bytes.length).toBeGreaterThan(500_000);
    await writeFile(join(home, 'big.png'), bytes);
    const { stdout } = await upload(home, 'big.png');
    expect((await contentOf(fetch(stdout.trim()))).equals(bytes)).toBe(true);
  });

  it("reports that a guest's file is too large, and accepts a smaller one", async () => {
    const settings = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ guest_upload_enabled: true }),
    };
    expect((await owner.fetch('/api/v1/admin/settings', settings)).status).toBe(200);
    const home = await homeWithImages('small.jpg');
    await writeFile(join(home, 'large.jpg'), Buffer.concat([await photoJpeg(), Buffer.alloc(60_000_000)]));
    const asGuest = (file: string) => runCli(home, ['upload', file, '--base-url', service.url]);
    const large = await asGuest('large.jpg');
    expect({ stdout: large.stdout, code: large.code }).toEqual({ stdout: '', code: 1 });
    expect(large.stderr).toMatch(/^pixdock: large\.jpg: .*10 MB/);
    expect(await asGuest('small.jpg')).toMatchObject({ stdout: expect.stringMatching(/^http/), stderr: '', code: 0 });
  });
});
