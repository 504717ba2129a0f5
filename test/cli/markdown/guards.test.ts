import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '#test/cli/run-cli.ts';
import { accept, startScriptedService } from '#test/cli/scripted-service.ts';
import { startWithToken } from '#test/cli/start.ts';
import { homeOf } from './homes.ts';

const { env } = await startWithToken('full');

const LINK = /http:\/\/[\w.:]+\/i\/\w{12}\.png/g;
const run = (home: string, ...args: string[]) => runCli(home, ['markdown', ...args], { env });
const isRoot = process.getuid?.() === 0;

describe('pixdock markdown', () => {
  it('uploads pictures outside of the folder, vault or site only with --outside, also behind symbolic links', async () => {
    const home = await homeOf({
      'private/secret.png': undefined,
      'site/hugo.toml': '',
      'site/static/logo.png': undefined,
      'site/content/post.md': '![](/logo.png)\n![](../../private/secret.png)\n![](../static/link.png)\n![](dir/secret.png)',
      'site/content/page.html': '',
    });
    const secret = join(home, 'private/secret.png');
    const page = `<img src="${secret}">\n<img src="file://${secret}">`;
    writeFileSync(join(home, 'site/content/page.html'), page);
    await symlink(secret, join(home, 'site/static/link.png'));
    await symlink(join(home, 'private'), join(home, 'site/content/dir'));
    const kept = await run(home, 'site/content', '--in-place');
    expect(kept.code).toBe(1);
    const outside = `it is outside of ${join(home, 'site')}. Use --outside to upload such pictures, too.`;
    expect(kept.stderr.trim().split('\n')).toEqual([
      `pixdock: site/content/page.html:1: ${secret}: ${outside}`,
      `pixdock: site/content/page.html:2: file://${secret}: ${outside}`,
      `pixdock: site/content/post.md:2: ../../private/secret.png: ${outside}`,
      `pixdock: site/content/post.md:3: ../static/link.png: ${outside}`,
      `pixdock: site/content/post.md:4: dir/secret.png: ${outside}`,
      'pixdock: Replaced 1 link in 1 file, 5 failed.',
    ]);
    expect(await readFile(join(home, 'site/content/page.html'), 'utf8')).toBe(page);
    const list = await run(home, 'site/content', '--dry-run', '--outside');
    expect(list).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Would upload 1 picture (79 bytes) and replace 5 links in 2 files.'),
    });
    expect((await run(home, 'site/content', '--in-place', '--outside')).code).toBe(0);
    const links = (await readFile(join(home, 'site/content/post.md'), 'utf8')).match(LINK) ?? [];
    expect(links).toHaveLength(4);
    expect(new Set(links.slice(1)).size).toBe(1);
  });

  it('reports pictures in a dry run that couldn’t be uploaded', async () => {
    const home = await homeOf({ 'in/a.md': '![](a.png) ![](empty.png)\n![](empty.png)', 'in/a.png': undefined, 'in/empty.png': '' });
    const { stdout, stderr, code } = await run(home, 'in', '--dry-run');
    expect({ stdout, code }).toEqual({ stdout: 'in/a.md:1: a.png (79 bytes)\n', code: 1 });
    for (const line of [1, 2]) expect(stderr).toContain(`pixdock: in/a.md:${line}: empty.png: the file is empty\n`);
    expect(stderr).toContain('Would upload 1 picture (79 bytes) and replace 1 link in 1 file.');
  });

  it('takes a home folder for no site, even if it is a repository', async () => {
    const home = await homeOf({ '.git/HEAD': '', 'notes/a.md': '![](../b.png)', 'b.png': undefined });
    const { code, stderr } = await run(home, 'notes', '--dry-run');
    expect(code).toBe(1);
    expect(stderr).toContain(`it is outside of ${join(home, 'notes')}.`);
  });

  it('leaves a file alone that changes while its pictures are uploaded', async () => {
    const home = await homeOf({ 'in/a.md': '![](a.png)', 'in/a.png': undefined });
    await using slow = await startScriptedService([
      (response, request) => {
        writeFileSync(join(home, 'in/a.md'), '![](a.png) and more');
        accept()(response, request);
      },
    ]);
    const { code, stderr } = await runCli(home, ['markdown', 'in', '--in-place', '--base-url', slow.url, '--token', 'pxd_x']);
    expect(code).toBe(1);
    expect(stderr).toContain('in/a.md: changed in the meantime and was left alone; run the command again');
    expect(await readFile(join(home, 'in/a.md'), 'utf8')).toBe('![](a.png) and more');
    expect(await readdir(join(home, 'in'))).toEqual(['a.md', 'a.png']);
  });

  it('uploads no file that becomes a link out of the folder before it is sent', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}.png`);
    const home = await homeOf({
      'in/a.md': names.map((name) => `![](${name})`).join('\n'),
      'secret.png': undefined,
      ...Object.fromEntries(names.map((name) => [`in/${name}`, undefined])),
    });
    const secret = readFileSync(join(home, 'secret.png'));
    await using slow = await startScriptedService([
      (response, request) => {
        for (const name of slow.seen.length > 1 ? [] : names) {
          rmSync(join(home, 'in', name));
          symlinkSync(join(home, 'secret.png'), join(home, 'in', name));
        }
        accept()(response, request);
      },
      accept(),
    ]);
    const { stderr } = await runCli(home, ['markdown', 'in', '--in-place', '--base-url', slow.url, '--token', 'pxd_x']);
    expect(stderr).toContain('in/a.md:30: 29.png: isn’t a regular file');
    expect(slow.seen.filter(({ body }) => body.includes(secret))).toEqual([]);
  });

  it.runIf(process.env.PIXDOCK_TEST_SLOW)(
    'reports a file that takes too long to read, leaves it alone, and continues with the others',
    async () => {
      const evil = `${'!['.repeat(20_000)}a${'](a.png)'.repeat(20_000)}`;
      const home = await homeOf({ 'in/a.md': evil, 'in/b.md': '![](a.png)', 'in/a.png': undefined });
      const { code, stderr } = await run(home, 'in', '--in-place');
      expect(stderr).toMatch(/in\/a\.md: finding its pictures takes more than \d+ s, so the file was left alone\./);
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Replaced 1 link in 1 file, 1 failed.') });
      expect(await readFile(join(home, 'in/a.md'), 'utf8')).toBe(evil);
      expect((await readFile(join(home, 'in/b.md'), 'utf8')).replace(LINK, 'U')).toBe('![](U)');
    },
  );

  it('keeps symbolic links, modes, line endings and byte order marks, and never writes copies over the files', async () => {
    const home = await homeOf({ 'in/real.md': '\ufeff# Ä\r\n![](a.png)\r\n\tend', 'in/a.png': undefined, 'in/sub/b.md': '![](../a.png)' });
    await symlink('in/real.md', join(home, 'link.md'));
    await chmod(join(home, 'in/real.md'), 0o604);
    expect((await run(home, 'link.md', '--in-place')).code).toBe(0);
    expect((await lstat(join(home, 'link.md'))).isSymbolicLink()).toBe(true);
    expect((await stat(join(home, 'in/real.md'))).mode & 0o777).toBe(0o604);
    expect((await readFile(join(home, 'in/real.md'), 'utf8')).replace(LINK, 'U')).toBe('\ufeff# Ä\r\n![](U)\r\n\tend');
    await mkdir(join(home, 'out'));
    await symlink('../in/sub', join(home, 'out/sub'));
    const { code, stderr } = await run(home, 'in', '--out', 'out');
    expect(code).toBe(1);
    expect(stderr).toContain('in/sub/b.md: its copy would replace the file itself; use --in-place to change it');
    expect(await readFile(join(home, 'in/sub/b.md'), 'utf8')).toBe('![](../a.png)');
  });

  it.skipIf(isRoot || process.platform === 'win32')('leaves write-protected files alone', async () => {
    const home = await homeOf({ 'a.md': '![](a.png)', 'a.png': undefined });
    await chmod(join(home, 'a.md'), 0o444);
    const { code, stderr } = await run(home, 'a.md', '--in-place');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('a.md: permission denied') });
    expect(await readFile(join(home, 'a.md'), 'utf8')).toBe('![](a.png)');
  });

  it.each([
    [
      'Obsidian: names anywhere, sizes, folders',
      '.obsidian/app.json',
      'notes/n.md',
      '![[p q.png|300]] ![[p q.png|alt|30x20]] ![s|20](p%20q.png) ![](../att/p%20q.png "T")',
      'att/p q.png',
      '![p q|300](U) ![alt|30x20](U) ![s|20](U) ![](U "T")',
    ],
    [
      'Hugo: the bundle of a page',
      'hugo.toml',
      'content/post/index.md',
      '![](p.png "T") <img src="p.png">',
      'content/post/p.png',
      '![](U "T") <img src="U">',
    ],
    [
      'Hugo: static/, and relative to the published page',
      'hugo.yaml',
      'content/en/post.md',
      '![](/img/p.png) ![][r]\n\n[r]: </img/p.png> (T)',
      'static/img/p.png',
      '![](U) ![][r]\n\n[r]: <U> (T)',
    ],
    [
      'MkDocs: docs/, admonitions and attributes',
      'mkdocs.yml',
      'docs/a/b.md',
      '!!! tip\n\n    ![x](../img/p.png){ width="300" loading=lazy }\n\n<img src="../../img/p.png">',
      'docs/img/p.png',
      '!!! tip\n\n    ![x](U){ width="300" loading=lazy }\n\n<img src="U">',
    ],
    ['a note whose name is as long as names can be', 'x', `${'n'.repeat(252)}.md`, '![](p.png)', 'p.png', '![](U)'],
    [
      'Typora: zoom, and paths with spaces',
      'x',
      'n.md',
      '<img src="n.assets/p q.png" alt="x" style="zoom:50%;" /> ![](n.assets/p q.png) ![](./n.assets/p%20q.png)',
      'n.assets/p q.png',
      '<img src="U" alt="x" style="zoom:50%;" /> ![](U) ![](U)',
    ],
  ])('follows the links of %s', async (_, marker, name, text, picture, expected) => {
    const home = await homeOf({ [`in/${marker}`]: '', [`in/${name}`]: text, [`in/${picture}`]: undefined });
    expect(await run(home, 'in', '--in-place')).toMatchObject({ code: 0 });
    expect((await readFile(join(home, 'in', name), 'utf8')).replace(LINK, 'U')).toBe(expected);
  });
});
