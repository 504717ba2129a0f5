import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAlbum, listAlbums } from '#api/albums/albums.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { homeWith, newImage } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { startWithToken } from '#test/cli/start.ts';

const { owner, env } = await startWithToken('full');

const importDir = (home: string, ...args: string[]) => runCli(home, ['import-dir', 'in', ...args], { env });
const parse = <T>(stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

describe('pixdock import-dir', () => {
  it('visits the entries of each folder in name order, pictures before folders', async () => {
    const sorted = ['A2.png', 'a10.png', 'B.png', 'é.png', 'day 2/1.png', 'day 10/y.png', 'day 10/x/1.png', 'z/1.png'];
    const home = await homeWith(...sorted.toReversed());
    const { stdout } = await importDir(home, '--dry-run', '--format', 'json');
    const paths = parse<{ path: string }>(stdout).map(({ path }) => path);
    expect(paths).toEqual(sorted);
    const real = await importDir(home, '--format', 'json', '--concurrency', '1', '--report', 'report.json');
    expect(parse<Uploaded>(real.stdout).map(({ name }) => name)).toEqual(sorted.map((path) => path.split('/').at(-1)));
    const report = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    expect(report.files.map((file: { path: string }) => file.path)).toEqual(sorted);
  });

  it('creates one album for a folder whose name the server normalises, and finds it again', async () => {
    const home = await homeWith(' Oslo /a.png', '  /b.png', `${'x'.repeat(150)}/${'y'.repeat(150)}/c.png`);
    const albums = [' Oslo '.trim(), '" "', `…${'x'.repeat(48)}/${'y'.repeat(150)}`];
    const plan = await importDir(home, '--album-per-folder', '--dry-run', '--format', 'json');
    expect(parse<{ album: string }>(plan.stdout).map(({ album }) => album)).toEqual([albums[1], albums[0], albums[2]]);
    await importDir(home, '--album-per-folder');
    const { stdout } = await importDir(home, '--album-per-folder', '--again', '--format', 'json');
    expect(parse<Uploaded>(stdout).map(({ reused }) => reused)).toEqual([true, true, true]);
    const { items } = await owner.client.call(listAlbums, { query: { limit: 200 } });
    expect(items.map(({ name, image_count }) => `${image_count} ${name}`).sort()).toEqual(albums.map((name) => `1 ${name}`).sort());
  });

  it('finds the album of a folder whose name is in another normal form of Unicode', async () => {
    const { id } = await owner.client.call(createAlbum, { body: { name: 'Caf\u00e9' } });
    const home = await homeWith('Cafe\u0301/a.png');
    const { stdout } = await importDir(home, '--album-per-folder', '--format', 'json');
    expect(parse<Uploaded>(stdout)).toMatchObject([{ albums: [id] }]);
  });

  it.skipIf(process.platform === 'win32')('creates one album for a folder whose name the server cleans, and finds it again', async () => {
    const home = await homeWith(
      'two  words/1.png',
      'a line\nand another/2.png',
      '\u001b[31mred/3.png',
      'zero\u200bwidth/4.png',
      '\u200b/5.png',
    );
    await importDir(home, '--album-per-folder');
    await importDir(home, '--album-per-folder', '--again');
    const { items } = await owner.client.call(listAlbums, { query: { limit: 200 } });
    const names = ['two words', 'a line and another', 'red', 'zerowidth', '""'];
    expect(items.map(({ name }) => name).filter((name) => names.includes(name))).toHaveLength(names.length);
    expect(items.filter(({ image_count }) => image_count === 0)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('accepts names with control characters, of folders too', async () => {
    const home = await homeWith('\u001b[31mred.png', 'two\nlines/a\tb.png');
    const { stdout, stderr, code } = await importDir(home, '--format', 'json', '--concurrency', '1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^pixdock: Uploaded 2 pictures \([^\n]*\n$/) });
    expect(parse<Uploaded>(stdout)).toHaveLength(2);
    const plan = await importDir(home, '--dry-run', '--again');
    expect(plan.stdout).toBe('\\u{1b}[31mred.png (79 bytes)\ntwo\\nlines/a\\tb.png (79 bytes)\n');
  });

  it.runIf(process.platform === 'linux')("reports the bytes of a path in which only a folder isn't UTF-8", async () => {
    const home = await homeWith('a.png');
    const folder = Buffer.concat([Buffer.from(join(home, 'in/f-')), Buffer.from([0xff])]);
    const file = Buffer.concat([folder, Buffer.from('/b.png')]);
    await mkdir(folder);
    await writeFile(file, newImage());
    const { code } = await importDir(home, '--report', 'report.json', '--concurrency', '1');
    expect(code).toBe(0);
    const { files } = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    expect(files).toMatchObject([{ path: 'a.png' }, { path: 'f-\ufffd/b.png', path_base64: file.toString('base64') }]);
  });
});
