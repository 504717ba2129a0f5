import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { listImages } from '#api/images/images.ts';
import { type RunOptions, runCli } from '#test/cli/run-cli.ts';
import { selfSigned } from '#test/helpers/network/certificate.ts';
import { type Conduct, type Entry, madeUpLibrary, PRODUCTS, type Product, startFakeSource } from '#test/helpers/network/fake-sources.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { expectedOf, told } from './told.ts';

const { service, owner } = await startFileService();
const NAMES = Object.keys(PRODUCTS);
/** A version of a product has its name. */
const commandOf = (name: string) => name.replace('+', '');
const TOKEN = 'user:secret';
let first = 21_000_000;

/** A user without pictures, a product with some, and the command that imports them. */
async function prepared(name: string, count: number, conduct: Partial<Conduct> = {}) {
  first += 10_000;
  const user = await addUser(service, `u${first}`);
  const library = madeUpLibrary(count, first);
  const product = PRODUCTS[name] as Product;
  const source = await startFakeSource(product, library, { token: TOKEN, ...conduct });
  const home = temporaryFolder();
  const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await user.token('full'), PIXDOCK_SOURCE_TOKEN: TOKEN };
  const run = (options: string[] = [], more: RunOptions = {}) =>
    runCli(home, ['import', commandOf(name), source.url, ...options], { ...more, env: { ...env, ...more.env } });
  return { user, library, product, source, home, run, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() };
}

