import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getImage, listImages } from '#api/images/images.ts';
import { uploaded } from '#api/images/upload.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeWith, newImage } from './homes.ts';
import { runCli } from './run-cli.ts';
import { startWithToken } from './start.ts';

// The options that the commands' own tests leave out, and a check that every option is tested.

const { service, owner, env } = await startWithToken('full');

/** A home with the picture `in/a.png`, and a file with a password. */
async function homeWithImage() {
  const home = await homeWith('a.png');
  await writeFile(join(home, 'secret.txt'), 'sesame\n');
  return home;
}

/** The tests of each command, by the start of their file names. */
const TESTS: Record<string, string[]> = {
  upload: ['upload', 'terminal', 'usage', 'retry', 'options'],
  replace: ['upload/replace', 'options'],
  date: ['date', 'usage', 'options'],
  'import-dir': ['import', 'options'],
  import: ['import', 'options'],
  markdown: ['markdown', 'options'],
  mcp: ['mcp', 'options'],
  list: ['pictures', 'options'],
  search: ['pictures', 'options'],
  get: ['pictures', 'options'],
  export: ['export', 'options'],
  delete: ['pictures', 'options'],
  send: ['send', 'options'],
  login: ['login', 'options'],
  status: ['login', 'options'],
  logout: ['login', 'options'],
  serve: ['serve', 'options'],
  'reset-password': ['serve', 'options'],
  verify: ['verify', 'options'],
  migrate: ['import/migrate', 'options'],
  completion: ['completion', 'options'],
};

describe('every option', () => {
  it('is tested for its command', async () => {
    const { stdout } = await runCli(temporaryFolder(), ['--help']);
    const [, list = ''] = stdout.split('Commands:\n');
    const commands = [...(list.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    expect(commands.filter((name) => name !== 'help').sort()).toEqual(Object.keys(TESTS).sort());
    const files = (await readdir(import.meta.dirname, { recursive: true })).filter((name) => name.endsWith('.test.ts'));
    for (const [command, beginnings] of Object.entries(TESTS)) {
      const own = files.filter((name) => beginnings.some((beginning) => name.startsWith(beginning)));
      const tests = (await Promise.all(own.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))).join('\n');
      const { stdout: help } = await runCli(temporaryFolder(), [command, '--help']);
      const ownHelp = help.split('Global Options:')[0] ?? '';
      const options = [...ownHelp.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = '']) => name);
      expect(options).toContain('--help');
      const untested = options.filter((name) => !new RegExp(`['\` ]${name}['=\` ]`).test(tests));
      expect({ command, untested }).toEqual({ command, untested: [] });
    }
  });

  it.each([
    ['upload', 'in/a.png'],
    ['import-dir', 'in'],
  ])('%s %s: prints JSON with --json, as with --format json', async (...args) => {
    const { stdout, code } = await runCli(await homeWithImage(), [...args, '--json'], { env });
    expect(code).toBe(0);
    expect(uploaded.parse(JSON.parse(stdout)).links.url).toContain('/i/');
    expect(await runCli(await homeWithImage(), [...args, '--json', '--template', '{url}'], { env })).toMatchObject({ code: 2 });
  });

  it.each([
    ['upload', ['upload', 'in/a.png', '--password', 'sesame']],
    ['upload', ['upload', 'in/a.png', '--password-file', 'secret.txt']],
    ['import-dir', ['import-dir', 'in', '--password', 'sesame']],
    ['import-dir', ['import-dir', 'in', '--password-file', 'secret.txt']],
  ])('%s: protects the link with a password (%j)', async (_, args) => {
    const { stdout, stderr, code } = await runCli(await homeWithImage(), [...args, '--format', 'json'], { env });
    expect(code).toBe(0);
    expect(stderr).not.toContain('sesame');
    const { links } = uploaded.parse(JSON.parse(stdout));
    expect((await fetch(links.url, { headers: { accept: 'application/json' } })).status).toBe(401);
    const opened = await fetch(links.url, { headers: { 'x-image-password': 'sesame' } });
    expect(opened.headers.get('content-type')).toBe('image/png');
  });

  it.each([
    ['upload', ['upload', 'in/a.png']],
    ['import-dir', ['import-dir', 'in']],
  ])('%s: uses an allowed storage policy and rejects another one', async (_, args) => {
    const home = await homeWithImage();
    const good = await runCli(home, [...args, '--policy', '1', '--format', 'json'], { env });
    expect(good.code, good.stderr).toBe(0);
    const { key } = uploaded.parse(JSON.parse(good.stdout));
    expect((await owner.client.call(getImage, { params: { key } })).key).toBe(key);
    await writeFile(join(home, 'in/a.png'), newImage());
    const bad = await runCli(home, [...args, '--policy', '999', '--format', 'json'], { env });
    expect({ stdout: bad.stdout, code: bad.code }).toEqual({ stdout: '', code: 1 });
    expect(bad.stderr).toMatch(/^pixdock: .*a\.png: .*policy.*\n/i);
  });

  it('import-dir: --token and --base-url override the environment', async () => {
    const home = await homeWithImage();
    const args = ['import-dir', 'in', '--base-url', service.url, '--token', env.PIXDOCK_TOKEN ?? '', '--format', 'json'];
    const { stdout, code } = await runCli(home, args, { env: { PIXDOCK_BASE_URL: 'http://127.0.0.1:9', PIXDOCK_TOKEN: 'pxd_wrong' } });
    expect(code).toBe(0);
    const { items } = await owner.client.call(listImages, { query: { limit: 1 } });
    expect(uploaded.parse(JSON.parse(stdout)).key).toBe(items[0]?.key);
  });

  it.each([
    'import-dir nowhere',
    'markdown nowhere --dry-run --base-url http://127.0.0.1:9',
    'login ftp://pics',
    'logout http://127.0.0.1:9',
    'reset-password ada --data-dir nowhere',
    'verify --data-dir nowhere',
    'migrate --to elsewhere --data-dir nowhere',
  ])('%s: colours on a terminal, and none with --no-color', async (line) => {
    const home = temporaryFolder();
    const show = async (...args: string[]) => (await runCli(home, args, { columns: 80, stdin: '' })).stdout;
    const words = line.split(' ');
    expect(await show(...words)).toContain('mpixdock:\u001b[39m');
    for (const plain of [await show(...words, '--no-color'), await show('--no-color', ...words)]) {
      expect(plain).toContain('pixdock: ');
      expect(plain).not.toContain('\u001b[3');
    }
  });
});
