import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from '#test/cli/built-cli.ts';
import { madeUpLibrary, PRODUCTS, type Product, startFakeSource } from '#test/helpers/network/fake-sources.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { codeBlocks, fillIn, GUIDES, guideNames, readGuide } from './guides.ts';

const require = createRequire(import.meta.url);
const PICGO = join(dirname(require.resolve('picgo')), '../bin/picgo');
const PLUGINS = ['picgo-plugin-web-uploader', 'picgo-plugin-lankong'];
const READY = process.platform === 'linux' && has('curl') && has('jq');

const { service, owner } = await startFileService();
// Whom guides send pictures to.
await addUser(service, 'carla');
const token = await owner.token('full');

/** The environment that the guides assume: pictures, the programs in the path, PicGo with its plug-ins. */
async function surroundings() {
  const home = temporaryFolder();
  await writeFile(join(home, 'photo.jpg'), await photoJpeg({ width: 1200, height: 900 }));
  await writeFile(join(home, 'screenshot.png'), await png({ width: 900, height: 600 }));
  await writeFile(join(home, 'film.mov'), videoFixture('h264-aac.mov'));
  await mkdir(join(home, 'pictures/drafts'), { recursive: true });
  await writeFile(join(home, 'pictures/a.png'), tinyPng(41));
  await writeFile(join(home, 'pictures/drafts/b.png'), tinyPng(42));
  await mkdir(join(home, 'notes/img'), { recursive: true });
  await writeFile(join(home, 'notes/img/a.png'), tinyPng(41));
  await writeFile(join(home, 'notes/note.md'), '![](img/a.png) `![](img/a.png)`\n');
  await mkdir(join(home, 'Takeout/Photos from 2019'), { recursive: true });
  await writeFile(join(home, 'Takeout/Photos from 2019/c.png'), tinyPng(43));
  await writeFile(join(home, 'Takeout/Photos from 2019/c.png.json'), '{"title":"c.png","photoTakenTime":{"timestamp":"1557126489"}}');
  await symlink(join(GUIDES, '..'), join(home, 'docs'));
  await mkdir(join(home, '.picgo/node_modules'), { recursive: true });
  for (const plugin of PLUGINS)
    await symlink(dirname(require.resolve(`${plugin}/package.json`)), join(home, '.picgo/node_modules', plugin));
  const dependencies = Object.fromEntries(PLUGINS.map((name) => [name, '*']));
  await writeFile(join(home, '.picgo/config.json'), JSON.stringify({ picBed: { uploader: 'github', github: { repo: 'mara/pictures' } } }));
  await writeFile(join(home, '.picgo/package.json'), JSON.stringify({ name: 'picgo-plugins', dependencies }));
  await program(home, 'pixdock', `exec '${process.execPath}' '${CLI}' "$@"`);
  await program(home, 'picgo', `exec '${process.execPath}' '${PICGO}' "$@"`);
  await program(home, 'node', `exec '${process.execPath}' "$@"`);
  const path = `${join(home, 'bin')}:${process.env.PATH}`;
  return { home, env: { ...homeEnv(home), PATH: path } };
}

async function program(home: string, name: string, command: string) {
  await mkdir(join(home, 'bin'), { recursive: true });
  await writeFile(join(home, 'bin', name), `#!/bin/sh\n${command}\n`);
  await chmod(join(home, 'bin', name), 0o755);
}

/** Runs all commands of a guide in order, as a reader would, and stops at the first failure. */
async function runGuide(name: string, env: Record<string, string> = {}, fill = (text: string) => text) {
  const blocks = codeBlocks(name, 'sh').map(fill);
  expect(blocks.length).toBeGreaterThan(0);
  const around = await surroundings();
  const script = `set -euo pipefail\n${fillIn(blocks.join('\necho\n'), service.url, token)}`;
  const result = await runProgram('bash', ['-c', script], { cwd: around.home, env: { ...around.env, ...env } });
  expect(result.code, result.stdout + result.stderr).toBe(0);
  return { ...result, home: around.home };
}

const linksIn = (text: string) => text.match(/^http\S+\/i\/\w{12}\.\w+$/gm) ?? [];

