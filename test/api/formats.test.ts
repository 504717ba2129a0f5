import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  ACCEPTED_FILES,
  ALL_EXTS,
  allowsVideos,
  anyOf,
  FORMAT_NAMES,
  FORMATS,
  formatOf,
  formatOfFile,
  formatsWith,
  isDrawing,
  isVideo,
  KNOWN_EXTS,
  linkExtOf,
  mayBeTransparent,
  PICTURE_EXTS,
  SERVED_EXTS,
} from '#api/formats.ts';
import { parseSearch } from '#api/images/search-terms.ts';
import { lookups, partsOf } from '#cli/import/takeout/names.ts';
import type { TextDocument } from '#cli/markdown/documents.ts';
import { Locator } from '#cli/markdown/locate.ts';
import { pictureTypes } from '#main/capture/clipboard-types.ts';
import { outputFormats } from '#renderer/editor/picture/output.ts';
import { chosenFiles } from '#renderer/upload/incoming.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { compileFilters } from '#transfer/select.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What cameras, phones and programs call their files, and what is in them. */
const NAMES = {
  'IMG_0001.HIF': 'heic',
  'IMG_0002.heif': 'heic',
  'IMG_0003.HEIC': 'heic',
  'scan.jpe': 'jpeg',
  'page.jfif': 'jpeg',
  'DSC_0001.MPO': 'jpeg',
  'moving.apng': 'png',
  'moving.avifs': 'avif',
  'old.dib': 'bmp',
  'fax.TIF': 'tiff',
} as const;

describe('every way for files to get into Pixdock', () => {
  it.each(Object.entries(NAMES))('takes %s', async (name, format) => {
    expect(formatOfFile(name)).toBe(format);
    expect(compileFilters({ recursive: true }).takesFile(`folder/${name}`), 'folders of the command line and watch folders').toBe(true);
    const chosen = chosenFiles([folderFile(name)] as unknown as FileList);
    expect(
      chosen.files.map((file) => file.name),
      'folders that are chosen in the page',
    ).toEqual([name]);
    const base = temporaryFolder();
    writeFileSync(join(base, name), '');
    const document = { path: join(base, 'page.md'), base } as TextDocument;
    expect(await new Locator(false, base).locate({ target: name, isName: false }, document), 'Markdown').toHaveProperty('file');
    const ext = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    expect(ALL_EXTS, 'the file dialog of the app').toContain(ext);
  });

  it('leaves what isn’t a picture, and drawings, where they are in folders', () => {
    const { takesFile } = compileFilters({ recursive: true });
    expect(['notes.txt', 'heic', 'film.mp4', 'icon.svg'].filter(takesFile)).toEqual([]);
    expect(chosenFiles([folderFile('notes.txt'), folderFile('heic')] as unknown as FileList).files).toEqual([]);
    expect(chosenFiles([folderFile('photo', 'image/jpeg')] as unknown as FileList).files).toHaveLength(1);
  });

  it('finds the JSON file of a picture that Google has converted from any of them', () => {
    const subjects = lookups(partsOf('img_1.jpg')).flat();
    for (const ext of PICTURE_EXTS) expect(subjects).toContainEqual({ subject: `img_1.${ext}`, number: 0 });
  });

  it('offers files whose types systems don’t know beside all images', () => {
    expect(ACCEPTED_FILES.split(',')).toEqual(expect.arrayContaining(['image/*', '.heic', '.hif', '.avif']));
  });

  it('takes the best of what a clipboard offers', () => {
    const offered = ['image/bmp', 'public.tiff', 'image/jpeg', 'image/heif', 'public.png', 'com.compuserve.gif'];
    expect(pictureTypes(offered).map(({ ext }) => ext)).toEqual(['gif', 'png', 'heif', 'jpg', 'tif', 'bmp']);
  });
});

function folderFile(name: string, type = '') {
  return { name, type, webkitRelativePath: `folder/${name}` };
}

