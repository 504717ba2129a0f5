import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listAlbums } from '#api/albums/albums.ts';
import type { Image } from '#api/images/images.ts';
import { listImages, trashImage } from '#api/images/images.ts';
import { newImage } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { LONG, madeUpExport, pictureJson, TAKEN, writeFiles } from './made-up-export.ts';

let service: TestService;
let owner: SignedIn;
let env: Record<string, string>;
let home: string;

beforeEach(async () => {
  service = await startTestService();
  owner = await setUp(service);
  env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token('full') };
  home = temporaryFolder();
  return () => service[Symbol.asyncDispose]();
});

const run = (...args: string[]) => runCli(home, ['import-dir', '.', '--takeout', '--report', 'report.json', ...args], { env });
const lines = (text: string) => text.split('\n').filter(Boolean);
const at = (seconds: number) => new Date(seconds * 1000).toISOString();

/** What the server has: each picture's name, caption, time, favourite and albums. */
async function stored() {
  const albums = (await owner.client.call(listAlbums, { query: { limit: 200 } })).items;
  const names = new Map(albums.map(({ id, name }) => [id, name]));
  const { items } = await owner.client.call(listImages, { query: { limit: 200, sort: 'name_asc' } });
  return items.map((image) => ({ ...image, albums: image.albums.map((id) => names.get(id)).sort() }));
}

const named = (images: Pick<Image, 'name'>[]) => images.map(({ name }) => name).sort();

/** What can be changed below a folder: the paths, sizes, times, modes and inodes. */
async function fingerprint(folder: string) {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, ctimeMs, mode, ino } = await stat(join(folder, name));
      return [name, size, mtimeMs, ctimeMs, mode, ino].join();
    }),
  );
}

