import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CAPTURE_PATH, HANDOVER_ADDRESS, RECORD_PATH } from '#api/desktop/handover.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

// The command with an app that misbehaves or isn't running. With the real app: test/desktop/handover.e2e.ts.

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A home where a stand-in listens on the app's socket. */
async function homeWithApp(app: RequestListener) {
  const home = temporaryFolder();
  const folder = join(home, 'config/Pixdock/handover');
  await mkdir(folder, { recursive: true });
  const server = createServer(app);
  servers.push(server);
  const socket = join(folder, 'app.sock');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  await writeFile(join(folder, HANDOVER_ADDRESS), socket);
  return home;
}

const homeWithReply = (body: unknown, status = 200) =>
  homeWithApp((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
const upload = (home: string, ...args: string[]) => runCli(home, ['upload', '--clipboard', ...args]);
const failure = (message: string) => ({ stdout: '', stderr: `pixdock: ${message}\n`, code: 1 });
const NOT_RUNNING = failure('The Pixdock app isn’t running. Start it and try again.');

describe.skipIf(process.platform !== 'linux')('pixdock upload --clipboard', () => {
  it("reports that the app isn't running", async () => {
    expect(await upload(temporaryFolder())).toEqual(NOT_RUNNING);
  });

  it('reports it after the app has crashed, too', async () => {
    const home = temporaryFolder();
    await mkdir(join(home, 'config/Pixdock/handover'), { recursive: true });
    await writeFile(join(home, 'config/Pixdock/handover', HANDOVER_ADDRESS), join(home, 'gone.sock'));
    expect(await upload(home)).toEqual(NOT_RUNNING);
  });

  it("passes the app's response on", async () => {
    expect(
      await upload(await homeWithReply({ ok: false, message: 'There’s no picture on the clipboard. Copy one and try again.' })),
    ).toEqual(failure('There’s no picture on the clipboard. Copy one and try again.'));
  });

  it('names each picture that failed, and reports if nothing was uploaded', async () => {
    const home = await homeWithReply({
      ok: true,
      uploaded: [],
      copied: false,
      failed: [{ name: 'a\n.png', message: 'The file is too large.' }],
    });
    expect(await upload(home)).toEqual(failure('a\\n.png: The file is too large.'));
    const nothing = await homeWithReply({ ok: true, uploaded: [], copied: false, failed: [] });
    expect(await upload(nothing)).toEqual(failure('The upload was cancelled in the app.'));
  });

  it('times out', async () => {
    const home = await homeWithApp(() => undefined);
    expect(await upload(home, '--timeout', '1')).toEqual(
      failure('The Pixdock app didn’t respond within 1 s. It may still be uploading: check its tray icon.'),
    );
  });

  it('reports an app that quits in between', async () => {
    const home = await homeWithApp((request) => request.socket.destroy());
    expect(await upload(home)).toEqual(
      failure('The Pixdock app quit before it responded. It will resume the upload when it starts again.'),
    );
  });

  it('rejects an unexpected response', async () => {
    const message = 'The Pixdock app sent an unexpected response. Make sure the app and this command are the same version.';
    expect(await upload(await homeWithReply({ ok: true, links: [] }))).toEqual(failure(message));
    expect(await upload(await homeWithApp((_request, response) => response.end('hello')))).toEqual(failure(message));
  });

  it('ends on Ctrl-C', async () => {
    let started: (() => void) | undefined;
    const home = await homeWithApp(() => started?.());
    const { code, stderr } = await runCli(home, ['upload', '--clipboard'], {
      onStart: ({ interrupt }) => {
        started = interrupt;
      },
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'pixdock: Interrupted.\n' });
  });

  it.each([
    [['photo.jpg'], '--clipboard uploads the picture on the clipboard and takes no files.'],
    [['--name', ' '], 'The name is empty.'],
    [['--token', 'pxd_x'], "option '--clipboard' cannot be used with option '--token <token>'"],
    [['--base-url', 'http://127.0.0.1:1'], "option '--clipboard' cannot be used with option '--base-url <url>'"],
    [['--retries', '2'], "option '--clipboard' cannot be used with option '--retries <number>'"],
  ])('rejects %j as a usage error', async (args, message) => {
    const { stdout, stderr, code } = await upload(temporaryFolder(), ...args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr.split('\n')[0]).toBe(`pixdock: ${message}`);
  });
});

describe.skipIf(process.platform !== 'linux')('pixdock upload --capture', () => {
  it('asks the app for a capture, and prints the reason if there is none', async () => {
    const paths: (string | undefined)[] = [];
    const home = await homeWithApp((request, response) => {
      paths.push(request.url);
      response.end(JSON.stringify({ ok: false, message: 'No program for screenshots is installed.' }));
    });
    expect(await runCli(home, ['upload', '--capture'])).toEqual(failure('No program for screenshots is installed.'));
    expect(paths).toEqual([CAPTURE_PATH]);
  });

  it('prints nothing when the capture is cancelled', async () => {
    const home = await homeWithReply({ ok: true, uploaded: [], failed: [], copied: false, cancelled: true });
    expect(await runCli(home, ['upload', '--capture'])).toEqual({ stdout: '', stderr: '', code: 1 });
  });

  it.each([
    [
      ['--capture', 'photo.jpg'],
      "option '--capture [mode]' argument 'photo.jpg' is invalid. Allowed choices are region, last-region, window, screen.",
    ],
    [['--capture', 'window', 'photo.jpg'], '--capture uploads part of the screen and takes no files.'],
    [['--capture', '--clipboard'], "option '--capture [mode]' cannot be used with option '--clipboard'"],
    [['--delay', '5', 'photo.jpg'], '--delay works only with --capture.'],
    [['--capture', '--delay', '4'], "option '--delay <seconds>' argument '4' is invalid. Allowed choices are 0, 3, 5, 10."],
  ])('rejects %j as a usage error', async (args, message) => {
    const { stderr, code } = await runCli(temporaryFolder(), ['upload', ...args]);
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({ code: 2, stderr: `pixdock: ${message}` });
  });
});

describe.skipIf(process.platform !== 'linux')('pixdock upload --record', () => {
  it.each([
    [{ recording: 'started' }, { stdout: '', stderr: 'pixdock: Recording. Run the command again to stop.\n', code: 0 }],
    [{ recording: 'draft' }, { stdout: '', stderr: 'pixdock: The recording is a draft in the Pixdock app.\n', code: 0 }],
    [{ cancelled: true }, { stdout: '', stderr: '', code: 1 }],
  ])('has the app start or stop one, and prints what became of it: %j', async (answer, expected) => {
    const asked: unknown[] = [];
    const home = await homeWithApp(async (request, response) => {
      asked.push([request.url, JSON.parse(Buffer.concat(await request.toArray()).toString())]);
      response.end(JSON.stringify({ ok: true, uploaded: [], failed: [], copied: false, ...answer }));
    });
    expect(await runCli(home, ['upload', '--record', 'screen'])).toEqual(expected);
    expect(asked).toEqual([[RECORD_PATH, { target: 'screen' }]]);
  });

  it.each([
    [['--record', 'window', 'photo.jpg'], '--record uploads a recording of the screen and takes no files.'],
    [['--record', '--name', 'x'], '--record takes only --format, --template and --timeout: the app has the other options.'],
  ])('rejects %j as a usage error', async (args, message) => {
    const { stderr, code } = await runCli(temporaryFolder(), ['upload', ...args]);
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({ code: 2, stderr: `pixdock: ${message}` });
  });
});
