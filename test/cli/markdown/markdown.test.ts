import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getImage, listImages } from '#api/images/images.ts';
import { newImage } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { accept, refuse, startScriptedService } from '#test/cli/scripted-service.ts';
import { startWithToken } from '#test/cli/start.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { homeOf } from './homes.ts';

const { service, owner, env } = await startWithToken('full');

const LINK = /http:\/\/[\w.:]+\/i\/\w{12}\.png/;
const LINKS = new RegExp(LINK, 'g');
const run = (home: string, ...args: string[]) => runCli(home, ['markdown', ...args], { env });
const countImages = async () => (await owner.client.call(listImages, { query: { limit: 200 } })).items.length;

const NOTE = `\ufeff---\r\ncover: img/a.png\r\n---\r\n![a](img/a.png "A") ![](img/my%20pic.png) ![[b.png|200]]\r\n\r\n\`![](img/a.png)\`\r\n`;

describe('pixdock markdown', () => {
  it('lists the pictures in a dry run, changes only links in place, and uploads each picture once, also in later runs', async () => {
    const twin = newImage();
    const home = await homeOf({
      'notes/.obsidian/app.json': '{}',
      'notes/one.md': NOTE,
      'notes/sub/two.markdown':
        '![](../img/a.png#only-light)\n<img src="/img/a.png">\n![](twin.png)\n![](b.png)\n![](missing.png)\n![](sound.mp3)',
      'notes/page.html': '<p><img alt=x src=img/twin.png></p>',
      'notes/node_modules/x/readme.md': '![](../../img/a.png)',
      'notes/img/a.png': undefined,
      'notes/img/my pic.png': undefined,
      'notes/deep/er/b.png': undefined,
      'notes/sub/twin.png': twin,
      'notes/img/twin.png': twin,
    });
    await chmod(join(home, 'notes/one.md'), 0o640);
    const before = await countImages();
    const list = await run(home, 'notes', '--dry-run');
    expect(list.code).toBe(1);
    expect(list.stdout.split('\n')).toEqual([
      'notes/one.md:4: img/a.png (79 bytes)',
      'notes/one.md:4: img/my%20pic.png (79 bytes)',
      'notes/one.md:4: b.png (79 bytes)',
      'notes/page.html:1: img/twin.png (79 bytes)',
      'notes/sub/two.markdown:1: ../img/a.png#only-light (79 bytes)',
      'notes/sub/two.markdown:2: /img/a.png (79 bytes)',
      'notes/sub/two.markdown:3: twin.png (79 bytes)',
      'notes/sub/two.markdown:4: b.png (79 bytes)',
      '',
    ]);
    expect(list.stderr).toBe(
      'pixdock: notes/sub/two.markdown:5: missing.png: no such file\npixdock: Would upload 5 pictures (395 bytes) and replace 8 links in 3 files.\n',
    );
    expect(await countImages()).toBe(before);

    // The copies and the later run in place use the same pictures, even with an expiry.
    const expiry = ['--expires-in', '7d'];
    const copies = await run(home, 'notes', '--out', 'copies', ...expiry);
    expect(copies.stderr).toContain('Replaced 8 links in 3 files, 1 failed.');
    expect(await readFile(join(home, 'notes/one.md'), 'utf8')).toBe(NOTE);
    const changed = await run(home, 'notes', '--in-place', '--json', ...expiry);
    expect(await countImages()).toBe(before + 4);
    const one = await readFile(join(home, 'notes/one.md'), 'utf8');
    const [a = '', pic = '', b = ''] = one.match(LINKS) ?? [];
    expect(one).toBe(
      NOTE.replace('(img/a.png "A")', `(${a} "A")`).replace('img/my%20pic.png', pic).replace('![[b.png|200]]', `![b|200](${b})`),
    );
    expect(await readFile(join(home, 'copies/one.md'), 'utf8')).toBe(one);
    const page = await readFile(join(home, 'notes/page.html'), 'utf8');
    const [twinLink = ''] = LINK.exec(page) ?? [];
    expect(await readFile(join(home, 'notes/sub/two.markdown'), 'utf8')).toBe(
      `![](${a}#only-light)\n<img src="${a}">\n![](${twinLink})\n![](${b})\n![](missing.png)\n![](sound.mp3)`,
    );
    expect((await stat(join(home, 'notes/one.md'))).mode & 0o777).toBe(0o640);
    expect(await readdir(join(home, 'notes'))).not.toContainEqual(expect.stringMatching(/tmp/));
    expect(JSON.parse(changed.stdout.split('\n')[0] ?? '')).toMatchObject({ line: expect.any(Number), url: expect.stringMatching(LINK) });
    for (const url of [a, pic, b, twinLink]) expect((await fetch(url)).status).toBe(200);
  });

  it('prints a single file, writes through symbolic links, and leaves files without pictures alone', async () => {
    const home = await homeOf({ 'a.md': '![](a.png)', 'none.md': 'text', 'a.png': undefined });
    await symlink('a.md', join(home, 'link.md'));
    const printed = await run(home, 'a.md');
    expect(printed.stdout).toMatch(new RegExp(`^!\\[\\]\\(${LINK.source}\\)$`));
    const { mtimeNs } = await stat(join(home, 'none.md'), { bigint: true });
    expect(await run(home, 'link.md', 'none.md', '--in-place')).toMatchObject({ code: 0 });
    expect(await readFile(join(home, 'a.md'), 'utf8')).toBe(printed.stdout);
    expect((await stat(join(home, 'none.md'), { bigint: true })).mtimeNs).toBe(mtimeNs);
    expect((await readdir(home)).sort()).toContain('link.md');
  });

  it('shares the pictures as asked, in albums, with the server of its options', async () => {
    const album = await owner.client.call('POST /albums', { body: { name: 'Notes' } });
    const home = await homeOf({ 'a.md': '![](a.png)', 'a.png': undefined });
    const sharing = [
      '--visibility',
      'private',
      '--album',
      'Notes',
      '--convert',
      'webp',
      '--expires-at',
      `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`,
    ];
    const server = ['--base-url', service.url, '--token', String(env.PIXDOCK_TOKEN), '--timeout', '30', '--retries', '0', '--no-color'];
    const { stdout, code } = await runCli(home, ['markdown', 'a.md', ...sharing, ...server]);
    expect(code).toBe(0);
    const [, key = ''] = /\/i\/(\w{12})\.webp/.exec(stdout) ?? [];
    const image = await owner.client.call(getImage, { params: { key } });
    expect(image).toMatchObject({ visibility: 'private', album_id: album.id, expires_at: expect.any(String) });
    expect((await fetch(image.links.url)).status).toBe(404);
  });

  it('uploads pictures of other servers only with --remote, but not its own', async () => {
    const image = newImage();
    await using other = await startWebServer((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(image));
    await owner.client.call('PATCH /admin/settings', { body: { fetch_allowed_hosts: ['127.0.0.1'] } });
    const own = `${service.url}/i/abcdefghijkl.png`;
    const text = `![](${other.url}/x.png) ![](${own}) ![](${other.url}/x.png)`;
    const home = await homeOf({ 'a.md': text });
    expect(await run(home, 'a.md')).toMatchObject({ code: 0, stdout: text });
    expect(other.requests).toHaveLength(0);
    const { stdout, code } = await run(home, 'a.md', '--remote');
    const [link = ''] = LINK.exec(stdout) ?? [];
    expect({ stdout, code }).toEqual({ stdout: `![](${link}) ![](${own}) ![](${link})`, code: 0 });
    expect(other.requests).toHaveLength(1);
  });

  it('writes no file before its pictures are there, and resumes after an interruption', async () => {
    const home = await homeOf({
      'in/a.md': '![](a.png)',
      'in/b.md': '![](a.png) ![](b.png)',
      'in/a.png': undefined,
      'in/b.png': undefined,
    });
    await using full = await startScriptedService([accept(), refuse(507, 'No space left.', { code: 'storage_full' })]);
    const stopped = await runCli(home, ['markdown', 'in', '--in-place', '--base-url', full.url, '--token', 'pxd_x']);
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('Stopped early: No space left.') });
    expect(await readFile(join(home, 'in/b.md'), 'utf8')).toBe('![](a.png) ![](b.png)');
    const keys = full.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
    await using working = await startScriptedService([accept()]);
    await runCli(home, ['markdown', 'in', '--in-place', '--base-url', working.url, '--token', 'pxd_x']);
    for (const { headers } of working.seen) expect(keys).toContain(headers['idempotency-key']);
    expect(await readFile(join(home, 'in/b.md'), 'utf8')).toMatch(/^!\[\]\(https:\S+\) !\[\]\(https:\S+\)$/);
  });

  it('reports invalid usage, and files that it leaves alone', async () => {
    const home = await homeOf({
      'in/a.md': '![](a.png)',
      'in/b.md': 'x',
      'other/a.md': 'x',
      'latin.md': Buffer.from('caf\xe9', 'latin1'),
      'x.png': undefined,
    });
    const usage = [
      [['in'], 'Use --in-place to change'],
      [['in', '--in-place', '--out', 'x'], 'not both'],
      [['in', '--out', 'in'], 'contains the files themselves'],
      [['in', 'other', '--out', 'x'], 'would become the same file'],
      [['missing.md'], 'no such file'],
    ] as const;
    for (const [args, message] of usage) {
      const { code, stderr, stdout } = await run(home, ...args);
      expect({ code, stdout, args }).toEqual({ code: 2, stdout: '', args });
      expect(stderr).toContain(message);
    }
    expect(await run(home, 'latin.md')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('isn’t UTF-8') });
    expect(await readFile(join(home, 'in/a.md'), 'utf8')).toBe('![](a.png)');
    const stranger = await runCli(home, ['markdown', 'other', '--in-place', '--base-url', service.url]);
    expect(stranger).toMatchObject({ code: 0 });
  });
});
