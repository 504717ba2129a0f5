import { cp, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { CLI, runBuiltCli } from './built-cli.ts';
import { homeWith } from './homes.ts';
import { homeOf } from './markdown/homes.ts';
import { accept, silence, startScriptedService, uploadedImage } from './scripted-service.ts';
import { startWithToken } from './start.ts';

// What only the process of the built command line shows; the other tests run the command line in their own process.

const { service, owner, env } = await startWithToken('full');
const token = await owner.token('upload');

/** Makes Node report an old version. */
const PRETEND_OLD = ['--import', "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})"];
const LINK = uploadedImage().links.url;
const MEGABYTE = 1024 * 1024;
const lines = (text: string) => text.split('\n').filter(Boolean);
const linux = process.platform === 'linux';

async function homeWithImage() {
  const home = temporaryFolder();
  await writeFile(join(home, 'cat.jpg'), 'x'.repeat(300_000));
  return home;
}

/** Runs a shell line on a terminal of its own (util-linux's `script`); returns the terminal's output. */
function onTerminal(home: string, line: string) {
  const command = line.replace('pixdock', `'${process.execPath}' '${CLI}'`);
  return runProgram('script', ['-qec', command, '/dev/null'], { cwd: home, env: { ...homeEnv(home), TERM: 'xterm', COLUMNS: '120' } });
}

describe.runIf(linux)('on a terminal', () => {
  it('shows progress, and prints only links to a file', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout, code } = await onTerminal(home, `pixdock upload cat.jpg --base-url ${service.url} > links.txt`);
    expect(code).toBe(0);
    expect(stdout).toContain('0/1');
    expect(await readFile(join(home, 'links.txt'), 'utf8')).toBe(`${LINK}\n`);
  });

  it('draws no bar if another program reads the links: it may print to the same terminal', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout } = await onTerminal(home, `pixdock upload cat.jpg --base-url ${service.url} | cat`);
    expect(stdout).toBe(`${LINK}\r\n`);
  });

  it.runIf(process.platform === 'linux')('prompts on a terminal without echo', async () => {
    const home = temporaryFolder();
    const command = `'${process.execPath}' '${CLI}' login ${service.url} --with-token`;
    const { stdout, code } = await runProgram('script', ['-qec', command, '/dev/null'], {
      cwd: home,
      env: homeEnv(home),
      onStart: (child) => {
        child.stdout.on('data', (chunk: Buffer) => chunk.includes('API token for') && child.stdin.write(`${token}\r`));
      },
      stdin: null,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('upload only');
    expect(stdout).not.toContain(token);
  });
});

describe.runIf(linux)('in a pipe', () => {
  it.runIf(process.platform === 'linux')('continues uploading after the reader of its links has gone', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const command = `'${process.execPath}' '${CLI}' upload ${'cat.jpg '.repeat(8)} --base-url ${service.url} | head -1; exit \${PIPESTATUS[0]}`;
    const { stdout, stderr, code } = await runProgram('bash', ['-c', command], { cwd: home, env: homeEnv(home) });
    expect({ stdout, stderr, code }).toEqual({ stdout: `${LINK}\n`, stderr: '', code: 0 });
    expect(service.seen).toHaveLength(8);
  });

  it('reads named pipes to their end', async () => {
    const home = temporaryFolder();
    await writeFile(join(home, 'cat.jpg'), await photoJpeg());
    const { stdout, code } = await runProgram('bash', ['-c', `"$0" "$1" upload <(cat cat.jpg) --format json`, process.execPath, CLI], {
      cwd: home,
      env: { ...homeEnv(home), ...env },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout) as Uploaded).toMatchObject({ mime: 'image/jpeg' });
  });

  it('continues after its reader has gone', async () => {
    const home = temporaryFolder();
    for (const args of [['--help'], ['help', 'import-dir'], ['completion', 'bash']]) {
      const { stderr, code } = await runBuiltCli(home, args, { onStart: (child) => child.stdout.destroy() });
      expect({ stderr, code }, args.join(' ')).toEqual({ stderr: '', code: 0 });
    }
    expect((await runBuiltCli(home, ['--bad'], { onStart: (child) => child.stderr.destroy() })).code).toBe(2);
  });
});

