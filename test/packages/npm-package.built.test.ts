import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { setupCodeIn } from '#test/helpers/service/child-service.ts';
import { setUp } from '#test/helpers/service/service.ts';

const root = join(import.meta.dirname, '../..');
const heic = join(root, 'test/fixtures/heic/arrow.heic');
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isWindows = process.platform === 'win32';

/** Installs the packed tarball into an empty folder, as a user would. False: npm has no registry to get the native modules from. */
async function install(tarball: string, folder: string): Promise<boolean> {
  await writeFile(join(folder, 'package.json'), '{}');
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0', tarball];
  const { code, stderr } = isWindows
    ? await runProgram('cmd', ['/c', 'npm', ...args], { cwd: folder })
    : await runProgram('npm', args, { cwd: folder });
  if (/code (ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)/.test(stderr)) return false;
  expect(code, stderr).toBe(0);
  return true;
}

/** Runs `pixdock serve` from the installed package. */
async function serve(program: string, home: string) {
  const env = { ...process.env, ...homeEnv(home) };
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data-dir', join(home, 'data')], { cwd: home, env });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  await expect.poll(() => setupCodeIn(printed) ?? child.exitCode, { message: printed }).toEqual(expect.any(String));
  return { url: /Pixdock is running at (http:\S+)/.exec(printed)?.[1] ?? '', setupCode: setupCodeIn(printed) };
}

test('the npm package installs without Electron, and runs the service and the command line', async ({ skip }) => {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const place = join(folder, 'empty');
  await mkdir(home);
  await mkdir(place);
  const tarball = execFileSync(process.execPath, [join(root, 'scripts/package/npm-package.mjs'), folder], { encoding: 'utf8' }).trim();
  if (!(await install(tarball, place))) skip('npm can’t reach its registry, and its cache lacks the native modules.');

  const modules = join(place, 'node_modules');
  const own = join(modules, 'pixdock');
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'pixdock', version: project.version, license: 'MIT', engines: { node: '>=24' } });
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('scripts');
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(version, name).toBe(project.dependencies[name]);
  expect((await readdir(own)).sort()).toEqual(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md', 'dist', 'node_modules', 'package.json']);
  // The tenth of Tesseract's files that is used.
  expect((await readdir(join(own, 'node_modules'))).sort()).toEqual(['@tesseract.js-data', 'tesseract.js-core']);
  expect(existsSync(join(own, 'node_modules/@tesseract.js-data/eng/4.0.0'))).toBe(false);
  expect(readFileSync(join(own, 'THIRD-PARTY-NOTICES.md'), 'utf8')).not.toMatch(/^## electron \d/m);
  expect(existsSync(join(own, 'dist/main'))).toBe(false);
  expect((await readdir(modules)).filter((name) => /electron|node-linux/.test(name))).toEqual([]);
  expect(existsSync(join(modules, '.bin', isWindows ? 'pixdock.cmd' : 'pixdock'))).toBe(true);

  const program = join(own, manifest.bin.pixdock);
  const { url, setupCode } = await serve(program, home);
  const page = await (await fetch(url)).text();
  const [script = ''] = /\/assets\/[\w./-]+\.js/.exec(page) ?? [];
  expect((await fetch(url + script)).headers.get('content-type')).toMatch(/javascript/);

  const owner = await setUp({ url, setupCode });
  const env = { ...homeEnv(home), PIXDOCK_BASE_URL: url, PIXDOCK_TOKEN: await owner.token('upload') };
  await writeFile(join(home, 'photo.jpg'), await photoJpeg({ width: 1200, height: 900 }));
  await copyFile(heic, join(home, 'arrow.heic'));
  const { stdout, stderr } = await runProgram(process.execPath, [program, 'upload', 'photo.jpg', 'arrow.heic', '--format', 'json'], {
    cwd: home,
    env,
  });
  const uploaded = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(uploaded, stderr).toMatchObject([{ ext: 'jpg' }, { ext: expect.stringMatching(/^(jpg|webp)$/) }]);
  for (const { links } of uploaded) {
    const thumbnail = await (await fetch(links.thumbnail_url)).arrayBuffer();
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg' });
  }
});
