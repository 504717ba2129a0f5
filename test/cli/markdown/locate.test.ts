import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TextDocument } from '#cli/markdown/documents.ts';
import { Locator } from '#cli/markdown/locate.ts';
import { newImage } from '#test/cli/homes.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** Where links lead from `page.md` in a folder with these files. */
function locating(files: Record<string, string | Buffer> = {}, { outside = false } = {}) {
  const base = realpathSync(temporaryFolder());
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(base, dirname(path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  const document = { path: join(base, 'page.md'), base } as TextDocument;
  const locator = new Locator(outside, homedir());
  const locate = async (target: string, isName = false) => {
    const location = await locator.locate({ target, isName }, document);
    if (!location) return undefined;
    if ('problem' in location) return { problem: location.problem.slice(location.problem.lastIndexOf(': ') + 2) };
    return 'file' in location ? location.file.slice(base.length + 1) : location;
  };
  return { base, locate };
}

it.each(['file:///a%2Fb.png', 'file:///a%E0.png', 'file:///a%00.png', 'file://other/a.png', 'a%E0.png', 'a%00.png'])(
  'finds nothing by “%s”, and continues',
  async (target) => {
    const { locate } = locating({ 'b.png': '' });
    expect(await locate(target)).not.toBeTypeOf('string');
    expect(await locate('b.png')).toBe('b.png');
  },
);

describe('a file whose name is stored in another normal form of Unicode', () => {
  it.each([
    ['caf\u00e9', 'cafe\u0301'],
    ['\u30ac', '\u30ab\u3099'],
    ['\ud55c', '\u1112\u1161\u11ab'],
  ])('is found: %s', async (nfc, nfd) => {
    for (const [written, stored] of [
      [nfc, nfd],
      [nfd, nfc],
    ] as const) {
      const { locate } = locating({ [`${stored}/${stored}.png`]: '', [`${stored}-2.png`]: '' });
      expect(await locate(`${written}/${written}.png`)).toBe(`${stored}/${stored}.png`);
      expect(await locate(encodeURI(`${written}-2.png`))).toBe(`${stored}-2.png`);
      expect(await locate(`/${written}-2.png`)).toBe(`${stored}-2.png`);
      expect(await locate(`${written}-2.png`, true)).toBe(`${stored}-2.png`);
    }
  });

  it('is found by its name alone in a vault, and a name as given comes first', async () => {
    const { locate } = locating({ '.obsidian/app.json': '', 'deep/cafe\u0301.png': '', 'e\u0301.png': '', '\u00e9.png': '' });
    expect(await locate('caf\u00e9.png', true)).toBe('deep/cafe\u0301.png');
    expect(await locate('e\u0301.png')).toBe('e\u0301.png');
    expect(await locate('\u00e9.png')).toBe('\u00e9.png');
  });
});

describe('a name without the extension of a picture', () => {
  it('is that of a picture if the file is one, and otherwise reported, unless it says that it is something else', async () => {
    const files = {
      noext: newImage(),
      'photo.jpg_large': newImage(),
      'shot.bak': newImage(),
      'v1.2': newImage(),
      text: 'text',
      'a.mp3': 'x',
      'a.pdf': 'x',
    };
    const { locate } = locating(files);
    for (const name of ['noext', 'photo.jpg_large', 'shot.bak', 'v1.2']) expect(await locate(name)).toBe(name);
    expect(await locate('text')).toEqual({ problem: 'isn’t a picture' });
    expect(await locate('missing')).toEqual({ problem: 'no such file' });
    for (const name of ['a.mp3', 'a.pdf', 'missing.mp3']) expect(await locate(name)).toBeUndefined();
  });

  it('is no file’s if it is a note of Obsidian, a place on the page, data, or an expression of a template', async () => {
    const { locate } = locating({ '.obsidian/app.json': '', noext: newImage() });
    expect(await locate('noext', true)).toBeUndefined();
    for (const target of ['#part', '?x', 'data:image/png;base64,AA', 'cid:x', '{{ .Image }}', '<%= url %>', '{logo}', '{% url %}'])
      expect(await locate(target)).toBeUndefined();
  });
});

describe('a name of another computer or of a device', () => {
  const away = [
    '\\\\server\\share\\a.png',
    '%5C%5Cserver%5Cshare%5Ca.png',
    '/%2Fserver/share/a.png',
    '%2F%2Fserver/share/a.png',
    'file://server/share/a.png',
  ];
  const local = [
    '/net/server/a.png',
    '%2Fnet%2Fserver%2Fa.png',
    'file:///net/server/a.png',
    'file:/net/server/a.png',
    'file:////server/share/a.png',
  ];

  it.each([...away, ...(process.platform === 'win32' ? [] : local)])('isn’t touched: %s', async (target) => {
    for (const outside of [false, true]) {
      const { locate } = locating({}, { outside });
      expect(await locate(target)).toEqual({ problem: 'is on another computer' });
    }
  });

  it.runIf(process.platform === 'linux')('isn’t touched either behind a link in the folder', async () => {
    const { base, locate } = locating();
    symlinkSync('/net/server', join(base, 'link'));
    symlinkSync('/dev', join(base, 'devices'));
    expect(await locate('link/a.png')).toEqual({ problem: 'is on another computer' });
    expect(await locate('devices/zero')).toEqual({ problem: 'is a device' });
    expect(await locate('/dev/zero')).toEqual({ problem: 'is a device' });
    expect(await locate('/proc/self/environ')).toEqual({ problem: 'is a device' });
  });

  it('is found in the folder where it is that of a file there', async () => {
    const { locate } = locating({ 'static/net/server/a.png': '', 'dev/b.png': '' });
    expect(await locate('/net/server/a.png')).toBe('static/net/server/a.png');
    expect(await locate('/dev/b.png')).toBe('dev/b.png');
  });
});
