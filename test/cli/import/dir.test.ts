import { readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAlbum, listAlbums } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { getImage } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { homeWith, newImage } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { refuse, startScriptedService } from '#test/cli/scripted-service.ts';
import { startWithToken } from '#test/cli/start.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { OWNER } from '#test/helpers/service/service.ts';

const { service, owner, env } = await startWithToken('full');

const importDir = (home: string, ...args: string[]) => runCli(home, ['import-dir', 'in', ...args], { env });
const lines = (text: string) => text.split('\n').filter(Boolean);
/** The names of the uploaded files, in alphabetical order. */
const namesIn = (stdout: string) =>
  lines(stdout)
    .map((line) => (JSON.parse(line) as Uploaded).name)
    .sort();
const readReport = async (home: string) => JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));

describe('pixdock import-dir', () => {
  it("uploads every file with a picture's extension, and reports what it skipped", async () => {
    const home = await homeWith('a.png', 'sub/B.PNG', 'sub/deep/c.jpeg', '.hidden.png', '.git/d.png');
    await writeFile(join(home, 'in/notes.txt'), 'x');
    await symlink('a.png', join(home, 'in/link.png'));
    await symlink(home, join(home, 'in/loop'));
    const { stdout, stderr, code } = await importDir(home, '--format', 'json');
    expect(code).toBe(0);
    expect(namesIn(stdout)).toEqual(['B.PNG', 'a.png', 'c.jpeg']);
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/^pixdock: Uploaded 3 pictures \(\d+ bytes in \d+ s\)\.$/),
      'pixdock: Skipped: 2 symbolic links, 1 non-picture or excluded file, 2 hidden files and folders.',
    ]);
  });

  it.each([
    [['--no-recursive'], ['a.png', 'b.gif.png']],
    [['--recursive'], ['a.png', 'b.gif.png', 'c.png', 'd.png', 'e.gif.png']],
    [
      ['--include', '*.gif.png'],
      ['b.gif.png', 'e.gif.png'],
    ],
    [
      ['--include', 'sub/*.png', '--include', 'A.png'],
      ['a.png', 'c.png', 'e.gif.png'],
    ],
    [
      ['--exclude', '*.gif.png'],
      ['a.png', 'c.png', 'd.png'],
    ],
    [
      ['--exclude', 'sub'],
      ['a.png', 'b.gif.png'],
    ],
    [
      ['--exclude', 'sub/deep/**'],
      ['a.png', 'b.gif.png', 'c.png', 'e.gif.png'],
    ],
    [['--hidden', '--include', '.h.png'], ['.h.png']],
  ])('selects files with %j', async (options, names) => {
    const home = await homeWith('a.png', 'b.gif.png', 'sub/c.png', 'sub/deep/d.png', 'sub/e.gif.png', '.h.png');
    const { stdout, code } = await importDir(home, '--dry-run', '--format', 'json', ...options);
    expect(code).toBe(0);
    const paths = lines(stdout).map((line) => (JSON.parse(line) as { path: string }).path.split('/').at(-1));
    expect(paths.sort()).toEqual(names);
  });

  it('prints links by a template', async () => {
    const { stdout } = await importDir(await homeWith('a.png'), '--template', '{name}: {width}×{height} {{ok}');
    expect(stdout).toMatch(/^a\.png: \d+×\d+ \{ok\}\n$/);
  });

  it('reports patterns that matched nothing, since they may be mistyped', async () => {
    const home = await homeWith('a.png', 'drafts/b.png', 'drafts/notes.txt');
    const excludes = ['in/drafts', 'drafts', 'drafts/**', '*.png'].flatMap((pattern) => ['--exclude', pattern]);
    const { stdout, stderr, code } = await importDir(home, '--dry-run', ...excludes);
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(lines(stderr).slice(2)).toEqual([
      `pixdock: --exclude "in/drafts" matched nothing. Patterns match paths relative to ${join(home, 'in')}.`,
    ]);
  });

  it('reports in a dry run the files that can’t be uploaded, and doesn’t count them', async () => {
    const home = await homeWith('a.png');
    await writeFile(join(home, 'in/empty.png'), '');
    const isRoot = process.getuid?.() === 0;
    await writeFile(join(home, 'in/secret.png'), 'x', { mode: 0o000 });
    if (isRoot) await rm(join(home, 'in/secret.png'));
    const { stdout, stderr, code } = await importDir(home, '--dry-run', '--report', 'report.json');
    expect({ stdout, code }).toEqual({ stdout: 'a.png (79 bytes)\n', code: 1 });
    expect(stderr).toContain('pixdock: empty.png: the file is empty\n');
    if (!isRoot) expect(stderr).toContain('pixdock: secret.png: permission denied\n');
    expect(stderr).toContain(`Would upload 1 picture (79 bytes), ${isRoot ? 1 : 2} failed.`);
    expect((await readReport(home)).files).toContainEqual(expect.objectContaining({ path: 'empty.png', status: 'failed' }));
  });

  it('lists in a dry run exactly what the real run then uploads, and changes nothing', async () => {
    const home = await homeWith('a.png', 'sub/b.png', 'sub/c.png');
    await importDir(home, '--include', 'c.png');
    const options = ['--album-per-folder'];
    const rehearsal = await importDir(home, '--dry-run', ...options);
    expect(lines(rehearsal.stdout).sort()).toEqual(['a.png (79 bytes) → in', 'sub/b.png (79 bytes) → sub']);
    expect(lines(rehearsal.stderr)[0]).toBe('pixdock: Would upload 2 pictures (158 bytes), 1 imported earlier.');
    expect(await importDir(home, '--dry-run', ...options, '--report', 'report.json')).toEqual(rehearsal);
    expect(await readReport(home)).toMatchObject({ dry_run: true, files: [{ status: 'would_upload' }, { status: 'would_upload' }] });
    const { stdout } = await importDir(home, '--format', 'json', ...options);
    expect(namesIn(stdout)).toEqual(['a.png', 'b.png']);
  });

  it('adds pictures to albums, created if missing and reused if present', async () => {
    const home = await homeWith('a.png', 'sub/b.png');
    const album = 'Ausflug';
    const first = await importDir(home, '--album', album, '--format', 'json');
    await writeFile(join(home, 'in/c.png'), newImage());
    const both = ['--album', album, '--album', 'Norwegen', '--album', album];
    expect(lines((await importDir(home, ...both, '--dry-run')).stdout)).toEqual(['c.png (79 bytes) → Ausflug, Norwegen']);
    const second = await importDir(home, ...both, '--format', 'json', '--report', 'report.json');
    const ids = lines(first.stdout + second.stdout).map((line) => (JSON.parse(line) as Uploaded).album_id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    const { items } = await owner.client.call(listAlbums, { query: {} });
    expect(items.filter(({ name }) => name === album)).toMatchObject([{ id: ids[0], image_count: 3 }]);
    const [other] = items.filter(({ name }) => name === 'Norwegen');
    expect(other).toMatchObject({ image_count: 1 });
    expect((await readReport(home)).files).toMatchObject([{ album_id: ids[0], albums: [ids[0], other?.id] }]);
    // Single uploads find the album by the same name.
    const single = await runCli(home, ['upload', 'in/a.png', '--album', album, '--format', 'json', '--expires-in', '1h'], { env });
    expect(JSON.parse(single.stdout)).toMatchObject({ album_id: ids[0] });
  });

  it('adds pictures to an album of another user only by id or `owner/name`, and says whose it is once', async () => {
    const mara = await addUser(service, 'mara');
    const { id } = await mara.client.call(createAlbum, { body: { name: 'Contracts' } });
    await mara.client.call(putMember, { params: { id }, body: { username: OWNER.username, role: 'contributor' } });
    const home = await homeWith('a.png', 'b.png', 'Contracts/c.png');
    const albumsOf = ({ stdout }: { stdout: string }) => lines(stdout).map((line) => (JSON.parse(line) as Uploaded).albums);
    // A folder, and a name that isn't one of one's own yet, mean new albums of one's own.
    const perFolder = await importDir(home, '--album-per-folder', '--format', 'json', '--include', 'c.png');
    const byName = await importDir(home, '--album', 'Contracts', '--format', 'json', '--include', 'a.png');
    expect(albumsOf(byName)).toEqual(albumsOf(perFolder));
    expect(albumsOf(byName)).not.toEqual([[id]]);
    const named = await importDir(home, '--again', '--album', 'mara/Contracts', '--album', id, '--format', 'json', '--expires-in', '1h');
    expect(albumsOf(named)).toEqual([[id], [id], [id]]);
    expect(named.stderr.match(/The album “Contracts” belongs to mara\./g)).toHaveLength(1);
    expect(byName.stderr + perFolder.stderr).not.toContain('mara');
  });

  it('creates an album for each folder', async () => {
    const home = await homeWith('a.png', 'Oslo 24/b.png', 'Oslo 24/Tag 2/c.png');
    const { stdout } = await importDir(home, '--album-per-folder', '--format', 'json');
    const { items } = await owner.client.call(listAlbums, { query: { limit: 200 } });
    const names = new Map(items.map(({ id, name }) => [id, name]));
    const placed = lines(stdout).map((line) => JSON.parse(line) as Uploaded);
    expect(Object.fromEntries(placed.map(({ name, album_id }) => [name, names.get(album_id ?? '')]))).toEqual({
      'a.png': 'in',
      'b.png': 'Oslo 24',
      'c.png': 'Oslo 24/Tag 2',
    });
  });

  it("stops at once with a message if the token can't list albums", async () => {
    const home = await homeWith('a.png', 'b.png', 'c.png');
    const { stdout, stderr, code } = await runCli(home, ['import-dir', 'in', '--album', 'x', '--concurrency', '1'], {
      env: { ...env, PIXDOCK_TOKEN: await owner.token('upload') },
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toContain('Stopped early: Finding albums by name needs a token with full access');
    expect(stderr).toContain('1 failed');
  });

  it('reports every file', async () => {
    const home = await homeWith('good.png');
    await writeFile(join(home, 'in/bad.png'), 'no picture');
    const { code, stderr } = await importDir(home, '--report', 'report.json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pixdock: bad\.png: .*\w\.$/m);
    expect(stderr).toContain('To retry the failed file, run the same command again.\n');
    const report = await readReport(home);
    expect(report).toMatchObject({
      server: service.url,
      dry_run: false,
      complete: true,
      summary: { uploaded: 1, uploaded_bytes: 79, reused: 0, imported_before: 0, failed: 1 },
    });
    expect(report.files.sort((a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path))).toEqual([
      { path: 'bad.png', size: 10, status: 'failed', error: expect.any(String) },
      {
        path: 'good.png',
        size: 79,
        status: 'uploaded',
        key: expect.any(String),
        url: expect.stringMatching(/^http/),
        album_id: null,
        albums: [],
      },
    ]);
    expect((await readdir(home)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it("accepts names with line breaks and quotes, and reports how it stores a name that isn't UTF-8", async () => {
    const home = await homeWith('two\nlines "x".png');
    const raw = Buffer.concat([Buffer.from(join(home, 'in/bad-')), Buffer.from([0xff]), Buffer.from('.png')]);
    if (process.platform === 'linux') await writeFile(raw, newImage());
    const { stdout, stderr, code } = await importDir(home, '--format', 'json', '--report', 'report.json');
    expect(code).toBe(0);
    const names = namesIn(stdout);
    expect(names.at(-1)).toMatch(/^two/);
    if (process.platform !== 'linux') return;
    expect(names[0]).toBe('bad-\ufffd.png');
    expect(stderr).toContain('pixdock: bad-\ufffd.png: the name isn’t valid UTF-8 and was stored as shown here.\n');
    const { files } = await readReport(home);
    expect(files.map((file: { path_base64?: string }) => file.path_base64 ?? '').sort()).toEqual(['', raw.toString('base64')]);
    expect((await importDir(home)).stderr).toContain('2 imported earlier');
  });

  it("uses the file's modification time as the time of the picture", async () => {
    const home = await homeWith('old.png');
    await utimes(join(home, 'in/old.png'), new Date('2019-05-06T07:08:09Z'), new Date('2019-05-06T07:08:09Z'));
    const { stdout } = await importDir(home, '--format', 'json');
    const { key } = JSON.parse(stdout) as Uploaded;
    expect((await owner.client.call(getImage, { params: { key } })).taken_at).toMatch(/^2019-05-06T07:08:09/);
  });

  it('uploads changed files again, and with --again all of them', async () => {
    const home = await homeWith('a.png', 'b.png');
    await importDir(home);
    await writeFile(join(home, 'in/b.png'), newImage());
    expect(namesIn((await importDir(home, '--format', 'json')).stdout)).toEqual(['b.png']);
    const again = await importDir(home, '--again');
    expect(again.stderr).toContain('Uploaded 2 pictures');
    expect(again.stderr).toContain('2 of them already on the server');
  });

  it('keeps a separate journal for each server and token', async () => {
    const home = await homeWith('a.png');
    await importDir(home);
    const other = { ...env, PIXDOCK_TOKEN: await owner.token('full') };
    expect((await runCli(home, ['import-dir', 'in'], { env: other })).stderr).toContain('Uploaded 1 picture (79 bytes');
  });

  it('sends visibility, expiry and view limit', async () => {
    const home = await homeWith('a.png');
    const time = `${new Date().getFullYear() + 1}-01-01T00:00`;
    const { stdout } = await importDir(home, '--visibility', 'private', '--expires-at', time, '--max-views', '5', '--format', 'json');
    const expires_at = new Date(time).toISOString();
    expect(JSON.parse(stdout)).toMatchObject({ visibility: 'private', max_views: 5, expires_at });
  });

  it('rejects a second import of the same folder while one is running', async () => {
    const home = await homeWith('a.png');
    await using stuck = await startScriptedService([refuse(503, 'Busy.', { code: 'unavailable', retry_after: 60 })]);
    const args = ['import-dir', 'in', '--base-url', stuck.url];
    await runCli(home, args, {
      env,
      onStart: async ({ interrupt }) => {
        await expect.poll(() => stuck.seen.length, { timeout: 10_000 }).toBe(1);
        const { stderr, code } = await runCli(home, args, { env });
        expect({ stderr, code }).toEqual({
          stderr: 'pixdock: Another import of this folder to this server is already running.\n',
          code: 1,
        });
        interrupt();
      },
    });
  });

  it('stops at once when every file would be rejected', async () => {
    const home = await homeWith(...Array.from({ length: 20 }, (_, i) => `${i}.png`));
    const { stdout, stderr, code } = await importDir(home, '--token', 'pxd_wrong', '--concurrency', '1');
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toContain('1 failed.');
    expect(stderr).toMatch(/Stopped early: .* doesn’t accept the token in /);
  });

  it('stops when the server becomes unreachable', async () => {
    const home = await homeWith(...Array.from({ length: 20 }, (_, i) => `${i}.png`));
    const gone = await startScriptedService([]);
    await gone[Symbol.asyncDispose]();
    const { stderr, code } = await importDir(home, '--base-url', gone.url, '--retries', '0', '--concurrency', '1');
    expect(code).toBe(1);
    expect(stderr).toContain('3 failed.');
    expect(stderr).toContain('Stopped early: ');
  });

  it.each([
    ['a missing folder', ['import-dir', 'nowhere'], /: no such folder/],
    ['a file', ['import-dir', 'in/a.png'], /is a file. Use `pixdock upload` for files/],
    ['no folder', ['import-dir'], /missing required argument 'dir'/],
    ['two kinds of album', ['import-dir', 'in', '--album', 'x', '--album-per-folder'], /not both/],
    ['an empty pattern', ['import-dir', 'in', '--exclude', './'], /The pattern ".\/" is empty/],
    ['no concurrency', ['import-dir', 'in', '--concurrency', '0'], /from 1 to 32/],
  ])('reports %s as a usage error', async (_, args, message) => {
    const { stdout, stderr, code } = await runCli(await homeWith('a.png'), args, { env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(message);
  });

  it('shows a bar on a terminal and no links, unless --format is given', async () => {
    const home = await homeWith('a.png', 'b.png');
    const run = (...args: string[]) => runCli(home, ['import-dir', 'in', ...args], { env, columns: 80 });
    const { stdout, code } = await run();
    expect(code).toBe(0);
    expect(stdout).toContain('0/2 · 0 bytes of 158 bytes');
    expect(stdout).not.toContain('/i/');
    expect((await run('--again', '--format', 'url')).stdout.match(/\/i\/\w{12}\.png/g)).toHaveLength(2);
  });

  it('has pictures converted', async () => {
    const home = await homeWith('a.png');
    expect(JSON.parse((await importDir(home, '--convert', 'webp', '--format', 'json')).stdout)).toMatchObject({ ext: 'webp' });
    expect(await importDir(home, '--convert', 'bmp')).toMatchObject({ stdout: '', code: 2 });
  });
});
