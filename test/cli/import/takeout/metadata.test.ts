import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readData } from '#cli/import/takeout/metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { pictureJson, TAKEN } from './made-up-export.ts';

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