describe('pixdock import-dir --takeout', () => {
  it('takes over dates, names, descriptions, favourites and albums, and uploads each picture once', async () => {
    await madeUpExport(home);
    const before = await fingerprint(join(home, 'Takeout'));
    const { stderr, code } = await run();
    expect(code, stderr).toBe(0);
    const images = await stored();
    const find = (name: string, taken?: string) => images.filter((image) => image.name === name && (!taken || image.taken_at === taken));
    expect(named(images)).toEqual(
      [
        ...[
          'IMG_1.jpg',
          'IMG_1.jpg',
          "Gary's “2”.jpg",
          'IMG_2.jpg',
          'IMG_1-bearbeitet.jpg',
          'IMG_1-edited(1).jpg',
          `${LONG}e_And_More.jpg`,
        ],
        ...[
          'received_10152408911805949.jpeg',
          'scan.png',
          'undated.png',
          'camera.jpg',
          'IMG_9.png',
          'VID_1.mp4',
          'archived.png',
          'alone.png',
          'damaged.png',
        ],
        ...['shared.png', 'only here.png', 'both.png', '峡湾.png', 'a.png', 'b.png', 'u.png'],
      ].sort(),
    );
    const caption = "Tom & Jerry's <boat>\nsecond line";
    expect(find('IMG_1.jpg', at(TAKEN))).toMatchObject([{ caption, favourite: true, albums: [] }]);
    expect(find('IMG_1.jpg', at(TAKEN + 1))).toMatchObject([{ caption: '', favourite: false }]);
    expect(find('IMG_2.jpg')).toMatchObject([{ taken_at: at(TAKEN + 2) }]);
    expect(find('IMG_1-bearbeitet.jpg')).toMatchObject([{ taken_at: at(TAKEN), caption, favourite: true }]);
    expect(find('IMG_1-edited(1).jpg')).toMatchObject([{ taken_at: at(TAKEN + 1), caption: '' }]);
    expect(find(`${LONG}e_And_More.jpg`)).toMatchObject([{ taken_at: at(TAKEN + 3) }]);
    expect(find('received_10152408911805949.jpeg')).toMatchObject([{ taken_at: at(TAKEN + 4) }]);
    expect(find('scan.png')).toMatchObject([{ taken_at: '1969-12-31T00:00:00.000Z' }]);
    expect(find('camera.jpg')).toMatchObject([{ taken_at: '2018-01-02T03:04:05.000Z' }]);
    expect(find('shared.png')).toMatchObject([{ caption: 'Harbour', albums: ['Oslo & Bergen'] }]);
    expect(find('only here.png')).toMatchObject([{ favourite: true, albums: ['Oslo & Bergen'] }]);
    expect(find('both.png')).toMatchObject([{ albums: ['Oslo & Bergen', '挪威 2019'] }]);
    expect(find('峡湾.png')).toMatchObject([{ caption: '在挪威', albums: ['挪威 2019'] }]);
    expect([find('a.png')[0]?.albums, find('b.png')[0]?.albums, find('u.png')[0]?.albums]).toEqual([
      ['Geburtstag'],
      ['Geburtstag (1)'],
      [],
    ]);
    expect(lines(stderr).slice(1)).toEqual([
      expect.stringMatching(/^pixdock: Uploaded 23 pictures \(.*\)\.$/),
      expect.stringMatching(/^pixdock: Skipped: \d non-picture or excluded files\.$/),
      'pixdock: Google Takeout: 2 with the same content as another file, not sent again; 1 in the trash of Google Photos, skipped; 1 archived in Google Photos, uploaded like the others; 1 video, skipped (1 of Live Photos); 5 without a JSON file; 1 with a damaged JSON file.',
      'pixdock: JSON files whose picture is missing (unpack all parts of the export into one folder): Takeout/Google Fotos/Photos from 2019/elsewhere.jpg.json.',
      'pixdock: Damaged JSON files, which may be those of albums: Takeout/Google Fotos/Hochzeit/Metadaten.json.',
      'pixdock: Albums without a title, left out: Takeout/Google Fotos/Ohne Titel.',
      'pixdock: Archives that aren’t unpacked: takeout-20260203T030726Z-1-002.zip.',
    ]);
    expect(lines(stderr)[0]).toBe(
      'pixdock: Takeout/Google Fotos/Photos from 2019/damaged.png.json: the JSON file is damaged. damaged.png is uploaded without its data.',
    );
    expect(await fingerprint(join(home, 'Takeout'))).toEqual(before);
    const report = JSON.parse(await readFile(join(home, 'report.json'), 'utf8'));
    expect(report.summary).toMatchObject({
      uploaded: 23,
      takeout: {
        copies: 2,
        trashed: 1,
        live_videos: 1,
        untitled_albums: ['Takeout/Google Fotos/Ohne Titel'],
        left_out: { favourites: 0, in_albums: 0 },
      },
    });
    const statuses = Map.groupBy(report.files as { status: string; path: string; key?: string }[], ({ status }) => status);
    expect([...statuses].map(([status, files]) => [status, files.length]).sort()).toEqual([
      ['copy', 2],
      ['trashed', 1],
      ['uploaded', 23],
    ]);
    expect(statuses.get('copy')?.find(({ path }) => path.endsWith('shared.png'))?.key).toBe(find('shared.png')[0]?.key);

    const again = await run();
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/Uploaded 0 pictures \(0 bytes in \d+ s\), 25 imported earlier\./);
    expect(await stored()).toEqual(images);
  });

  it('lists in a dry run what each picture gets, without a request', async () => {
    await madeUpExport(home);
    env.PIXDOCK_BASE_URL = 'http://127.0.0.1:9';
    const { stdout, stderr, code } = await run('--dry-run', '--album', 'All');
    expect(code).toBe(0);
    const root = 'Takeout/Google Fotos';
    const list = lines(stdout);
    expect(list).toHaveLength(22);
    expect(list).toContain(
      `${root}/Photos from 2019/IMG_1.jpg (79 bytes) → All · 2019-05-06T07:08:09Z · favourite · “Tom & Jerry's <boat>\\nsecond line”`,
    );
    expect(list.find((line) => line.includes('both.png'))).toMatch(
      /^Takeout.Google Fotos.Oslo _ Bergen.both\.png \(79 bytes\) → All, Oslo & Bergen, 挪威 2019 · 20.* · same as Takeout.Google Fotos.挪威 2019.both\.png$/,
    );
    expect(stderr).toContain('Would upload 22 pictures');
    expect(stderr).toContain('2 with the same content as another file');
    const json = await run('--dry-run', '--format', 'json');
    const plans = lines(json.stdout).map((line) => JSON.parse(line));
    expect(plans.find(({ path }) => path.endsWith('Oslo _ Bergen/shared.png'))).toEqual({
      path: `${root}/Oslo _ Bergen/shared.png`,
      size: 79,
      album: 'Oslo & Bergen',
      albums: ['Oslo & Bergen'],
      name: 'shared.png',
      taken_at: at(TAKEN),
      caption: 'Harbour',
      favourite: false,
      copies: [`${root}/Photos from 2019/shared.png`],
    });
  });

  it('puts pictures of an earlier run into the albums of a part that is unpacked later', async () => {
    const [one, two] = [newImage(), newImage()];
    const first = 'takeout-20260203T030726Z-1-001/Takeout/Google Photos/Photos from 2019';
    // The JSON file is in another part than its picture.
    await writeFiles(home, { [`${first}/1.png`]: one, [`${first}/2.png`]: two, [`${first}/2.png.json`]: pictureJson('two.png') });
    await writeFiles(home, { 'takeout-20260203T030726Z-1-002/Takeout/Google Photos/Photos from 2019/1.png.json': pictureJson('one.png') });
    expect((await run()).code).toBe(0);
    const [kept, deleted] = await stored();
    expect([kept?.name, deleted?.name]).toEqual(['one.png', 'two.png']);
    await owner.client.call(trashImage, { params: { key: deleted?.key as string } });
    const later = 'takeout-20260203T030726Z-1-003/Takeout/Google Photos/Trip';
    await writeFiles(home, { [`${later}/metadata.json`]: '{"title":"Trip"}', [`${later}/1.png`]: one, [`${later}/2.png`]: two });
    const { code, stderr } = await run();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Uploaded 0 pictures');
    expect(await stored()).toMatchObject([{ key: kept?.key, albums: ['Trip'] }]);
  });

  it('completes pictures that the server has already, and keeps what their owner wrote', async () => {
    const [plain, described] = [newImage(), newImage()];
    await writeFiles(home, { 'plain.png': plain, 'described.png': described });
    await runCli(home, ['upload', 'plain.png'], { env });
    await runCli(home, ['upload', 'described.png', '--caption', 'Mine'], { env });
    await rm(join(home, 'plain.png'));
    await rm(join(home, 'described.png'));
    const more = { description: 'Google’s', favorited: true };
    await writeFiles(home, {
      'Trip/metadata.json': '{"title":"Trip"}',
      'Trip/plain.png': plain,
      'Trip/plain.png.json': pictureJson('plain.png', more),
      'Trip/described.png': described,
      'Trip/described.png.json': pictureJson('described.png', more),
    });
    const { stderr } = await run();
    expect(stderr).toContain('2 of them already on the server');
    expect(await stored()).toMatchObject([
      { name: 'described.png', caption: 'Mine', favourite: true, albums: ['Trip'] },
      { name: 'plain.png', caption: 'Google’s', favourite: true, albums: ['Trip'] },
    ]);
  });

  it('says what a token that can only upload leaves out, and a later run with full access adds it', async () => {
    await madeUpExport(home);
    const full = env.PIXDOCK_TOKEN as string;
    env.PIXDOCK_TOKEN = await owner.token('upload');
    const { stderr, code } = await run();
    expect(code).toBe(1);
    expect(lines(stderr)[0]).toBe(
      'pixdock: This token can only upload: favourites and albums are left out. A full-access token sets them, too, now or in a later run.',
    );
    expect(stderr).toContain('Uploaded 23 pictures');
    expect(stderr).toContain(
      'pixdock: Left out, because this token can only upload: 3 favourites, the albums of 6 pictures. To add them, run the same command with a full-access token.\n',
    );
    const limited = await stored();
    expect(limited.find(({ name }) => name === 'shared.png')).toMatchObject({ caption: 'Harbour', taken_at: at(TAKEN), albums: [] });
    env.PIXDOCK_TOKEN = full;
    const second = await run();
    expect(second.code, second.stderr).toBe(0);
    const images = await stored();
    expect(images.map(({ key }) => key).sort()).toEqual(limited.map(({ key }) => key).sort());
    expect(images.filter(({ favourite }) => favourite)).toHaveLength(3);
    expect(images.find(({ name }) => name === 'both.png')?.albums).toEqual(['Oslo & Bergen', '挪威 2019']);
  });

  it('reports a folder that isn’t an export, and options that exclude each other', async () => {
    await writeFiles(home, { 'a.png': newImage() });
    expect((await run('--dry-run')).stderr).toContain(
      'No JSON files of Google Photos were found. Choose the folder of an unpacked export.',
    );
    const both = await run('--album-per-folder');
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('--takeout takes the albums from the export. Leave out --album-per-folder.');
  });
});
