import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeUser } from '#api/admin/users.ts';
import { decideDeviceRequest, findDeviceRequest } from '#api/auth/devices.ts';
import { listTokens } from '#api/auth/tokens.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER, type SignedIn, startTestService } from '#test/helpers/service/service.ts';
import { runCli } from './run-cli.ts';
import { accept, startScriptedService } from './scripted-service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('upload');

const configFile = (home: string) => join(home, 'config/pixdock/cli.json');

async function homeWithImage() {
  const home = temporaryFolder();
  await writeFile(join(home, 'cat.jpg'), await photoJpeg({ width: 64, height: 48 }));
  return home;
}

describe('pixdock login', () => {
  it('verifies a piped token and stores it with mode 0600; later commands need no options', async () => {
    const home = await homeWithImage();
    const { stdout, stderr, code } = await runCli(home, ['login', `${service.url}/`], { stdin: `${token}\n` });
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(stderr).toMatch(/^pixdock: Signed in to Pixdock \(http:\S+\) as ada: upload only\. Stored in .*cli\.json\.\n$/);
    expect(stderr).not.toContain(token);
    if (process.platform !== 'win32') {
      expect((await stat(configFile(home))).mode & 0o777).toBe(0o600);
      expect((await stat(join(home, 'config/pixdock'))).mode & 0o777).toBe(0o700);
    }
    expect(await runCli(home, ['upload', 'cat.jpg'])).toMatchObject({ stderr: '', code: 0 });
  });

  it("doesn't store a token that the server rejects", async () => {
    const home = temporaryFolder();
    const { stdout, stderr, code } = await runCli(home, ['login', service.url], { stdin: 'pxd_wrong' });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: .*\n$/);
    await expect(stat(configFile(home))).rejects.toThrow('ENOENT');
  });

  it('accepts the token as an option, unless it is empty', async () => {
    const home = temporaryFolder();
    expect(await runCli(home, ['login', service.url, '--token', token])).toMatchObject({ code: 0 });
    expect(await runCli(home, ['login', service.url], { stdin: '\n' })).toMatchObject({ stdout: '', code: 2 });
    expect(await runCli(home, ['login'])).toMatchObject({
      stdout: '',
      code: 2,
      stderr: expect.stringContaining("missing required argument 'url'"),
    });
  });

  it('never sends the token of one server to another', async () => {
    const home = await homeWithImage();
    await using other = await startScriptedService([accept()]);
    await runCli(home, ['login', service.url], { stdin: token });
    await runCli(home, ['upload', 'cat.jpg', '--base-url', other.url]);
    expect(other.seen).toHaveLength(1);
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('keeps one token per server, and logout removes one of them', async () => {
    const home = await homeWithImage();
    const address = 'http://pics.example.org';
    await runCli(home, ['login', service.url], { stdin: token });
    const stored = JSON.parse(await readFile(configFile(home), 'utf8'));
    await writeFile(configFile(home), JSON.stringify({ ...stored, tokens: { ...stored.tokens, [address]: 'pxd_other' } }));
    const { stdout, stderr, code } = await runCli(home, ['logout']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(stderr).toContain(`Removed the token for ${service.url} from this computer. It stays valid, since other programs may use it.`);
    expect(JSON.parse(await readFile(configFile(home), 'utf8')).tokens).toEqual({ [address]: 'pxd_other' });
    expect(await runCli(home, ['logout'])).toMatchObject({ code: 1, stderr: `pixdock: No token is stored for ${service.url}.\n` });
    expect(await runCli(home, ['status'], { env: { PIXDOCK_TOKEN: token } })).toMatchObject({ code: 0 });
  });

  it.runIf(process.platform !== 'win32')('warns if other users can read the stored token', async () => {
    const home = await homeWithImage();
    await runCli(home, ['login', service.url], { stdin: token });
    await chmod(configFile(home), 0o644);
    const { stderr, code } = await runCli(home, ['upload', 'cat.jpg']);
    expect(code).toBe(0);
    expect(stderr).toContain(`pixdock: Other users of this computer can read your token. Run: chmod 600 '${configFile(home)}'\n`);
    expect((await runCli(home, ['upload', 'cat.jpg'], { env: { PIXDOCK_TOKEN: token } })).stderr).not.toContain('chmod');
  });

  it('reports damaged settings', async () => {
    const home = await homeWithImage();
    await runCli(home, ['login', service.url], { stdin: token });
    await writeFile(configFile(home), '{"tokens":');
    const { stdout, stderr, code } = await runCli(home, ['upload', 'cat.jpg']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/cli\.json are damaged\. Delete the file and run `pixdock login` again\.\n$/);
  });

  it('prefers options to the environment, and the environment to the stored settings', async () => {
    const home = await homeWithImage();
    await using stored = await startScriptedService([
      accept({ site_name: 'x', setup_required: false }),
      accept({ username: 'ada', scope: 'upload' }),
      accept(),
    ]);
    await using named = await startScriptedService([accept()]);
    await using given = await startScriptedService([accept()]);
    await runCli(home, ['login', stored.url], { stdin: 'pxd_stored' });
    const env = { PIXDOCK_BASE_URL: named.url, PIXDOCK_TOKEN: 'pxd_named' };
    await runCli(home, ['upload', 'cat.jpg']);
    await runCli(home, ['upload', 'cat.jpg'], { env });
    await runCli(home, ['upload', 'cat.jpg', '--base-url', given.url, '--token', 'pxd_given'], { env });
    const sent = [stored, named, given].map(({ seen }) => seen.at(-1)?.headers.authorization);
    expect(sent).toEqual(['Bearer pxd_stored', 'Bearer pxd_named', 'Bearer pxd_given']);
  });
});

describe('pixdock login in a browser', () => {
  /** Signs in on a terminal; `decide` gets the code that is printed. */
  async function signIn(
    home: string,
    args: string[],
    decide: (code: string, interrupt: () => void) => Promise<unknown>,
    env: Record<string, string> = {},
  ) {
    return runCli(home, ['login', service.url, ...args], {
      columns: 200,
      stdin: null,
      env,
      onStart: ({ stdout, interrupt }) => {
        let printed = '';
        stdout.on('data', async (chunk: Buffer) => {
          const isNew = !printed.includes('Waiting for your approval');
          printed += chunk;
          const [, code] = /the code (\S+?):/.exec(printed) ?? [];
          if (isNew && code && printed.includes('Waiting for your approval')) await decide(code, interrupt);
        });
      },
    });
  }
  const decision = (who: SignedIn, decision: 'approve' | 'deny') => (user_code: string) =>
    who.client.call(decideDeviceRequest, { body: { user_code, decision } });
  const stored = async (home: string) => JSON.parse(await readFile(configFile(home), 'utf8')).tokens[service.url] as string;

  it('stores a token with full access of the user who approves, and says who that is', async () => {
    const home = temporaryFolder();
    const bea = await addUser(service, 'bea');
    const { stdout, code } = await signIn(home, ['--no-browser'], async (user_code) => {
      const request = await bea.client.call(findDeviceRequest, { body: { user_code } });
      expect(request).toMatchObject({ name: `pixdock (${hostname()})`, scope: 'full' });
      await decision(bea, 'approve')(user_code);
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`/connect#code=`);
    expect(stdout).toContain(`Signed in to Pixdock (${service.url}) as bea: full access.`);
    const own = await stored(home);
    expect(stdout).not.toContain(own);
    expect(await runCli(home, ['status', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"username":"bea","scope":"full"'),
    });
    expect((await bea.client.call(listTokens, { query: {} })).items).toMatchObject([{ name: `pixdock (${hostname()})`, scope: 'full' }]);
    expect(await runCli(home, ['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining(', and revoked it.') });
    expect((await bea.client.call(listTokens, { query: {} })).items).toEqual([]);
    expect((await owner.client.call(listTokens, { query: {} })).items.some(({ name }) => name.startsWith('pixdock'))).toBe(false);
  });

  it('asks for a token that can only upload with --upload-only, and prints JSON with --json', async () => {
    const home = temporaryFolder();
    const { stdout, code } = await signIn(home, ['--upload-only', '--json', '--no-browser'], decision(owner, 'approve'));
    expect(code).toBe(0);
    const [line = '{}'] = stdout.split(/\r?\n/).filter((text) => text.startsWith('{'));
    expect(JSON.parse(line)).toEqual({ server: service.url, site_name: 'Pixdock', username: OWNER.username, scope: 'upload' });
    expect((await runCli(home, ['list'])).stderr).toContain('This token can only upload.');
  });

  it('stores nothing if the request is denied, or the account is disabled before the token is fetched', async () => {
    const home = temporaryFolder();
    expect(await signIn(home, ['--no-browser'], decision(owner, 'deny'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The request was denied.'),
    });
    const cy = await addUser(service, 'cy');
    const blocked = await signIn(home, ['--no-browser'], async (user_code) => {
      await decision(cy, 'approve')(user_code);
      await owner.client.call(changeUser, { params: { id: cy.id }, body: { disabled: true } });
    });
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringContaining('The code has expired.') });
    await expect(stat(configFile(home))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['an interval of none', { interval: 0 }, undefined],
    ['a page that is a file', { verify_url: 'file:///etc/passwd' }, undefined],
    ['a token that isn’t one', {}, { state: 'approved', token: 'pxd_x', scope: 'full', username: 'ada' }],
  ])('takes no request that has %s', async (_, request, answer) => {
    const opened = { device_code: 'x', user_code: 'K7QM-3XWD', verify_url: 'http://127.0.0.1/connect', interval: 1, expires_in: 600 };
    await using other = await startScriptedService([
      accept({ site_name: 'x', setup_required: false }),
      accept({ ...opened, ...request }),
      accept(answer ?? { state: 'expired' }),
    ]);
    const home = temporaryFolder();
    const { stdout, code } = await runCli(home, ['login', other.url, '--no-browser'], { columns: 200, stdin: null });
    expect(stdout).toContain(`Could not reach ${other.url}: its response isn’t from Pixdock.\n`);
    expect({ code, requests: other.seen.length, lines: stdout.split('\n').length }).toEqual({
      code: 1,
      requests: answer ? 3 : 2,
      lines: answer ? 5 : 2,
    });
    await expect(stat(configFile(home))).rejects.toThrow('ENOENT');
  });

  it('ends with Ctrl-C, and the code that is approved later gives nobody a token', async () => {
    const home = temporaryFolder();
    const before = (await owner.client.call(listTokens, { query: {} })).items.length;
    const { stdout, code } = await signIn(home, ['--no-browser'], async (user_code, interrupt) => {
      interrupt();
      await decision(owner, 'approve')(user_code);
    });
    expect({ code, stdout }).toEqual({ code: 130, stdout: expect.stringContaining('Interrupted.') });
    expect((await owner.client.call(listTokens, { query: {} })).items).toHaveLength(before);
  });

  it.runIf(process.platform === 'linux')('opens the page in the browser, unless the user sits at another computer', async () => {
    const home = temporaryFolder();
    await writeFile(join(home, 'xdg-open'), '#!/bin/sh\necho "$1" >> "$HOME/opened"\n');
    await chmod(join(home, 'xdg-open'), 0o755);
    const display = { PATH: `${home}:/usr/bin:/bin`, DISPLAY: ':0' };
    const once = (env: Record<string, string>) =>
      signIn(
        home,
        [],
        async (code, interrupt) => {
          if (!('SSH_CONNECTION' in env)) await expect.poll(() => readFile(join(home, 'opened'), 'utf8').catch(() => '')).toContain(code);
          interrupt();
        },
        env,
      );
    await once({ ...display, SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' });
    await expect(stat(join(home, 'opened'))).rejects.toThrow('ENOENT');
    await once(display);
    expect(await readFile(join(home, 'opened'), 'utf8')).toMatch(new RegExp(`^${service.linkAddress}/connect#code=\\S+\\n$`));
  });

  it('prompts for a token with --with-token', async () => {
    const home = temporaryFolder();
    const { code, stdout } = await runCli(home, ['login', service.url, '--with-token'], {
      columns: 80,
      stdin: null,
      onStart: ({ stdin, stdout }) => stdout.on('data', (chunk: Buffer) => chunk.includes('API token for') && stdin.write(`${token}\r`)),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('upload only');
    expect(stdout).not.toContain(token);
  });

  it('reports a terminal that goes away while it prompts', async () => {
    const { code, stdout } = await runCli(temporaryFolder(), ['login', service.url, '--with-token'], {
      columns: 80,
      stdin: null,
      onStart: ({ stdin, stdout }) =>
        stdout.on('data', (chunk: Buffer) => {
          if (chunk.includes('API token for')) stdin.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' }));
        }),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('read EIO') });
  });

  it('looks for the server first, with or without its scheme', async () => {
    const home = temporaryFolder();
    const { host } = new URL(service.url);
    expect(await runCli(home, ['login', host], { stdin: token })).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(configFile(home), 'utf8')).base_url).toBe(service.url);
    const away = await runCli(home, ['login', '127.0.0.1:9', '--with-token'], { columns: 200, stdin: null });
    expect(away).toMatchObject({ code: 1, stdout: expect.stringContaining('Could not reach http://127.0.0.1:9') });
    expect(away.stdout).not.toContain('API token');
    await using fresh = await startTestService();
    const unset = await runCli(home, ['login', fresh.url], { stdin: token });
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining('isn’t set up yet') });
  });

  it('says that PIXDOCK_TOKEN takes precedence', async () => {
    const { stderr } = await runCli(temporaryFolder(), ['login', service.url], { stdin: token, env: { PIXDOCK_TOKEN: 'pxd_other' } });
    expect(stderr).toContain('PIXDOCK_TOKEN is set, and takes precedence over this token.');
  });
});

describe('pixdock logout', () => {
  const own = `pxd_${'x'.repeat(43)}`;
  /** A home with a token that was approved in the browser of a server that was there then. */
  async function homeOf(url: string, approved = own) {
    const home = temporaryFolder();
    await mkdir(join(home, 'config/pixdock'), { recursive: true });
    await writeFile(configFile(home), JSON.stringify({ base_url: url, tokens: { [url]: approved }, approved: [url] }));
    return home;
  }
  const stored = async (home: string) => JSON.parse(await readFile(configFile(home), 'utf8')).tokens;
  const removed = (url: string) => `pixdock: Removed the token for ${url} from this computer`;

  it('revokes a token that was approved in the browser, and one that is no longer valid is only removed', async () => {
    const approved = await owner.token('full');
    const home = await homeOf(service.url, approved);
    // The environment's token is another one.
    expect(await runCli(home, ['logout'], { env: { PIXDOCK_TOKEN: token } })).toEqual({
      stdout: '',
      stderr: `${removed(service.url)}, and revoked it.\n`,
      code: 0,
    });
    expect(await stored(home)).toEqual({});
    expect(await runCli(home, ['status'], { env: { PIXDOCK_TOKEN: approved } })).toMatchObject({ code: 1 });
    expect(await runCli(home, ['status'], { env: { PIXDOCK_TOKEN: token } })).toMatchObject({ code: 0 });
    expect(await runCli(await homeOf(service.url, approved), ['logout'])).toEqual({
      stdout: '',
      stderr: `${removed(service.url)}. It was no longer valid.\n`,
      code: 0,
    });
  });

  it('says that a token stays valid if the server can’t be reached, and removes it nevertheless', async () => {
    const url = 'http://127.0.0.1:9';
    const home = await homeOf(url);
    const { stdout, stderr, code } = await runCli(home, ['logout']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr.split('\n')).toEqual([
      `${removed(url)}.`,
      expect.stringMatching(/^pixdock: The token stays valid until you revoke it under Settings → API tokens\. Could not reach \S+: ./),
      '',
    ]);
    expect(await stored(home)).toEqual({});
  });

  it('leaves everything as it was on Ctrl-C', async () => {
    await using server = await startScriptedService([() => interrupt()]);
    let interrupt: () => void = () => undefined;
    const home = await homeOf(server.url);
    const ended = await runCli(home, ['logout'], {
      onStart: (running) => {
        interrupt = running.interrupt;
      },
    });
    expect(ended).toMatchObject({ stderr: 'pixdock: Interrupted.\n', code: 130 });
    expect(await stored(home)).toEqual({ [server.url]: own });
  });
});

describe('pixdock status', () => {
  const status = (args: string[] = [], env: Record<string, string> = {}) =>
    runCli(temporaryFolder(), ['status', ...args, '--timeout', '30'], { env: { PIXDOCK_BASE_URL: service.url, ...env } });

  it('says where one is signed in, as whom, and what the token may do', async () => {
    const { stdout, stderr, code } = await status(['--base-url', service.url, '--token', token]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toContain(`Server    Pixdock at ${service.url} (Pixdock `);
    expect(stdout).toContain(`Links     start with ${service.url}: Only this computer can open them\n`);
    expect(stdout).toContain(`Account   ${OWNER.username} (group `);
    expect(stdout).toContain('Access    upload only, with the token in --token\n');
    expect(stdout).not.toContain(token);
    const full = await status(['--json'], { PIXDOCK_TOKEN: await owner.token('full') });
    expect(JSON.parse(full.stdout)).toMatchObject({ server: service.url, token: 'environment', username: OWNER.username, scope: 'full' });
  });

  it('says where a token comes from that is refused, and where none is set', async () => {
    const refused = await status([], { PIXDOCK_TOKEN: 'pxd_wrong' });
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('Server    Pixdock') });
    expect(refused.stderr).toContain(`${service.url} doesn’t accept the token in PIXDOCK_TOKEN. Change the variable, or remove it`);
    expect(refused.stderr).not.toContain('Run `pixdock login');
    expect(await status()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Account   none: run \`pixdock login ${service.url}\``),
    });
    expect(await status([], { PIXDOCK_BASE_URL: 'http://127.0.0.1:9' })).toMatchObject({ code: 1, stdout: '' });
  });
});
