import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { setupCodeIn } from '#test/helpers/service/child-service.ts';
import { OWNER, setUp } from '#test/helpers/service/service.ts';
import { runBuiltCli } from './built-cli.ts';

/** Runs `pixdock serve`, passes its address and setup code to the work, then stops the server. */
async function serving(home: string, args: string[], env: Record<string, string>, work: (url: string, setupCode: string) => Promise<void>) {
  let started: Promise<void> = Promise.reject(new Error('the server has not started'));
  started.catch(() => undefined);
  const onStart = (child: ChildProcessWithoutNullStreams) => {
    started = addressOf(child)
      .then(({ url, setupCode }) => work(url, setupCode))
      .finally(() => child.kill('SIGTERM'));
    started.catch(() => undefined);
  };
  const result = await runBuiltCli(home, ['serve', ...args], { env, onStart });
  await started;
  return result;
}

function addressOf(child: ChildProcessWithoutNullStreams): Promise<{ url: string; setupCode: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Pixdock is running at (http:\S+)/.exec(output)?.[1];
      const setupCode = setupCodeIn(output);
      if (url && setupCode) resolve({ url, setupCode });
    });
    child.once('exit', () => reject(new Error(`the server has ended: ${output}`)));
  });
}

describe('pixdock serve', () => {
  it('runs the whole service: web application, setup, upload, link; a signal ends it with exit code 0', async () => {
    const home = temporaryFolder();
    await writeFile(join(home, 'cat.jpg'), await photoJpeg());
    const { code } = await serving(home, ['--port', '0', '--data-dir', join(home, 'data')], {}, async (url, setupCode) => {
      expect(await (await fetch(url)).text()).toContain('<!doctype html>');
      const owner = await setUp({ url, setupCode });
      const uploaded = await runBuiltCli(home, ['upload', 'cat.jpg', '--base-url', url], {
        env: { PIXDOCK_TOKEN: await owner.token('upload') },
      });
      expect((await fetch(uploaded.stdout.trim())).headers.get('content-type')).toBe('image/jpeg');
    });
    expect(code).toBe(0);
  });

  it('prefers options to the environment', async () => {
    const home = temporaryFolder();
    const env = { PIXDOCK_PORT: 'nonsense', PIXDOCK_DATA_DIR: join(home, 'data') };
    expect(
      (await serving(home, ['--port=0'], env, async (url) => void expect((await fetch(`${url}/healthz`)).status).toBe(200))).code,
    ).toBe(0);
    const { stdout, stderr, code } = await runBuiltCli(home, ['serve'], { env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: PIXDOCK_PORT .*nonsense/);
  });

  it('a damaged database: says where it is and what can be done', async () => {
    const home = temporaryFolder();
    const dataDir = join(home, 'data');
    await mkdir(join(dataDir, 'backups'), { recursive: true });
    await writeFile(join(dataDir, 'backups', 'pixdock.tar'), '');
    await writeFile(join(dataDir, 'pixdock.db'), 'no database, but more than a hundred bytes of text'.repeat(5));
    const { stdout, stderr, code } = await runBuiltCli(home, ['serve', '--port', '0', '--data-dir', dataDir], {
      env: { PIXDOCK_LOG_LEVEL: 'error' },
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toContain(`pixdock: The database ${join(dataDir, 'pixdock.db')} is damaged: file is not a database.`);
    expect(stderr).toContain(`pixdock verify --repair --data-dir "${dataDir}"`);
    expect(stderr).toContain(`There are backups in ${join(dataDir, 'backups')}.\n`);
    expect(stderr).not.toContain('    at '); // no stack
  });

  it('serve: --host sets the listen address, and an invalid one is reported', async () => {
    const home = temporaryFolder();
    const args = ['serve', '--host', '127.0.0.3', '--port', '0', '--data-dir', join(home, 'data')];
    let printed = '';
    const { code } = await runBuiltCli(home, args, {
      onStart: (child) =>
        child.stdout.on('data', (chunk) => {
          printed += chunk;
          if (/Pixdock is running at \S+/.test(printed)) child.kill('SIGTERM');
        }),
    });
    expect(printed).toMatch(/Pixdock is running at http:\/\/127\.0\.0\.3:\d+\nLinks: Only this computer can open them\./);
    expect(code).toBe(0);
    const wrong = await runBuiltCli(home, ['serve', '--host', '203.0.113.7', '--port', '0', '--data-dir', join(home, 'data')]);
    expect({ stdout: wrong.stdout, code: wrong.code }).toEqual({ stdout: '', code: 1 });
    expect(wrong.stderr).toMatch(/^pixdock: .*203\.0\.113\.7.*\n/);
  });
});

describe.runIf(process.platform === 'linux')('the log', () => {
  const running = async (program: string, args: (line: string) => string[]) => {
    const home = temporaryFolder();
    const line = `${process.execPath} dist/server/bin.js`;
    const { stdout } = await runProgram(program, args(line), {
      env: { ...homeEnv(home), PIXDOCK_PORT: '0', PIXDOCK_DATA_DIR: join(home, 'data') },
      cwd: join(import.meta.dirname, '../..'),
      stdin: null,
      // Ctrl-C on the terminal.
      onStart: (child) => child.stdout.on('data', (chunk: Buffer) => /Setup code/.test(chunk.toString()) && child.kill('SIGTERM')),
    });
    return stdout;
  };

  it('is text on a terminal', async () => {
    const printed = await running('script', (line) => ['-qec', line, '/dev/null']);
    expect(printed).toMatch(/^[\d:]{8} listening \(url: http:\S+, link_address: http:\S+\)\r$/m);
    expect(printed).not.toContain('{');
  });

  it('is JSON for programs', async () => {
    expect(await running('sh', (line) => ['-c', `exec ${line}`])).toMatch(/^\{"level":30,.*"msg":"listening"\}$/m);
  });
});

describe('pixdock reset-password', () => {
  it('sets a new password in the data folder, even while the service runs', async () => {
    const home = temporaryFolder();
    const dataDir = join(home, 'data');
    await serving(home, ['--port', '0', '--data-dir', dataDir], {}, async (url, setupCode) => {
      const owner = await setUp({ url, setupCode });
      const token = await owner.token('full');
      const reset = (...options: string[]) =>
        runBuiltCli(home, ['reset-password', OWNER.username, '--data-dir', dataDir, ...options], { stdin: 'another long password\n' });
      const printed = (tokens: string) => ({
        stdout: '',
        stderr: `pixdock: Password changed for ${OWNER.username}. The account has been signed out everywhere. ${tokens}\n`,
        code: 0,
      });
      const withToken = async () => (await fetch(`${url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status;
      expect(await reset('--keep-tokens')).toEqual(printed('Its API tokens still work.'));
      expect(await withToken()).toBe(200);
      expect(await reset('--reset-two-factor')).toEqual(
        printed('Its API tokens have been revoked. Two-factor authentication is off, and the account’s passkeys have been removed.'),
      );
      expect(await withToken()).toBe(401);
      const signIn = (password: string) =>
        fetch(`${url}/api/v1/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ login: OWNER.username, password }),
        });
      expect((await signIn(OWNER.password)).status).toBe(401);
      expect((await signIn('another long password')).status).toBe(200);
      expect((await owner.fetch('/api/v1/user')).status).toBe(401);
    });
  });

  it("reports a folder that isn't a data folder before it prompts", async () => {
    const home = temporaryFolder();
    const { stdout, stderr, code } = await runBuiltCli(home, ['reset-password', 'ada', '--data-dir', home], { stdin: 'a long password' });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: .* isn’t a Pixdock data folder/);
  });

  it('rejects a password that is too short, and a missing account before it prompts for one', async () => {
    const home = temporaryFolder();
    const dataDir = join(home, 'data');
    await serving(home, ['--port', '0', '--data-dir', dataDir], {}, async (url, setupCode) => {
      await setUp({ url, setupCode });
      const short = await runBuiltCli(home, ['reset-password', OWNER.username, '--data-dir', dataDir], { stdin: 'short\n' });
      expect(short).toEqual({ stdout: '', stderr: expect.stringContaining('at least 10 characters'), code: 1 });
      const unknown = await runBuiltCli(home, ['reset-password', 'unknown', '--data-dir', dataDir], { stdin: null });
      expect(unknown).toEqual({ stdout: '', stderr: expect.stringContaining('There’s no account “unknown”'), code: 1 });
    });
  });
});
