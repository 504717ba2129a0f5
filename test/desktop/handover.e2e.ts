import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { getProfile } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { getImage, listImages } from '#api/images/images.ts';
import { type Uploaded, uploaded } from '#api/images/upload.ts';
import { CLI, runBuiltCli } from '#test/cli/built-cli.ts';
import { codeBlocks } from '#test/docs/guides.ts';
import { homeEnv, type ProgramOptions, runProgram } from '#test/helpers/programs/programs.ts';
import type { Desktop } from './driver.ts';
import { test as base, expect, png } from './fixtures.ts';

// `pixdock upload --clipboard`: the built command line as a process of its own, and the app's private socket.
type Cli = (args?: string[], options?: ProgramOptions) => ReturnType<typeof runBuiltCli>;

/** The command line looks for the app's folder in its home, which both share. */
const cliIn =
  (home: string): Cli =>
  (args = [], options) =>
    runBuiltCli(home, ['upload', '--clipboard', ...args], options);

const test = base.extend<{ cli: Cli; usedCli: Cli }>({
  cli: async ({ folder }, use) => use(cliIn(folder)),
  usedCli: async ({ usedHome }, use) => use(cliIn(usedHome)),
  launch: async ({ launch, folder }, use) => use((options) => launch({ userData: join(folder, 'config/Pixdock'), ...options })),
});

/** A client with the page's session. */
async function client(desktop: Desktop) {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const baseUrl = new URL(desktop.page.url()).origin;
  const cookies = await desktop.page.context().cookies(baseUrl);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { client: createClient({ baseUrl }), headers: { cookie } };
}

const only = (stdout: string): Uploaded => uploaded.parse(JSON.parse(stdout));

test('the link is printed, copied and notified, as after pressing the shortcut', async ({ used: desktop, usedCli: cli }) => {
  await desktop.copyOutside('image/png', await png('#2a7fd4'));
  const { stdout, stderr, code } = await cli();
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/i\/[0-9A-Za-z]{12}\.png\n$/);
  expect((await fetch(stdout.trim())).headers.get('content-type')).toBe('image/png');
  expect(await desktop.clipboardText()).toBe(stdout.trim());
  expect(await desktop.notifications()).toMatchObject([{ title: 'Link copied' }]);
});

test('every option applies: name, visibility, expiry, views, password, album by name, and the format of both copies', async ({
  used: desktop,
  usedCli: cli,
}) => {
  const { client: pixdock, headers } = await client(desktop);
  const album = await pixdock.call(createAlbum, { body: { name: 'Plans & more' }, headers });
  await desktop.copyOutside('image/png', await png('#0a0'));
  const drafts = await pixdock.call(createAlbum, { body: { name: 'Drafts' }, headers });
  const albums = ['--album', 'Plans & more', '--album', drafts.id];
  const options = ['--name', 'plan.png', '--visibility', 'private', '--expires-in', '1h', '--max-views', '7', ...albums];
  const { stdout, stderr, code } = await cli([...options, '--password', 'sesame', '--policy', '1', '--format', 'json', '--copy']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const uploaded = only(stdout);
  expect(uploaded).toMatchObject({ name: 'plan.png', visibility: 'private', max_views: 7, album_id: album.id, has_password: true });
  expect(Date.parse(uploaded.expires_at ?? '') - Date.now()).toBeLessThan(3_600_000);
  const stored = await pixdock.call(getImage, { params: { key: uploaded.key }, headers });
  expect(stored).toMatchObject({ name: 'plan.png', visibility: 'private', album_id: album.id, albums: [album.id, drafts.id] });

  await desktop.copyOutside('image/png', await png('#0c1'));
  const template = await cli(['--template', '<{name}>', '--name', 'own.png']);
  expect({ ...template, clipboard: await desktop.clipboardText() }).toEqual({
    stdout: '<own.png>\n',
    stderr: '',
    code: 0,
    clipboard: '<own.png>',
  });

  await desktop.copyOutside('image/png', await png('#0b0'));
  const markdown = await cli(['--format', 'markdown', '--album', album.id]);
  expect(markdown.stdout).toMatch(/^!\[clipboard-.*\.png\]\(http.*\)\n$/);
  expect(await desktop.clipboardText()).toBe(markdown.stdout.trim());
});

test('an album of another user is found by `owner/name` only, and the terminal and the app say whose it is', async ({
  used: desktop,
  usedCli: cli,
}) => {
  const { client: pixdock, headers } = await client(desktop);
  const username = `mara-${Date.now()}`;
  const password = 'a long enough password';
  await pixdock.call('POST /admin/users', { body: { username, email: `${username}@example.org`, password }, headers });
  const { baseUrl } = pixdock;
  const signedIn = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: username, password }),
  });
  const theirs = {
    headers: {
      cookie: signedIn.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    },
  };
  const album = await pixdock.call(createAlbum, { body: { name: 'Contracts' }, ...theirs });
  const { username: own } = await pixdock.call(getProfile, { headers });
  await pixdock.call(putMember, { params: { id: album.id }, body: { username: own, role: 'contributor' }, ...theirs });

  await desktop.copyOutside('image/png', await png('#1c1'));
  const name = `${username}/Contracts`;
  const hint = `You have no album with this name. For the one that is shared with you, use this name: ${name}`;
  expect(await cli(['--album', 'Contracts'])).toEqual({ stdout: '', stderr: `pixdock: ${hint}\n`, code: 1 });
  const { stdout, stderr, code } = await cli(['--album', name, '--format', 'json']);
  const notice = `The album “Contracts” belongs to ${username}. Everyone with whom it is shared can see what you put into it.`;
  expect({ code, stderr, albums: only(stdout).albums }).toEqual({ code: 0, stderr: `pixdock: ${notice}\n`, albums: [album.id] });
  await expect.poll(async () => (await desktop.notifications()).map(({ body }) => body)).toContain(notice);
});

