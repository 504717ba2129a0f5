import { expect, it } from 'vitest';
import { DEFAULTS, parsePreferences } from '#renderer/preferences/preference-values.ts';
import { chosenFiles, droppedFiles, MAX_FILES } from '#renderer/upload/incoming.ts';
import { groupByFolder } from '#renderer/upload/options/folders.ts';
import { firstOptions, toFields, toRemember } from '#renderer/upload/options/options.ts';
import { rememberedFields } from '#renderer/upload/options/remembered-fields.ts';

const picture = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const named = (name: string, ...folder: string[]) => ({ file: picture(name), name, folder });

const files = [named('a', 'Holiday'), named('b', 'Holiday', 'Beach'), named('c', 'Work', 'Beach'), { file: picture('d'), name: 'd' }];
const names = (albums: 'one' | 'each' | 'none') =>
  groupByFolder(files, albums).map(({ title, files: group }) => [title, group.map(({ name }) => name).join('')]);

it('makes one album for each dropped folder, or one for each folder with pictures, or none', () => {
  expect(names('one')).toEqual([
    ['Holiday', 'ab'],
    ['Work', 'c'],
    [undefined, 'd'],
  ]);
  expect(names('each')).toEqual([
    ['Holiday', 'a'],
    ['Holiday / Beach', 'b'],
    ['Work / Beach', 'c'],
    [undefined, 'd'],
  ]);
  expect(names('none')).toEqual([[undefined, 'abcd']]);
});

it('keeps the end of a path that is too long for a title', () => {
  const [group] = groupByFolder([named('a', 'x'.repeat(150), 'y'.repeat(100))], 'each');
  expect(group?.title).toHaveLength(200);
  expect(group?.title).toMatch(/^…x+ \/ y{100}$/);
});

it('names albums as the service writes names, cut between characters', () => {
  const title = (...folder: string[]) => groupByFolder([named('a', ...folder)], 'each')[0]?.title;
  expect(title('two  words', 'a line\nand another\u202e')).toBe('two words / a line and another');
  expect(title('\u200b')).toBeUndefined();
  expect(title(`${'👩‍👩‍👧'.repeat(25)}x`)).toBe(`…${'👩‍👩‍👧'.repeat(24)}x`);
});

/** A folder as browsers present it: in portions, the last of which is empty. */
function directory(name: string, inner: (FileSystemEntry | File)[]): FileSystemEntry {
  const entries = inner.map((each) =>
    each instanceof File
      ? ({ isFile: true, isDirectory: false, name: each.name, file: (done: (file: File) => void) => done(each) } as FileSystemFileEntry)
      : each,
  );
  const createReader = () => {
    let at = 0;
    return {
      readEntries(done: (portion: FileSystemEntry[]) => void) {
        done(entries.slice(at, at + 100));
        at += 100;
      },
    };
  };
  return { isFile: false, isDirectory: true, name, createReader } as unknown as FileSystemEntry;
}

const drop = (...entries: FileSystemEntry[]) =>
  droppedFiles({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] } as unknown as DataTransfer);

it('finds the pictures of dropped folders with their folders, and nothing else', async () => {
  const beach = directory('Beach', [picture('b.jpg'), new File(['x'], 'IMG.HEIC'), new File(['x'], 'Thumbs.db')]);
  const { files: found, isCut } = await drop(directory('Holiday', [picture('a.jpg'), beach]));
  expect(isCut).toBe(false);
  expect(found.map(({ name, folder }) => [name, folder])).toEqual([
    ['a.jpg', ['Holiday']],
    ['b.jpg', ['Holiday', 'Beach']],
    ['IMG.HEIC', ['Holiday', 'Beach']],
  ]);
});

it('takes a limited number of pictures, from a limited depth', async () => {
  const many = Array.from({ length: MAX_FILES + 1 }, (_, index) => picture(`${index}.jpg`));
  const { files: found, isCut } = await drop(directory('Many', many));
  expect([found.length, isCut]).toEqual([MAX_FILES, true]);
  let deep = directory('deepest', [picture('a.jpg')]);
  for (let depth = 0; depth < 40; depth += 1) deep = directory(`${depth}`, [deep]);
  expect(await drop(deep)).toEqual({ files: [], isCut: true });
});