describe('the table of formats', () => {
  it('has each extension and media type for what it is', () => {
    for (const name of FORMAT_NAMES) {
      const { exts, types, label } = FORMATS[name];
      expect(label.toLowerCase()).toBe(name);
      for (const ext of exts) expect(ext).toMatch(/^[a-z][a-z0-9]{1,4}$/);
      for (const type of types) expect(type).toMatch(/^(image|video)\/[a-z0-9+-]+$/);
      // Both are pictures in a HEIF container, which is all that the extension says.
      for (const ext of exts) expect([formatOf(ext), ...(name === 'heif' ? ['heif'] : [])], ext).toContain(name);
    }
    const types = FORMAT_NAMES.flatMap((name) => FORMATS[name].types as readonly string[]);
    expect(new Set(types).size).toBe(types.length);
  });

  it('says what the contract promises', () => {
    expect(SERVED_EXTS).toEqual(['jpg', 'png', 'gif', 'webp', 'avif', 'svg', 'mp4', 'webm']);
    expect(KNOWN_EXTS.filter((ext) => !isDrawing(ext))).toEqual(
      'jpg, jpeg, png, gif, webp, avif, heic, heif, bmp, tiff, mp4, mov, webm'.split(', '),
    );
    expect(['mp4', 'webm', 'gif'].map(isVideo)).toEqual([true, true, false]);
    expect([['jpg'], ['jpg', 'mov']].map(allowsVideos)).toEqual([false, true]);
    expect(anyOf('avatar')).toBe('JPEG, PNG or WebP');
    expect(['jpg', 'png', 'svg'].map(mayBeTransparent)).toEqual([false, true, true]);
    expect(['jpeg', 'jpe', 'apng', 'webp', 'xyz'].map(linkExtOf)).toEqual(['jpg', 'jpg', 'png', 'webp', 'xyz']);
  });

  it('decides what search words and edited pictures mean', () => {
    expect(['JPEG', 'jfif', 'apng', 'svg', 'mp4', 'type:video', '视频', 'tiff'].map((word) => parseSearch(word).parts[0]?.type)).toEqual([
      'jpg',
      'jpg',
      'png',
      'svg',
      'mp4',
      'video',
      'video',
      undefined,
    ]);
    expect(['jpe', 'gif', 'avif', 'webp', 'hif', 'xyz'].map((ext) => outputFormats(ext, false, undefined)[0]?.ext)).toEqual([
      'jpg',
      'png',
      'webp',
      'webp',
      'png',
      'png',
    ]);
  });
});

describe('the packages', () => {
  const builder = parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8'));

  it('open every media type on Linux', () => {
    const types = builder.linux.mimeTypes.filter((type: string) => /^(image|video)\//.test(type));
    expect(types.toSorted()).toEqual(FORMAT_NAMES.flatMap((name) => FORMATS[name].types as readonly string[]).toSorted());
  });

  it('are offered for every extension on macOS and Windows', () => {
    const onMac: string[] = builder.mac.fileAssociations.flatMap(({ ext }: { ext: string[] }) => ext);
    const onWindows = [...readFileSync(join(ROOT, 'resources/build/installer.nsh'), 'utf8').matchAll(/insertmacro \$\{MACRO\} "(\w+)"/g)];
    expect(onMac.toSorted()).toEqual([...ALL_EXTS].toSorted());
    expect(onWindows.map(([, ext]) => ext).toSorted()).toEqual([...ALL_EXTS].toSorted());
  });
});

/** Files that deal with the formats that they name: most are types that don't compile without a new one. */
const BY_FORMAT = new Set([
  'api/formats.ts',
  'electron-builder.yml',
  'renderer/desktop/edit/video/cut.ts',
  'renderer/editor/picture/output.ts',
  'resources/build/installer.nsh',
  'scripts/dev/demo-pictures.ts',
  'server/features/upload/prepare.ts',
  'server/platform/imaging/decoder/sharp/open.ts',
  'server/platform/imaging/decoder/threads/job.ts',
  'server/platform/imaging/inspect.ts',
  'server/platform/imaging/memory.ts',
  'server/platform/imaging/sniff.ts',
]);

it('no other file lists formats', () => {
  const files = globSync(['{api,cli,main,renderer,resources,scripts,server,texts,transfer}/**/*.{ts,tsx,js,mjs,nsh}', '*.yml'], {
    cwd: ROOT,
  });
  const named = new RegExp(String.raw`(?:['"\x60.{|]|image/)(${[...ALL_EXTS, ...FORMAT_NAMES].join('|')})(?=['"\x60|,}]|\s*:)`, 'gi');
  const listing = files.filter((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .map((line) => line.replace(/^\s*(\*|\/\/|\/\*).*/, ''));
    const formatsIn = (text: string) => new Set([...text.matchAll(named)].map(([, ext = '']) => formatOf(ext)));
    return lines.some((_, at) => formatsIn(lines.slice(at, at + 3).join('\n')).size >= 3);
  });
  expect(listing.filter((file) => !BY_FORMAT.has(file))).toEqual([]);
  expect(formatsWith('shown').length).toBe(SERVED_EXTS.length);
});