describe.runIf(READY)('the commands of the guides', () => {
  it('cli.md', async () => {
    const { stdout, home } = await runGuide('cli.md');
    expect(linksIn(stdout).length).toBeGreaterThanOrEqual(4);
    expect(stdout).toContain('Access    full access, with the token from `pixdock login`');
    expect((await readFile(join(home, 'copy.jpg'))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(stdout).toMatch(/^!\[.*\]\(http.*\)$/m);
    const note = await readFile(join(home, 'notes/note.md'), 'utf8');
    expect(note).toMatch(/^!\[\]\(http\S+\) `!\[\]\(img\/a\.png\)`\n$/);
    expect(await readFile(join(home, 'published/note.md'), 'utf8')).toBe(note);
    expect(JSON.parse(await readFile(join(home, 'report.json'), 'utf8'))).toMatchObject({
      complete: true,
      summary: { uploaded: 1, failed: 0 },
    });
    expect(JSON.parse(await readFile(join(home, 'takeout.json'), 'utf8'))).toMatchObject({
      complete: true,
      summary: { uploaded: 1, takeout: { without_json: 0 } },
    });
  });

  it('curl.md', async () => {
    const { stdout, home } = await runGuide('curl.md');
    expect(linksIn(stdout)).toHaveLength(1);
    expect(stdout).toContain('storage_used_bytes');
    expect((await readFile(join(home, 'copy.jpg'))).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect((await readFile(join(home, 'thumbnail.jpg'))).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  it('picgo.md', { timeout: 60_000 }, async () => {
    const { stdout, home } = await runGuide('picgo.md');
    const links = linksIn(stdout);
    expect(links, stdout).toHaveLength(3);
    for (const link of links) expect((await fetch(link)).headers.get('content-type')).toMatch(/^image\//);
    const kept = JSON.parse(await readFile(join(home, '.picgo/config.json'), 'utf8'));
    expect(kept.picBed).toMatchObject({ uploader: 'lankong', github: { repo: 'mara/pictures' }, 'web-uploader': { paramName: 'file' } });
  });

  it.each([
    ['with comments, which jq can’t read', `{ // my hosts\n "picBed": { "uploader": "github" } }`, ''],
    ['where jq is missing', '{ "picBed": { "uploader": "github" } }', 'exit 127'],
  ])('picgo.md leaves settings alone %s', async (_, settings, jq) => {
    const { home, env } = await surroundings();
    await writeFile(join(home, '.picgo/config.json'), settings);
    if (jq) await program(home, 'jq', jq);
    // Twice, as users try again. What follows a failure must not make it worse.
    for (const block of codeBlocks('picgo.md', 'sh')) {
      const script = fillIn(block, service.url, token).replace(/^picgo upload.*$/m, '');
      await runProgram('bash', ['-c', script], { cwd: home, env });
      expect(await readFile(join(home, '.picgo/config.json'), 'utf8')).toBe(settings);
    }
  });

  it('reverse-proxies.md', async () => {
    expect((await runGuide('reverse-proxies.md')).stdout).toMatch(new RegExp(`^\\{"status":true.*\\}${service.url}$`, 'm'));
  });

  it('headless.md: the logo', async () => {
    const { home, env } = await surroundings();
    await writeFile(join(home, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>');
    const [command = ''] = codeBlocks('headless.md', 'sh').filter((block) => block.includes('branding/logo'));
    const { stdout, code } = await runProgram('bash', ['-c', fillIn(command, service.url, token)], {
      cwd: home,
      env: { ...env, COOKIE: owner.cookie },
    });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: true }]);
  });

  it('client.md', async () => {
    const { stdout, stderr } = await runGuide('client.md');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\| \[!\[\]\(http\S+\?w=200\)\]\(http\S+\) \| photo\.jpg \|$/m);
  });

  it('typora.md', async () => {
    // Typora reads the links from the last lines of the output, one per picture.
    const signedIn = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: token };
    expect(linksIn((await runGuide('typora.md', signedIn)).stdout)).toHaveLength(2);
  });

  it('switching.md', async () => {
    await using zipline = await startFakeSource(PRODUCTS.zipline as Product, madeUpLibrary(2, 60_000_000), { token: 'secret' });
    await using lsky = await startFakeSource(PRODUCTS.lsky as Product, madeUpLibrary(3, 61_000_000), { token: 'secret' });
    const signedIn = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: token, PIXDOCK_SOURCE_TOKEN: 'secret' };
    const fill = (text: string) =>
      text.replace(/(zipline|lsky) https:\/\/old\.example\.org/g, (_, name) => `${name} ${(name === 'lsky' ? lsky : zipline).url}`);
    const { stdout, stderr, home } = await runGuide('switching.md', signedIn, fill);
    expect(linksIn(stdout)).toHaveLength(5);
    expect(stderr).toContain('Compared 3 pictures');
    expect((await readFile(join(home, 'old-addresses.csv'), 'utf8')).trim().split('\n')).toHaveLength(4);
  });
});

describe('the task of vscode.md', () => {
  it.runIf(process.platform === 'linux')('uploads the open file and copies its Markdown', async () => {
    const [tasks = '', keys = ''] = codeBlocks('vscode.md', 'json');
    const [task] = JSON.parse(tasks).tasks;
    expect(JSON.parse(keys)[0].args).toBe(task.label);
    const { home, env } = await surroundings();
    await program(home, 'xclip', 'cat > "$HOME/copied"');
    const args = task.args.map((argument: string) => argument.replace(/\$\{file\}/, join(home, 'photo.jpg')));
    const signedIn = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: token, DISPLAY: ':0' };
    const { stdout, code } = await runProgram(join(home, 'bin', task.command), args, { cwd: home, env: { ...env, ...signedIn } });
    expect(code).toBe(0);
    expect(await readFile(join(home, 'copied'), 'utf8')).toBe(stdout.trim());
    expect(stdout).toMatch(/^!\[/);
  });
});

describe('the request of phones.md', () => {
  it('uploads, and its response has the link where the guide says', async () => {
    const guide = fillIn(readGuide('phones.md'), service.url, await owner.token('upload'));
    const values = (name: string) =>
      [...(new RegExp(`^\\| ${name}.*?\\| (.*) \\|$`, 'm').exec(guide)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
    const [method = ''] = values('Method');
    const [address = ''] = values('Address');
    const [header = ''] = values('Header');
    const [file = ''] = values('File field');
    const [field = '', value = ''] = values('Text field');
    const [link = ''] = values('Link');
    const form = new FormData();
    form.append(file, new Blob([new Uint8Array(tinyPng(77))]), 'IMG_1.PNG');
    form.append(field, value);
    const [name = '', ...token] = header.split(': ');
    const response = await fetch(address, { method, headers: { [name]: token.join(': ') }, body: form });
    const body: unknown = await response.json();
    const found = link.split('.').reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], body);
    expect([response.status, found]).toEqual([200, expect.stringMatching(/^http\S+\/i\/\w{12}\.png$/)]);
    // Their own steps use the same values.
    for (const used of [method, header.split(': ')[1] ?? '', file, link]) expect(guide.split(used).length).toBeGreaterThan(2);
    const [script = ''] = codeBlocks('phones.md', 'js');
    // The page that phones open shows the same.
    expect(await readFile(join(GUIDES, '../../renderer/features/phone/setup.tsx'), 'utf8')).toContain(`'${script.trim()}'`);
    const copied = new Function('response', 'copyToClipboard', script) as (response: object, copy: (text: string) => void) => void;
    copied({ body: JSON.stringify(body) }, (text) => expect(text).toBe(found));
  });
});

describe('the guides', () => {
  it('have no commands that nothing runs', () => {
    const HERE = ['cli.md', 'client.md', 'curl.md', 'picgo.md', 'reverse-proxies.md', 'switching.md', 'typora.md'];
    /** In hosting.built.test.ts, deploy.test.ts and test/desktop/handover.e2e.ts. */
    const ELSEWHERE = ['headless.md', 'several-machines.md', 'clipboard.md'];
    const withCommands = guideNames().filter((name) => codeBlocks(name, 'sh').length > 0);
    expect(withCommands.toSorted()).toEqual([...HERE, ...ELSEWHERE].toSorted());
  });

  it('link to each other and have no broken links', async () => {
    const names = guideNames();
    for (const name of names) {
      for (const [, target = ''] of readGuide(name).matchAll(/\]\((?!http)([^)#]+)\)/g)) {
        await expect(readFile(join(GUIDES, target)), `${name}: ${target}`).resolves.toBeDefined();
      }
    }
    const index = readGuide('README.md');
    for (const name of names.filter((guide) => guide !== 'README.md')) expect(index).toContain(`(${name})`);
  });
});