it('reads the folders of a chosen folder', () => {
  const file = picture('a.jpg');
  Object.defineProperty(file, 'webkitRelativePath', { value: 'Holiday/Beach/a.jpg' });
  expect(chosenFiles([file] as unknown as FileList).files).toEqual([{ file, name: 'a.jpg', folder: ['Holiday', 'Beach'] }]);
});

const account = { visibility: 'private' as const, album_id: 'default000' };

it('begins with the options of this browser, then the account’s, and always with the album of the page', () => {
  expect(firstOptions({}, undefined, account)).toMatchObject({ albums: ['default000'], visibility: 'private', expiresIn: '', tags: [] });
  const fields = { visibility: 'public', album_id: 'coast00000', expires_in: '3600', max_views: '5', convert: 'webp', tags: 'sea,sun' };
  const options = firstOptions(fields, undefined, account);
  expect(options).toMatchObject({ albums: ['coast00000'], visibility: 'public', expiresIn: '3600', maxViews: 5, tags: ['sea', 'sun'] });
  expect(firstOptions(fields, 'shown00000', account).albums).toEqual(['shown00000']);
  expect(toFields(options, options.albums)).toEqual(fields);
  const several = { visibility: 'public', convert: 'original', albums: 'coast00000,sea0000000' };
  expect(toFields(firstOptions(several, undefined, account), ['coast00000', 'sea0000000'])).toEqual(several);
  expect(firstOptions(several, undefined, account).albums).toEqual(['coast00000', 'sea0000000']);
});

it('sends only what was chosen', () => {
  const options = firstOptions({}, undefined, undefined);
  expect(toFields(options, [])).toEqual({ visibility: 'public', convert: 'original' });
  expect(toFields({ ...options, password: 'open sesame', tags: ['a,b'] }, ['coast00000'])).toEqual({
    visibility: 'public',
    convert: 'original',
    album_id: 'coast00000',
    access_password: 'open sesame',
    tags: 'a b',
  });
});

it('sends a custom address, and what replaces it, only together', () => {
  const options = firstOptions({}, undefined, undefined, 'avif');
  expect(toFields({ ...options, slugOr: 'number' }, [])).toEqual({ visibility: 'public', convert: 'avif' });
  expect(toFields({ ...options, slug: ' Coast ' }, [])).toEqual({ visibility: 'public', convert: 'avif', slug: 'coast' });
  const named = toFields({ ...options, slug: 'coast', slugOr: 'number' }, []);
  expect(named).toMatchObject({ slug: 'coast', slug_or: 'number' });
  expect(toRemember(named)).toEqual({ visibility: 'public', convert: 'avif' });
  expect(firstOptions({ convert: 'heic' }, undefined, undefined).convert).toBe('original');
});

it('never keeps a password, and keeps options for their user only', () => {
  const fields = toRemember({ visibility: 'private', access_password: 'open sesame', expires_at: '2026-12-31T18:00:00Z' });
  expect(fields).toEqual({ visibility: 'private' });
  const { uploadOptions } = parsePreferences(
    JSON.stringify({ uploadOptions: { user: 7, fields: { ...fields, access_password: 'x', tags: 5 } } }),
  );
  expect(uploadOptions).toEqual({ user: 7, fields: { visibility: 'private' } });
  expect(rememberedFields(uploadOptions, 7)).toEqual({ visibility: 'private' });
  expect(rememberedFields(uploadOptions, 8)).toEqual({});
  expect(rememberedFields(uploadOptions, undefined)).toEqual({});
});

it.each([7, 'text', [], { user: 'ada', fields: {} }, { user: 7 }])('ignores stored options such as %j', (uploadOptions) => {
  expect(parsePreferences(JSON.stringify({ uploadOptions }))).toEqual(DEFAULTS);
});