test('each copied file gets a line, and one that isn’t a picture doesn’t stop the others', async ({
  used: desktop,
  usedCli: cli,
  image,
  folder,
}) => {
  const files = [await image('one.png', '#111'), join(folder, 'missing.png'), await image('zwei ä.png', '#222')];
  await desktop.copyOutside('text/uri-list', files.map((file) => pathToFileURL(file).href).join('\r\n'));
  const { stdout, stderr, code } = await cli(['--format', 'json']);
  expect(stdout.trimEnd().split('\n').map(only)).toMatchObject([{ name: 'one.png' }, { name: 'zwei ä.png' }]);
  expect({ stderr, code }).toEqual({ stderr: 'pixdock: missing.png: The file no longer exists.\n', code: 1 });
});

test('without a picture to upload, both the terminal and the app give the reason', async ({ used: desktop, usedCli: cli }) => {
  await desktop.copyOutside('text/plain', 'a sentence');
  const reason = 'There’s no picture on the clipboard. Copy one and try again.';
  expect(await cli()).toEqual({ stdout: '', stderr: `pixdock: ${reason}\n`, code: 1 });
  await desktop.copyOutside('image/png', await png('#333'));
  const noAlbum = 'There’s no album with this name or ID.';
  expect(await cli(['--album', 'Nowhere'])).toEqual({ stdout: '', stderr: `pixdock: ${noAlbum}\n`, code: 1 });
  expect((await desktop.notifications()).map(({ body }) => body)).toEqual([reason, noAlbum]);
});

test('an app that has quit is reported as not running; a restarted one responds', async ({ launch, cli }) => {
  const first = await launch();
  await first.crash();
  expect(await cli()).toEqual({ stdout: '', stderr: 'pixdock: The Pixdock app isn’t running. Start it and try again.\n', code: 1 });
  const second = await launch();
  await second.copyOutside('image/png', await png('#444'));
  expect(await cli()).toMatchObject({ stderr: '', code: 0 });
});

test('a private capture stays private when the app crashes before it is uploaded', async ({ launch, cli, folder }) => {
  test.skip(process.platform === 'win32', 'stops a process by a signal, which Windows does not have');
  const first = await launch();
  await expect(first.page.getByRole('navigation')).toBeVisible();
  const stuck = (await first.servicePid()) ?? 0;
  process.kill(stuck, 'SIGSTOP'); // it accepts connections but never responds
  await first.copyOutside('image/png', await png('#555'));
  const result = cli(['--visibility', 'private', '--name', 'secret.png']);
  await expect.poll(() => first.labels()).toContain('Uploading 1 picture…');
  await first.crash();
  process.kill(stuck, 'SIGKILL');
  expect(await result).toEqual({
    stdout: '',
    stderr: 'pixdock: The Pixdock app quit before it responded. It will resume the upload when it starts again.\n',
    code: 1,
  });

  const second = await launch();
  await expect.poll(() => second.labels('Recent uploads')).toEqual(['Only you: secret.png', 'Send to…']);
  const { client: pixdock, headers } = await client(second);
  const { items } = await pixdock.call(listImages, { query: {}, headers });
  expect(items).toMatchObject([{ name: 'secret.png', visibility: 'private' }]);
  await expect.poll(() => readdir(join(folder, 'config/Pixdock/spool'))).toEqual([]);
});

test('the guide’s commands work as written', async ({ used: desktop, usedHome, folder }) => {
  const blocks = codeBlocks('clipboard.md', 'sh');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/pixdock'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 });
  const env = { ...homeEnv(usedHome), PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  // Each command replaces the clipboard's picture with links, so each needs a new one.
  const commands = blocks.flatMap((block) => block.trim().split('\n'));
  expect(commands).toHaveLength(3);
  for (const [i, command] of commands.entries()) {
    await desktop.copyOutside('image/png', await png(`#77${i}`));
    const { stderr, code } = await runProgram('bash', ['-c', command], { cwd: folder, env });
    expect({ command, stderr, code }).toEqual({ command, stderr: '', code: 0 });
    expect(await desktop.clipboardText()).toMatch(/http\S+\/i\/\w{12}\.png/);
  }
});
