import { readFile } from 'node:fs/promises';
import type { ClipboardItem as ElectronItem } from 'electron';
import { expect, test } from 'vitest';
import { captureName, clipboardMark, clipboardSources, filesOfUriList } from '#main/capture/clipboard.ts';
import { openCaptures } from '#main/uploader/sources.ts';
import { ClipboardItem } from '#test/desktop/double/clipboard.ts';
import { temporaryFolder } from '#test/helpers/folder.ts';

const holding = (content: Record<string, Blob | string>) => ({ read: async () => [new ClipboardItem(content) as unknown as ElectronItem] });

test('prefers a lossless copy of a picture to a lossy one', async () => {
  const captures = openCaptures(temporaryFolder());
  const [source] = await clipboardSources(holding({ 'image/jpeg': new Blob(['lossy']), 'image/png': new Blob(['lossless']) }), captures);
  expect(source?.name).toMatch(/^clipboard-.*\.png$/);
  expect(await readFile(source?.path ?? '', 'utf8')).toBe('lossless');
});

test('prefers copied files to the picture that some programs add to them', async () => {
  const clipboard = holding({ 'image/png': new Blob(['icon']), 'text/uri-list': 'file:///pictures/a.png' });
  expect(await clipboardSources(clipboard, openCaptures(temporaryFolder()))).toEqual([
    { path: '/pictures/a.png', name: 'a.png', capture: false },
  ]);
});

test('passes a name and other options on with a picture or a single file', async () => {
  const options = { name: 'plan.png', fields: { visibility: 'private' } };
  const captures = openCaptures(temporaryFolder());
  expect(await clipboardSources(holding({ 'image/png': new Blob(['picture']) }), captures, options)).toMatchObject([options]);
  const one = holding({ 'text/uri-list': 'file:///pictures/a.png' });
  expect(await clipboardSources(one, captures, options)).toEqual([{ path: '/pictures/a.png', capture: false, ...options }]);
  const two = holding({ 'text/uri-list': 'file:///pictures/a.png\nfile:///pictures/b.png' });
  await expect(clipboardSources(two, captures, options)).rejects.toMatchObject({ text: 'severalForOneName' });
  expect(await clipboardSources(two, captures, { fields: options.fields })).toMatchObject([
    { name: 'a.png', fields: options.fields },
    { name: 'b.png', fields: options.fields },
  ]);
});

test.each([
  ['nothing', {}],
  ['text', { 'text/plain': 'words' }],
  ['an empty picture', { 'image/png': new Blob([]) }],
  ['a link to elsewhere', { 'text/uri-list': 'https://example.org/a.png' }],
])('reports an empty clipboard for %s', async (_what, content) => {
  const sources = clipboardSources(holding(content), openCaptures(temporaryFolder()));
  await expect(sources).rejects.toMatchObject({ text: 'clipboardEmpty' });
});

test('reads a list of files with comments, either line ending, and escapes', () => {
  expect(filesOfUriList('# files\r\nfile:///a%20b.png\r\nhttps://example.org/c.png\nfile:///%C3%A4.png\n')).toEqual(['/a b.png', '/ä.png']);
});

test('names captures by local time, to the millisecond', () => {
  expect(captureName(new Date(2026, 0, 2, 3, 4, 5, 6), 'png')).toBe('clipboard-20260102-030405-006.png');
});

test('recognises the same content and distinguishes other content', async () => {
  const mark = (content: Record<string, Blob | string>) => clipboardMark(holding(content));
  const contents: Record<string, Blob | string>[] = [
    {},
    { 'text/plain': 'a' },
    { 'text/plain': 'b' },
    { 'text/uri-list': 'a' },
    { 'image/png': new Blob(['a']) },
    { 'image/png': new Blob(['b']) },
  ];
  const marks = await Promise.all(contents.map(mark));
  expect(new Set(marks).size).toBe(contents.length);
  expect(await Promise.all(contents.map(mark))).toEqual(marks);
});
