import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { en as firstTexts } from '#renderer/i18n/en-first.ts';
import { en as laterTexts } from '#renderer/i18n/en-later.ts';
import { built } from '#test/helpers/service/built.ts';

const ROOT = built('renderer');
const KB = 1000;
/** The texts in English, which the first script loads. */
const TEXTS = {
  index: 'assets/en-first-*.js',
  light: 'assets/light/en-light-*.js',
  guest: 'assets/light/en-guest-*.js',
  entry: 'assets/light/en-entry-*.js',
  request: 'assets/light/en-request-*.js',
};

const read = (path: string) => readFile(join(ROOT, path));
const sizeOf = async (path: string) => (await read(existsSync(join(ROOT, `${path}.br`)) ? `${path}.br` : path)).length;
const sumOf = async (paths: Iterable<string>) => (await Promise.all([...paths].map(sizeOf))).reduce((sum, size) => sum + size, 0);

/** What a browser loads for a page before it shows anything: the files that it names, what its scripts import, and the texts. */
async function firstLoad(page: string, texts: string): Promise<{ scripts: Set<string>; styles: Set<string> }> {
  const html = (await read(`${page}.html`)).toString();
  const scripts = new Set<string>();
  const visit = async (path: string) => {
    if (scripts.has(path)) return;
    scripts.add(path);
    for (const [, name = ''] of (await read(path)).toString().matchAll(/(?:from|import)\s*["'](\.[^"']+\.js)["']/g))
      await visit(posix.join(dirname(path), name));
  };
  for (const [, path = ''] of html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)) await visit(path);
  const [pack = ''] = globSync(texts, { cwd: ROOT });
  await visit(pack);
  return { scripts, styles: new Set([...html.matchAll(/href="\/([^"]+\.css)"/g)].map(([, path = '']) => path)) };
}

it('loads the gallery with at most 175 KB of scripts and 16 KB of styles, in few files', async () => {
  const { scripts, styles } = await firstLoad('index', TEXTS.index);
  expect(scripts.size).toBeLessThanOrEqual(5);
  const bytes = await sumOf(scripts);
  // For a first picture after 6 s at 400 kbit/s. The heads of the responses come on top. What loads later isn’t counted.
  expect(bytes).toBeLessThanOrEqual(175 * KB);
  // A sum far below what React alone weighs would mean that nothing was measured.
  expect(bytes).toBeGreaterThan(60 * KB);
  expect(styles.size).toBe(1);
  expect(await sumOf(styles)).toBeLessThanOrEqual(16 * KB);
});

it('loads every light page with at most 55 KB, and without the application', async () => {
  for (const page of ['share', 'album', 'guest', 'entry', 'request']) {
    const { scripts, styles } = await firstLoad(
      page,
      page === 'guest' || page === 'entry' || page === 'request' ? TEXTS[page] : TEXTS.light,
    );
    expect(scripts.size).toBeGreaterThan(3);
    const code = Buffer.concat(await Promise.all([...scripts].map(read))).toString();
    // Mantine's and the router's own messages.
    expect(code).not.toContain('MantineProvider');
    expect(code).not.toContain('beforeLoad');
    const html = brotliCompressSync(await read(`${page}.html`)).length;
    const total = html + (await sumOf([...scripts, ...styles]));
    expect(total).toBeGreaterThan(20 * KB);
    // The heads of a dozen responses come on top, 8 KB.
    expect(total).toBeLessThanOrEqual(page === 'share' ? 46 * KB : 55 * KB);
  }
});

it('has the texts that the code of light pages names', async () => {
  const spaces = new Set(Object.keys({ ...firstTexts, ...laterTexts }));
  // Of parts that these pages don't show; the last one brings its own.
  const elsewhere = /^(gallery\.(select|today|yesterday)|selection\.copyLink|batch\.fetching|address\.\w+)$/;
  for (const [page, pack] of Object.entries({ share: 'light', album: 'light', guest: 'guest', entry: 'entry', request: 'request' })) {
    const scripts = new Set<string>();
    const visit = async (path: string) => {
      if (scripts.has(path)) return;
      scripts.add(path);
      for (const [, name = ''] of (await read(path)).toString().matchAll(/(?:from|import)\s*\(?["'`](\.[^"'`]+\.js)["'`]/g))
        if (!/\/(en|zh)-/.test(name)) await visit(posix.join(dirname(path), name));
    };
    for (const [, path = ''] of (await read(`${page}.html`)).toString().matchAll(/(?:src|href)="\/([^"]+\.js)"/g)) await visit(path);
    const code = Buffer.concat(await Promise.all([...scripts].map(read))).toString();
    const named = [...code.matchAll(/[(?:]`([a-zA-Z]+)(\.[a-zA-Z]\w*)+`/g)].filter(([, space = '']) => spaces.has(space));
    expect(named.length).toBeGreaterThan(10);
    // Those of the viewer are loaded beside the first ones.
    const packs = [import(`#renderer/i18n/en-${pack}.ts`), ...(pack === 'light' ? [import('#renderer/i18n/en-viewer.ts')] : [])];
    const texts = Object.assign({}, ...(await Promise.all(packs)).map((module) => module.texts));
    const has = (key: string) => {
      const found = key.split('.').reduce((place, part) => place?.[part] ?? place?.[`${part}_other`], texts);
      return typeof found === 'string';
    };
    const missing = named.map(([match]) => match.slice(2, -1)).filter((key) => !has(key) && !elsewhere.test(key));
    expect([page, missing]).toEqual([page, []]);
  }
});

it('has compressed copies of its scripts and styles, with the same content', async () => {
  const files = globSync('assets/**/*.{js,css}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(20);
  for (const path of files) {
    const original = await read(path);
    if (original.length < 1024) continue;
    expect([path, brotliDecompressSync(await read(`${path}.br`)).equals(original)]).toEqual([path, true]);
    expect([path, gunzipSync(await read(`${path}.gz`)).equals(original)]).toEqual([path, true]);
  }
});

it('keeps pages that a visitor may never open out of the first load', async () => {
  const { scripts } = await firstLoad('index', TEXTS.index);
  const code = Buffer.concat(await Promise.all([...scripts].map(read))).toString();
  expect(code).not.toContain('yarl__');
  expect(code).not.toContain('MultipartFormData');
  // Mantine's own messages: menus, popovers and fields with options.
  expect(code).not.toContain('Menu component was not found');
  expect(code).not.toContain('Popover component was not found');
  expect(code).not.toContain('Combobox component was not found in tree');
});

it('starts the gallery with the texts and styles that its first scripts name, and has a place for all others', async () => {
  const { scripts, styles } = await firstLoad('index', TEXTS.index);
  const code = Buffer.concat(await Promise.all([...scripts].filter((path) => !path.includes('/en-')).map(read))).toString();
  const named = (sections: object) => Object.keys(sections).filter((name) => new RegExp(`["'\x60]${name}\\.\\w`).test(code));
  expect(named(firstTexts).length).toBeGreaterThan(15);
  // The service says in English what it refuses.
  expect(named(laterTexts)).toEqual([]);
  const page = (await read('index.html')).toString();
  const [, later = ''] = /<meta name="pixdock-later-styles" content="\/([^"]+)"/.exec(page) ?? [];
  expect(styles.has(later)).toBe(false);
  // Elsewhere, the bundler's loader would load them, and each only once.
  expect(globSync('assets/*.css', { cwd: ROOT }).sort()).toEqual([...styles, later].sort());
  const all = Buffer.concat(await Promise.all(globSync('assets/*.js', { cwd: ROOT }).map(read))).toString();
  expect([...all.matchAll(/"(assets\/[^"]+\.css)"/g)].filter(([, path = '']) => !styles.has(path))).toEqual([]);
});

it('has the styles of each of Mantine’s components that it contains', async () => {
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{5,}\b/g));
  const textOf = async (kind: string) => Buffer.concat(await Promise.all(globSync(`assets/*.${kind}`, { cwd: ROOT }).map(read))).toString();
  const known = classesIn(await readFile(createRequire(import.meta.url).resolve('@mantine/core/styles.layer.css'), 'utf8'));
  const styled = classesIn(await textOf('css'));
  const used = [...classesIn(await textOf('js'))].filter((name) => known.has(name));
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((name) => !styled.has(name))).toEqual([]);
});

it('contains no schemas, which only the service validates with', async () => {
  const scripts = globSync('assets/**/*.js', { cwd: ROOT });
  expect(scripts.length).toBeGreaterThan(20);
  const code = Buffer.concat(await Promise.all(scripts.map(read))).toString();
  expect(code.includes('/auth/session')).toBe(true);
  expect(code.includes('unrecognized_keys')).toBe(false);
});

it('writes one script into each page, which names the texts that it loads, and nothing from other sites', async () => {
  for (const name of ['index', 'share', 'album', 'guest', 'entry', 'request']) {
    const page = (await read(`${name}.html`)).toString();
    const scripts = [...page.matchAll(/<script([^>]*)>/g)].map(([, attributes = '']) => attributes);
    expect(scripts.filter((attributes) => !attributes.includes('src='))).toEqual(['']);
    const packs = [...page.matchAll(/`\/(assets\/[\w/-]+\.js)`/g)].map(([, path = '']) => path);
    expect(packs).toEqual([expect.stringMatching(/\/en[\w-]*\.js$/), expect.stringMatching(/\/zh[\w-]*\.js$/)]);
    for (const path of packs) expect(existsSync(join(ROOT, path))).toBe(true);
    expect(page).not.toMatch(/https?:\/\//);
  }
});

it('paints a frame before styles and scripts are there', async () => {
  for (const name of ['index', 'share', 'album', 'guest', 'entry', 'request']) {
    const [head = '', body = ''] = (await read(`${name}.html`)).toString().split('</head>');
    expect(head).not.toContain('rel="stylesheet"');
    expect(body.indexOf('class="pd-frame')).toBeGreaterThan(0);
    expect(body.indexOf('rel="stylesheet"')).toBeGreaterThan(body.indexOf('class="pd-frame'));
    expect(brotliCompressSync(head + body).length).toBeLessThan(2.5 * KB);
  }
});
