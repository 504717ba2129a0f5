import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { originalOf } from '#cli/import/takeout/edited.ts';
import { readData } from '#cli/import/takeout/metadata.ts';
import { Sidecars } from '#cli/import/takeout/sidecars.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { pictureJson, TAKEN } from './made-up-export.ts';

/** Which JSON file belongs to which of these files; `titles` says what the JSON files contain. */
async function match(media: string[], jsons: string[], titles: Record<string, string> = {}) {
  const sidecars = new Sidecars(
    jsons.map((name) => ({ name })),
    async ({ name }) => titles[name],
  );
  const found = await sidecars.match(media.map((name) => ({ name })));
  return {
    pairs: Object.fromEntries([...found].map(([file, json]) => [file.name, json.name])),
    left: sidecars.left.map(({ name }) => name),
  };
}

describe('the JSON file of a picture in a Google Takeout', () => {
  it.each([
    ['IMG_1.jpg', 'IMG_1.jpg.json'],
    ['IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
    ['04d0fd9dc8abd6fac3014db0cd05d0ba.jpg', '04d0fd9dc8abd6fac3014db0cd05d0ba.jpg.supplemen.json'],
    ['11267559_10152906191670949_1479236175_o.jpg', '11267559_10152906191670949_1479236175_o.jpg.su.json'],
    ['1234567890123456789012345678901234567890.jpg', '1234567890123456789012345678901234567890.jpg.s.json'],
    ['12345678901234567890123456789012345678901.jpg', '12345678901234567890123456789012345678901.jpg..json'],
    // Cut into the extension, and into the name.
    ['1234567890123456789012345678901234567890123.jpeg', '1234567890123456789012345678901234567890123.jp.json'],
    ['Screenshot_2020-03-01-12-34-56-789_com.example.ap.jpg', 'Screenshot_2020-03-01-12-34-56-789_com.example.json'],
    // 47 characters of Chinese are more than 46 bytes.
    ['二零一九年五月在挪威奥斯陆拍摄的照片全家福.jpg', '二零一九年五月在挪威奥斯陆拍摄的照片.json'],
    ['IMG_1(1).jpg', 'IMG_1.jpg(1).json'],
    ['IMG_1(12).jpg', 'IMG_1.jpg.supplemental-metadata(12).json'],
    ['IMG_1(1).jpg', 'IMG_1(1).jpg.json'],
    ['hangout_snapshot_0(1)(3).jpg', 'hangout_snapshot_0(1).jpg.supplemental-metadat(3).json'],
    ['IMG_4081(1).jpg', 'IMG_4081.JPG(1).json'],
    ['Peanut Butter Balls.jpg', 'Peanut Butter Balls.supplemental-metadata.json'],
    ['21.12.11 - 1(1).jpg', '21.12.11 - 1.supplemental-metadata(1).json'],
    ['IMG_7.jpg', 'IMG_7.HEIC.supplemental-metadata.json'],
    // macOS decomposes accents.
    ['Fête.jpg', 'Fe\u0302te.jpg.json'],
    ['IMG_1-edited.jpg', 'IMG_1.jpg.json'],
    ['IMG_1-bearbeitet.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
    ['IMG_1-modifie\u0301.jpg', 'IMG_1.jpg.json'],
    ['IMG_1-ha editado.jpeg', 'IMG_1.jpeg.json'],
    ['IMG_1-已修改.jpg', 'IMG_1.HEIC.json'],
    ['IMG_1-edited(1).jpg', 'IMG_1.jpg.supplemental-metadata(1).json'],
    ['IMG_1(1)-edited.jpg', 'IMG_1.jpg(1).json'],
    ['123456789012345678901234567890123456789_IMG1-edi.jpg', '123456789012345678901234567890123456789_IMG1.j.json'],
  ])('of %s is %s', async (picture, json) => {
    expect(await match([picture], [json])).toEqual({ pairs: { [picture]: json }, left: [] });
  });

  it.each([
    ['IMG_1.jpg', 'IMG_12.jpg.json'],
    ['IMG_12.jpg', 'IMG_1.json'],
    ['IMG_1(1).jpg', 'IMG_1.jpg.json'],
    ['IMG_1.jpg', 'IMG_1.jpg(1).json'],
    ['Anna-Lena.jpg', 'Anna.jpg.json'],
    ['IMG_1.jpg', 'metadata.json'],
  ])('of %s isn’t %s', async (picture, json) => {
    expect(await match([picture], [json])).toEqual({ pairs: {}, left: [json] });
  });

  it('belongs to one picture, and to its edited copies', async () => {
    const media = ['IMG_1.jpg', 'IMG_1(1).jpg', 'IMG_1(2).jpg', 'IMG_1-edited.jpg', 'IMG_1-edited(2).jpg', 'IMG_2.HEIC', 'IMG_2.MP4'];
    const jsons = ['IMG_1.jpg.json', 'IMG_1.jpg(1).json', 'IMG_1.jpg(2).json', 'IMG_2.HEIC.json', 'metadata.json', 'IMG_9.jpg.json'];
    expect(await match(media, jsons)).toEqual({
      pairs: {
        'IMG_1.jpg': 'IMG_1.jpg.json',
        'IMG_1(1).jpg': 'IMG_1.jpg(1).json',
        'IMG_1(2).jpg': 'IMG_1.jpg(2).json',
        'IMG_1-edited.jpg': 'IMG_1.jpg.json',
        'IMG_1-edited(2).jpg': 'IMG_1.jpg(2).json',
        'IMG_2.HEIC': 'IMG_2.HEIC.json',
      },
      left: ['metadata.json', 'IMG_9.jpg.json'],
    });
  });

  it('is told apart by case where two names differ in nothing else', async () => {
    const { pairs } = await match(['A.JPG', 'a.jpg'], ['a.jpg.json', 'A.JPG.json']);
    expect(pairs).toEqual({ 'A.JPG': 'A.JPG.json', 'a.jpg': 'a.jpg.json' });
  });

  it('is found by its title where long names have the same beginning, and where a name was changed', async () => {
    const start = 'Screenshot_20200301-123456_Some_Long_Application';
    const cut = start.slice(0, 46);
    const { pairs } = await match(
      [`${start.slice(0, 46)}i.jpg`, `${start.slice(0, 46)}o.jpg`, 'Gary_s _.jpg'],
      [`${cut}.json`, `${cut}(1).json`, 'xyz.json'],
      { [`${cut}.json`]: `${cut}o then.jpg`, [`${cut}(1).json`]: `${cut}i now.jpg`, 'xyz.json': "Gary's ?.jpg" },
    );
    expect(pairs).toEqual({ [`${cut}i.jpg`]: `${cut}(1).json`, [`${cut}o.jpg`]: `${cut}.json`, 'Gary_s _.jpg': 'xyz.json' });
  });

  it('is found in a folder of 20,000 pictures in time that grows with their number', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `IMG_${index}.jpg`);
    const startedAt = performance.now();
    const { pairs } = await match(
      names,
      names.map((name) => `${name}.supplemental-metadata.json`),
    );
    expect(Object.keys(pairs)).toHaveLength(20_000);
    // Two seconds on a busy computer; comparing all with all takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('the name of an edited copy', () => {
  it.each([
    ['img_1-edited', 'img_1'],
    ['a-b-düzenlendi', 'a-b'],
    ['img_1-edit', undefined],
    ['-edited', undefined],
    ['anna-lena', undefined],
  ])('%s is that of %s', (base, original) => {
    expect(originalOf(base)).toBe(original);
  });
});

async function read(content: string | Buffer) {
  const root = await realpath(temporaryFolder());
  const path = join(root, 'x.json');
  await writeFile(path, content);
  return readData({ path: Buffer.from(path), root, size: Buffer.byteLength(content) });
}

describe('a JSON file of a Google Takeout', () => {
  it.each([
    [TAKEN, '2019-05-06T07:08:09.000Z'],
    [String(TAKEN), '2019-05-06T07:08:09.000Z'],
    ['-2208988800', '1900-01-01T00:00:00.000Z'],
    ['-4544208000', '1826-01-01T00:00:00.000Z'],
  ])('dates a picture: %s', async (timestamp, taken_at) => {
    expect(await read(pictureJson('a.jpg', {}, timestamp))).toMatchObject({ kind: 'picture', time: { taken_at } });
  });

  it.each([0, '', 'soon', '5767106400000', '-4544208001', '-62135596800', '-99999999999', '9999999999'])(
    'knows no date: %s',
    async (timestamp) => {
      expect(await read(pictureJson('a.jpg', {}, timestamp))).toMatchObject({ kind: 'picture', time: {} });
    },
  );

  it('escapes some characters as in HTML, once', async () => {
    const description = '&lt;b&gt; &quot;AT&amp;amp;T&quot; &#39;x&#x1F600; &unknown; 5 & 6';
    expect(await read(`\ufeff${pictureJson('it&#39;s.jpg', { description, favorited: true })}`)).toMatchObject({
      title: "it's.jpg",
      caption: '<b> "AT&amp;T" \'x😀 &unknown; 5 & 6',
      isFavourite: true,
      isArchived: false,
      isTrashed: false,
    });
  });

  it('may have fields of any type', async () => {
    const odd = { title: 5, description: null, favorited: 'yes', archived: 1, people: {}, geoData: null };
    const expected = { kind: 'picture', title: '', caption: '', isFavourite: false, isArchived: false };
    expect(await read(pictureJson('a.jpg', odd))).toMatchObject(expected);
  });

  it('has a description that fits', async () => {
    const data = await read(pictureJson('a.jpg', { description: 'x'.repeat(5000) }));
    expect(data).toMatchObject({ caption: `${'x'.repeat(1999)}…` });
  });

  it.each([
    ['{"title":"Gary&#39;s trip","description":"","access":"protected","date":{"timestamp":"1"}}', { kind: 'album', title: "Gary's trip" }],
    ['{"albumData":{"title":"Old","access":"protected"}}', { kind: 'album', title: 'Old' }],
    ['{"title":"","sharedAlbumComments":[{"text":"?"}]}', { kind: 'album', title: '' }],
    ['{"title":"2019"}', { kind: 'album', title: '2019' }],
    ['{"title":"Photos from 2019","access":"protected"}', { kind: 'other' }],
    ['{"albumData":{"title":"2014-07-09 #2"}}', { kind: 'other' }],
    ['{"memories":[]}', { kind: 'other' }],
    ['{}', { kind: 'other' }],
  ])('describes an album, or something else: %s', async (content, data) => {
    expect(await read(content)).toEqual(data);
  });

  it.each(['', 'null', '[]', '"x"', '{"title": "a.jpg", "photoTak'])('is damaged: %j', async (content) => {
    await expect(read(content)).rejects.toThrow('the JSON file is damaged');
  });

  it('isn’t read if it is as large as a picture', async () => {
    await expect(readData({ path: Buffer.from('/nowhere'), root: '/', size: 9_000_000 })).rejects.toThrow('too large');
  });
});