describe('the process', () => {
  it.runIf(linux)('hides a token and a password in its arguments from the process list', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([silence, silence]);
    let shown = '';
    await runBuiltCli(home, ['upload', 'cat.jpg', '--base-url', service.url, '--token', 'pxd_secret', '--password', 'sesame'], {
      onStart: async (child) => {
        await expect.poll(() => service.seen.length, { timeout: 10_000 }).toBe(1);
        shown = await readFile(`/proc/${child.pid}/cmdline`, 'utf8');
        child.kill('SIGTERM');
      },
    });
    expect(service.seen[0]?.headers.authorization).toBe('Bearer pxd_secret');
    expect(shown).toContain('pixdock');
    expect(shown).not.toMatch(/pxd_secret|sesame/);
  });

  it.runIf(linux)("streams files: its memory doesn't grow with them", async () => {
    const home = temporaryFolder();
    const size = 400 * MEGABYTE;
    await writeFile(join(home, 'large.tiff'), '');
    await truncate(join(home, 'large.tiff'), size);
    let received = 0;
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => accept()(response, { method: 'POST', path: '', headers: {}, body: Buffer.alloc(0) }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let peak = 0;
    const { code, stderr } = await runBuiltCli(home, ['upload', 'large.tiff', '--base-url', url], {
      onStart: (child) => {
        const look = async () => {
          const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
          peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
        };
        const timer = setInterval(look, 20);
        child.once('exit', () => clearInterval(timer));
      },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(received).toBeGreaterThan(size);
    expect(peak).toBeGreaterThan(10_000);
    expect(peak * 1024).toBeLessThan(150 * MEGABYTE);
  });

  it('reports that a newer Node is required, on one that is too old', async () => {
    const home = temporaryFolder();
    // A copy apart from node_modules, so that no newer Node is found beside it.
    await writeFile(join(home, 'package.json'), '{"type":"module"}');
    const entry = await readFile(CLI, 'utf8');
    expect(entry.startsWith('#!/usr/bin/env node\n')).toBe(true);
    await cp(join(CLI, '../../cli'), join(home, 'cli'), { recursive: true });
    await cp(join(CLI, '../../chunks'), join(home, 'chunks'), { recursive: true });
    const { stdout, stderr, code } = await runProgram(process.execPath, [...PRETEND_OLD, join(home, 'cli/pixdock.js'), '--version'], {
      cwd: home,
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toBe('pixdock: Node 24 or newer is required; this is 20.1.0. Get it from https://nodejs.org.\n');
  });

  it.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'runs on the Node beside it if started with one that is too old',
    async () => {
      const { stdout, code } = await runProgram(process.execPath, [...PRETEND_OLD, CLI, '--version']);
      expect({ stdout, code }).toEqual({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), code: 0 });
    },
  );
});

describe.runIf(linux)('the files of the user', () => {
  it('stops once it can no longer write its journal', async () => {
    const home = await homeWith(...Array.from({ length: 40 }, (_, index) => `${index}.png`));
    const limited = ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, CLI, 'import-dir', 'in'];
    const { stdout, stderr, code } = await runProgram('sh', limited, { cwd: home, env: { ...homeEnv(home), ...env } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/Stopped early: Can’t use the journal \/.*: /);
    expect(stderr).not.toContain('failed');
    const rest = await runBuiltCli(home, ['import-dir', 'in'], { env });
    expect(rest.code).toBe(0);
    expect(rest.stdout.trimEnd().split('\n')).toHaveLength(40 - stdout.trimEnd().split('\n').length);
  });

  it.runIf(has('strace'))('never opens a file for writing or removes one in the folder', async () => {
    const home = await homeWith('a.png', 'sub/b.png');
    const args = ['-f', '-qq', '-e', 'trace=%file,%desc', '-o', 'trace', process.execPath, CLI, 'import-dir', 'in'];
    await runProgram('strace', args, { cwd: home, env: { ...homeEnv(home), ...env } });
    const touching = lines(await readFile(join(home, 'trace'), 'utf8')).filter((line) => line.includes(`${home}/in`));
    expect(touching.length).toBeGreaterThan(2);
    expect(touching.filter((line) => /O_WRONLY|O_RDWR|O_CREAT|unlink|rename|chmod|utime|truncate/.test(line))).toEqual([]);
  });

  it.runIf(has('strace'))('touches nothing that a name places on another computer, and replaces the other links', async () => {
    const names = [
      '/net/server.example/a.png',
      '%2Fnet/server.example/a.png',
      '<\\\\\\\\server.example\\share\\a.png>',
      'file://server.example/a.png',
    ];
    const home = await homeOf({
      'in/a.md': `${names.map((name) => `![](${name})`).join('\n')}\n![](link/a.png)\n![](b.png)`,
      'in/b.png': undefined,
    });
    await symlink('/net/server.example', join(home, 'in/link'));
    for (const outside of [[], ['--outside']]) {
      const args = ['-f', '-qq', '-e', 'trace=%file', '-o', 'trace', process.execPath, CLI, 'markdown', 'in', '--dry-run', ...outside];
      const { code, stderr } = await runProgram('strace', args, { cwd: home, env: { ...homeEnv(home), ...env } });
      const reasons = stderr.trim().split('\n').slice(0, -1);
      expect(reasons.map((line) => line.replace(/^pixdock: in\/a\.md:\d: .*: /, ''))).toEqual(Array(5).fill('is on another computer'));
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Would upload 1 picture') });
      const touched = (await readFile(join(home, 'trace'), 'utf8'))
        .split('\n')
        .filter((line) => /\("[^"]*server\.example|\("\/net/.test(line));
      expect(touched).toEqual([]);
    }
  });

  it('changes nothing when it is killed, and resumes', async () => {
    const home = await homeOf({ 'in/a.md': '![](a.png)\r\n', 'in/a.png': undefined });
    await using stuck = await startScriptedService([silence]);
    const { code } = await runBuiltCli(home, ['markdown', 'in', '--in-place', '--base-url', stuck.url, '--token', 'pxd_x'], {
      onStart: async (child) => {
        await expect.poll(() => stuck.seen.length, { timeout: 10_000 }).toBe(1);
        child.kill('SIGKILL');
      },
    });
    expect(code).toBeNull();
    expect(await readFile(join(home, 'in/a.md'), 'utf8')).toBe('![](a.png)\r\n');
    expect((await runBuiltCli(home, ['markdown', 'in', '--in-place'], { env })).code).toBe(0);
    expect(await readFile(join(home, 'in/a.md'), 'utf8')).toMatch(/^!\[\]\(http:\S+\)\r\n$/);
  });
});