describe('pixdock import', () => {
  it.each(NAMES)('brings everything along that %s tells, each picture once, whatever fails for a moment', async (name) => {
    await using scene = await prepared(name, 40, { faults: 0.05 });
    const { run, user, library, product, source, home } = scene;
    let printed = 0;
    const interrupted = await run([], {
      onStart: ({ stdout, interrupt }) =>
        stdout.on('data', () => {
          if (++printed === 10) interrupt();
        }),
    });
    expect(interrupted).toMatchObject({ code: 130, stderr: expect.stringContaining('To resume, run the same command again.') });
    const { code, stderr } = await run(['--map', 'map.csv', '--verify', '--report', 'report.json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Compared 40 pictures') });
    expect(await told(user.client)).toEqual(expectedOf(library, product));
    const rows = (await readFile(join(home, 'map.csv'), 'utf8')).trimEnd().split('\n').slice(1);
    const now = rows.map((row) => row.split(',').at(-1));
    expect(rows.every((row) => row.startsWith(source.url))).toBe(true);
    expect(new Set(now).size).toBe(40);
    const { summary } = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    expect(summary).toMatchObject({ failed: 0, source: { pictures: 40 } });
    const third = await run();
    expect(third).toMatchObject({ stdout: '', code: 0, stderr: expect.stringContaining('Uploaded 0 pictures') });
  });

  it('brings videos along where the account’s group may upload them, and counts the others', async () => {
    await using scene = await prepared('zipline', 1);
    const { user, library, run, home } = scene;
    const [picture] = library as [Entry];
    for (const [index, type] of ['video/quicktime', 'video/x-msvideo'].entries())
      library.push({ ...picture, id: `video-${index}`, name: `film ${index}`, content: videoFixture('h264-aac.mov'), type });
    const summaryOf = async () => JSON.parse(await readFile(join(home, 'report.json'), 'utf8')).summary;
    const group = (await owner.client.call(listGroups, { query: {} })).items.find(({ kind }) => kind === 'default');
    const allow = (allowed_exts: string[]) =>
      owner.client.call(changeGroup, { params: { id: String(group?.id) } as never, body: { allowed_exts: allowed_exts as never } });
    await allow(group?.allowed_exts.filter((ext) => ext !== 'mov') ?? []);
    expect((await run(['--report', 'report.json'])).code).toBe(0);
    expect(await summaryOf()).toMatchObject({ uploaded: 1, source: { videos: 2 } });
    await allow(group?.allowed_exts ?? []);
    expect((await run(['--report', 'report.json'])).code).toBe(0);
    expect(await summaryOf()).toMatchObject({ uploaded: 1, imported_before: 1, source: { videos: 1 } });
    const images = await user.client.call(listImages, { query: {} });
    expect(images.items.map(({ name, kind }) => [name, kind])).toContainEqual(['film 0', 'video']);
  });

  it.each(NAMES)('says that %s refuses a token, or its rights, before anything is uploaded', async (name) => {
    await using wrong = await prepared(name, 3, { token: 'user:other' });
    const refused = await wrong.run();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/doesn’t accept this (token or password|cookie)/);
    await using weak = await prepared(name, 3, { isForbidden: true });
    const forbidden = await weak.run();
    expect(forbidden).toMatchObject({ code: 1, stdout: '' });
    expect(forbidden.stderr).toMatch(/the token lacks a right/);
    expect(await told(weak.user.client)).toEqual([]);
  });

  it.each(NAMES)('never shows the token of %s to an address that it is redirected to', async (name) => {
    await using stranger = await startFakeSource(PRODUCTS.zipline as Product, [], { token: 'x' });
    await using scene = await prepared(name, 3, { redirectsTo: stranger.url });
    const { code, stderr } = await scene.run(['--retries', '0']);
    expect(code).toBe(1);
    expect(stderr).toContain(`it redirects to ${stranger.url}. Use that address.`);
    expect(stranger.seen).toEqual([]);
  });

  it.runIf(process.env.PIXDOCK_TEST_SLOW).each([
    ['zipline', 110],
    ['lsky', 100],
    ['lsky+', 110],
    ['chevereto', 60],
    ['slink', 110],
    ['immich', 50],
  ])('takes each picture of %s once while the list moves, and skips what vanishes', async (name, count) => {
    const vanished = new Set<string>();
    let inserted = 0;
    await using scene = await prepared(name, count, {
      vanished,
      // What comes first moves all others to later places.
      onPage: (page) => {
        if (page < 2 || inserted++ > 0) return;
        scene.library.unshift(...madeUpLibrary(7, 90_000_000 + first).map((entry) => ({ ...entry, name: `new ${entry.name}` })));
      },
    });
    vanished.add((scene.library[40] as Entry).id);
    const { code, stderr } = await scene.run(['--report', 'report.json']);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('1 picture deleted there meanwhile') });
    const names = (await told(scene.user.client)).map(({ created, name: one }) => `${one} ${created}`);
    expect(new Set(names).size).toBe(names.length);
    // Those that were there all the time.
    expect(names.length).toBeGreaterThanOrEqual(count - 1);
  });

  it('fetches pictures from a bucket without the token', async () => {
    const pictures = madeUpLibrary(3, 95_000_000);
    await using bucket = await startFakeSource({ ...(PRODUCTS.lsky as Product), isSignedIn: () => true }, pictures, { token: '' });
    await using scene = await prepared('lsky', 0, { bucket: bucket.url });
    scene.library.push(...pictures);
    expect(await scene.run()).toMatchObject({ code: 0, stderr: expect.stringContaining('Uploaded 3 pictures') });
    expect(bucket.seen.map(({ secrets }) => secrets)).toEqual(['', '', '']);
  });

  it('lists what would come along, and downloads nothing', async () => {
    await using scene = await prepared('zipline', 6);
    const { stdout, stderr, code } = await scene.run(['--dry-run']);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe('a "b" - c.png (79 bytes) → Trips / Rome & "more" · 2019-01-01T00:00:00Z · public · favourite');
    expect(stderr).toContain('Would upload 6 pictures');
    expect(stderr).toContain('Not brought along: numbers of views (6 pictures).');
    expect(scene.source.seen.some(({ path }) => path.endsWith('/raw'))).toBe(false);
  });

  it('writes maps that quote any name', async () => {
    await using scene = await prepared('zipline', 1);
    const [entry] = scene.library as [Entry];
    Object.assign(entry, { id: 'a "b"{$HOME}\\, ü' });
    const result = await scene.run(['--map', 'm.csv', '--nginx-map', 'm.conf', '--caddy-map', 'm.txt']);
    expect(result).toMatchObject({ code: 0 });
    const link = result.stdout.trim();
    const read = async (file: string) => (await readFile(join(scene.home, file), 'utf8')).trimEnd().split('\n');
    expect(await read('m.csv')).toContain(`"${scene.source.url}/u/a%20%22b%22%7B$HOME%7D/,%20%C3%BC.png",${link}`);
    expect(await read('m.conf')).toContain(`"127.0.0.1/view/a \\"b\\"{$HOME}\\\\, ü.png" "${link}";`);
    expect(await read('m.txt')).toContain(
      `"~^127\\x{2e}0\\x{2e}0\\x{2e}1/view/a \\"b\\"\\x{7b}\\x{24}HOME\\x{7d}\\x{5c}\\x{2c} ü\\x{2e}png$" "${link}"`,
    );
  });

  it('reports a picture that the source keeps behind a password, and what a limited token leaves out', async () => {
    await using scene = await prepared('zipline', 4);
    const before = PRODUCTS.zipline as Product;
    const env = { PIXDOCK_TOKEN: await scene.user.token('upload') };
    const { code, stderr } = await scene.run([], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('Left out, because this token can only upload: 1 favourite, the albums of 2 pictures.');
    expect(await told(scene.user.client)).toMatchObject(
      scene.library.map(before.told).map(({ caption, created }) => ({ caption, created, albums: [] })),
    );
  });

  it('sends nothing to a server whose certificate it doesn’t trust, and says what helps', async () => {
    let requests = 0;
    const server = createServer(selfSigned(), () => requests++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full'), PIXDOCK_SOURCE_TOKEN: 'x' };
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await runCli(temporaryFolder(), ['import', 'immich', address], { env });
    server.close();
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Could not reach ${address}: this computer doesn’t trust its certificate.`),
    });
    expect(requests).toBe(0);
  });

  it.each([
    ['import zipline ftp://x', 2, '"ftp://x" isn’t an address'],
    ['import zipline http://127.0.0.1:65534 --retries 0', 1, 'the connection was refused'],
    ['import photobucket http://x', 2, 'Allowed choices are zipline, lsky, chevereto, slink, immich'],
    ['import zipline http://x --source-token ü', 2, 'Zipline’s token (in Zipline'],
    [`import zipline ${service.url}`, 1, 'doesn’t accept this token or password: This token isn’t valid'],
  ])('explains what is wrong with `%s`', async (command, code, message) => {
    const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full'), PIXDOCK_SOURCE_TOKEN: 'x' };
    const result = await runCli(temporaryFolder(), command.split(' '), { env });
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
