import { readFile } from 'node:fs/promises';
import type { ClipboardItem as ElectronItem } from 'electron';
import { expect, onTestFinished, test, vi } from 'vitest';
import { captureName } from '#main/capture/capture-name.ts';
import { clipboardItems, filesOfUriList, readClipboard } from '#main/capture/clipboard.ts';
import { openSpool, type SourceOptions, type Spool } from '#main/uploader/spool.ts';
import { ClipboardItem, clipboard, systemItem } from '#test/desktop/double/system/clipboard.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const holding = (content: Record<string, Blob | string>) => ({ read: async () => [systemItem(content)] });
const itemsOf = async (clipboard: ReturnType<typeof holding>, spool: Spool, options?: SourceOptions) =>
  clipboardItems(await readClipboard(clipboard), spool, async () => false, options);

test('prefers a lossless copy of a picture to a lossy one', async () => {
  const spool = openSpool(temporaryFolder());
  const [source] = await itemsOf(holding({ 'image/jpeg': new Blob(['lossy']), 'image/png': new Blob(['lossless']) }), spool);
  expect(source?.name).toMatch(/^clipboard-.*\.png$/);
  expect(await readFile(source?.path ?? '', 'utf8')).toBe('lossless');
});

test('prefers copied files to the picture that some programs add to them', async () => {
  const clipboard = holding({ 'image/png': new Blob(['icon']), 'text/uri-list': 'file:///pictures/a.png' });
  expect(await itemsOf(clipboard, openSpool(temporaryFolder()))).toEqual([{ path: '/pictures/a.png', name: 'a.png', spooled: false }]);
});

test('passes a name and other options on with a picture or a single file', async () => {
  const options = { name: 'plan.png', fields: { visibility: 'private' } };
  const spool = openSpool(temporaryFolder());
  expect(await itemsOf(holding({ 'image/png': new Blob(['picture']) }), spool, options)).toMatchObject([options]);
  const one = holding({ 'text/uri-list': 'file:///pictures/a.png' });
  expect(await itemsOf(one, spool, options)).toEqual([{ path: '/pictures/a.png', spooled: false, ...options }]);
  const two = holding({ 'text/uri-list': 'file:///pictures/a.png\nfile:///pictures/b.png' });
  await expect(itemsOf(two, spool, options)).rejects.toMatchObject({ text: 'severalForOneName' });
  expect(await itemsOf(two, spool, { fields: options.fields })).toMatchObject([
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
  const sources = itemsOf(holding(content), openSpool(temporaryFolder()));
  await expect(sources).rejects.toMatchObject({ text: 'clipboardEmpty' });
});

test('reads a list of files with comments, either line ending, and escapes', () => {
  expect(filesOfUriList('# files\r\nfile:///a%20b.png\r\nhttps://example.org/c.png\nfile:///%C3%A4.png\n')).toEqual(['/a b.png', '/ä.png']);
});

test('names captures by local time, to the millisecond', () => {
  expect(captureName('clipboard', new Date(2026, 0, 2, 3, 4, 5, 6), 'png')).toBe('clipboard-20260102-030405-006.png');
});

test('recognises the same content and distinguishes other content', async () => {
  const mark = async (content: Record<string, Blob | string>) => (await readClipboard(holding(content))).mark;
  const contents: Record<string, Blob | string>[] = [
    {},
    { 'text/plain': 'a' },
    { 'text/plain': 'b' },
    { 'text/uri-list': 'file:///a' },
    { 'image/png': new Blob(['a']) },
    { 'image/png': new Blob(['b']) },
  ];
  const marks = await Promise.all(contents.map(mark));
  expect(new Set(marks).size).toBe(contents.length);
  expect(await Promise.all(contents.map(mark))).toEqual(marks);
});

const system = (format: string) => `electron application/osclipboard;format="${format}"`;

test.each([
  ['GIF on X11', system('image/gif'), 'gif'],
  ['WebP on X11', system('image/webp'), 'webp'],
  ['JPEG on X11', system('image/jpeg'), 'jpg'],
  ['BMP on X11', system('image/x-MS-bmp'), 'bmp'],
  ['TIFF on X11', system('image/tiff'), 'tif'],
  ['WebP on Wayland', 'image/webp', 'webp'],
  ['GIF on macOS', system('com.compuserve.gif'), 'gif'],
  ['TIFF on macOS', system('public.tiff'), 'tif'],
  ['PNG on Windows', system('PNG'), 'png'],
  ['JPEG on Windows', system('JFIF'), 'jpg'],
])('recognises a picture that the system offers as %s', async (_what, type, ext) => {
  const { picture } = await readClipboard(holding({ [system('TARGETS')]: 'x', [type]: new Blob(['bytes']) }));
  expect(picture).toEqual({ ext, bytes: new TextEncoder().encode('bytes') });
});

test('prefers an animation copied on macOS to the still PNG made from it', async () => {
  const content = { 'image/png': new Blob(['still']), [system('com.compuserve.gif')]: new Blob(['moving']) };
  expect((await readClipboard(holding(content))).picture?.ext).toBe('gif');
});

test('takes the next format when a program announces one that it can’t deliver', async () => {
  const { picture } = await readClipboard(holding({ 'image/png': new Blob([]), [system('image/jpeg')]: new Blob(['photo']) }));
  expect(picture).toEqual({ ext: 'jpg', bytes: new TextEncoder().encode('photo') });
});

test('reads only the type that it uses, and that one once', async () => {
  const read: string[] = [];
  const item = {
    types: ['text/plain', 'text/html', 'image/png', 'image/jpeg'],
    getType: async (type: string) => {
      read.push(type);
      return new Blob(['bytes']);
    },
  } as unknown as ElectronItem;
  await readClipboard({ read: async () => [item] });
  expect(read).toEqual(['image/png']);
});

test.each(['clipboard-slow', ''])('the same picture has the same mark each time, and the first of its formats (%s)', async (trait) => {
  vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', trait);
  onTestFinished(() => void vi.unstubAllEnvs());
  const picture = new Blob([new Uint8Array(await png())]);
  const items: Record<string, string | Blob>[] = [{ 'text/html': '<img>' }, { 'image/png': picture }];
  await clipboard.write(items.map((content) => new ClipboardItem(content) as unknown as ElectronItem));
  const [first, second] = [await readClipboard(clipboard), await readClipboard(clipboard)];
  expect(first.picture?.ext).toBe('png');
  expect(second.mark).toBe(first.mark);
  await clipboard.writeText('http://127.0.0.1/i/a.png');
  expect((await readClipboard(clipboard)).mark).not.toBe(first.mark);
});
