import { expect, it } from 'vitest';
import { chosenFiles, droppedFiles, MAX_FILES } from '#renderer/upload/incoming.ts';
import { groupByFolder } from '#renderer/upload/options/folders.ts';

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
