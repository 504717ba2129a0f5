import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Terminal as Screen } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '#api/client.ts';
import { clipboardTools } from '#cli/clipboard.ts';
import { describeError } from '#cli/errors.ts';
import { formatBytes } from '#cli/printable.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { runCli } from './run-cli.ts';
import { accept, refuse, startScriptedService, uploadedImage } from './scripted-service.ts';

const LINK = uploadedImage().links.url;

async function homeWithImage() {
  const home = temporaryFolder();
  await writeFile(join(home, 'cat.jpg'), 'x'.repeat(300_000));
  return home;
}

/** Runs a line on a terminal; returns the terminal's output, with the line ends that it makes. */
async function onTerminal(
  home: string,
  line: string,
  { env = {}, columns = 120 }: { env?: Record<string, string>; columns?: number } = {},
) {
  const { stdout, code } = await runCli(home, line.split(' ').slice(1), { env, columns, stdin: null });
  return { stdout: stdout.replaceAll('\n', '\r\n'), code };
}

/** The lines on the screen in the end: a program can go back and erase its output, which the bytes alone don't show. */
async function screenOf(output: string): Promise<string[]> {
  const screen = new Screen({ cols: 120, rows: 24, allowProposedApi: true });
  await new Promise<void>((resolve) => screen.write(output, resolve));
  const rows = Array.from({ length: screen.rows }, (_, row) => screen.buffer.active.getLine(row)?.translateToString(true) ?? '');
  return rows.filter((row) => row !== '');
}

describe('pixdock on a terminal', () => {
  it('leaves every link and every error on the screen, and no bar', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout } = await onTerminal(home, `pixdock upload cat.jpg no.jpg cat.jpg cat.jpg --base-url ${service.url}`);
    expect(await screenOf(stdout)).toEqual([LINK, 'pixdock: no.jpg: no such file', LINK, LINK]);
  });

  it('says who can open the links, where that isn’t anyone: to people, not to programs', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept(uploadedImage('b7Rk2mQx9LpT', 'http://192.168.1.5:7410'))]);
    const line = `pixdock upload cat.jpg cat.jpg --base-url ${service.url}`;
    const { stdout } = await onTerminal(home, line);
    expect((await screenOf(stdout)).slice(-1)).toEqual(['pixdock: Anyone on your network can open them.']);
    expect(await runCli(home, line.split(' ').slice(1))).toMatchObject({ stderr: '', code: 0 });
  });

  it('shows a long error in full while the bar is shown', async () => {
    const home = await homeWithImage();
    const reason = `This picture cannot be taken, ${'and there is more to say about it, '.repeat(4)}and that is all.`;
    await using service = await startScriptedService([refuse(422, reason, { code: 'ext_not_allowed' })]);
    const { stdout } = await onTerminal(home, `pixdock upload cat.jpg --base-url ${service.url}`);
    expect((await screenOf(stdout)).join('')).toBe(`pixdock: cat.jpg: ${reason}`);
  });

  it('leaves the links of an import and its summary on the screen, and no bar', async () => {
    const home = temporaryFolder();
    await mkdir(join(home, 'in'));
    for (const name of ['a', 'b', 'c']) await writeFile(join(home, 'in', `${name}.jpg`), name.repeat(1000));
    await using service = await startScriptedService([accept()]);
    const { stdout } = await onTerminal(home, `pixdock import-dir in --format url --base-url ${service.url}`);
    expect(await screenOf(stdout)).toEqual([LINK, LINK, LINK, expect.stringMatching(/^pixdock: Uploaded 3 pictures/)]);
  });

  it.each([40, 60, 90])('draws a bar that fits into %i columns without cutting its numbers', async (columns) => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout } = await onTerminal(home, `pixdock upload cat.jpg cat.jpg --base-url ${service.url}`, { columns });
    const bars = stdout
      .replaceAll('\u001b[1G', '\n')
      .split(/[\r\n]+/)
      .filter((text) => text.includes('━') || text.includes('─'));
    expect(bars.length).toBeGreaterThan(0);
    for (const bar of bars.map(stripVTControlCharacters)) {
      expect(bar.length).toBeLessThanOrEqual(columns);
      expect(bar).toMatch(/ \d\/2(?: · [\d.]+ \w+ of [\d.]+ \w+)?(?: · [\d.]+ \w+\/s)?(?: · \d+ s left)?\s*$/);
    }
  });

  it('removes the bar and leaves the link', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout } = await onTerminal(home, `pixdock upload cat.jpg --base-url ${service.url}`);
    expect(stdout).toContain(`\u001b[2K${LINK}\r\n`);
  });

  it('colours errors', async () => {
    const { stdout, code } = await onTerminal(temporaryFolder(), 'pixdock upload no.jpg --base-url http://127.0.0.1:9');
    expect(code).toBe(1);
    expect(stdout).toContain('\u001b[31mpixdock:\u001b[39m no.jpg: no such file');
  });

  it.each([
    ['NO_COLOR', '', { NO_COLOR: '1' }],
    ['--no-color', ' --no-color', {}],
  ])("doesn't colour with %s", async (_, option, env) => {
    const { stdout } = await onTerminal(temporaryFolder(), `pixdock upload no.jpg --base-url http://127.0.0.1:9${option}`, { env });
    expect(stdout).toContain('pixdock: no.jpg: no such file');
    expect(stdout).not.toContain('\u001b[3');
  });

  it('without a file is a usage error, rather than waiting for input', async () => {
    const { stdout, code } = await onTerminal(temporaryFolder(), 'pixdock upload --base-url http://127.0.0.1:9');
    expect(code).toBe(2);
    expect(stdout).toContain('Specify a picture to upload, or pipe one in.');
  });
});

describe('pixdock in a pipe', () => {
  it('prints neither bar nor colour', async () => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout, stderr } = await runCli(home, ['upload', 'cat.jpg', '--base-url', service.url]);
    expect({ stdout, stderr }).toEqual({ stdout: `${LINK}\n`, stderr: '' });
  });
});

describe.runIf(process.platform === 'linux')('pixdock upload --copy', () => {
  /** A stand-in for a clipboard program that records its input. */
  async function homeWithClipboard(name: string, exitCode = 0) {
    const home = await homeWithImage();
    await writeFile(join(home, name), `#!/bin/sh\necho "$@" > "$HOME/arguments"\ncat > "$HOME/copied"\nexit ${exitCode}\n`);
    await chmod(join(home, name), 0o755);
    return home;
  }
  const copy = (home: string, url: string, env: Record<string, string>, ...more: string[]) =>
    runCli(home, ['upload', 'cat.jpg', 'cat.jpg', ...more, '--copy', '--base-url', url], {
      env: { PATH: `${home}:/usr/bin:/bin`, ...env },
    });

  it.each([
    ['wl-copy', { WAYLAND_DISPLAY: 'wayland-0' }, ''],
    ['xclip', { DISPLAY: ':0' }, '-selection clipboard'],
    ['xsel', { DISPLAY: ':0' }, '--clipboard --input'],
  ])('passes the printed lines to %s', async (tool, env, args) => {
    const home = await homeWithClipboard(tool);
    await using service = await startScriptedService([accept()]);
    const { stdout, stderr, code } = await copy(home, service.url, env, '--format', 'markdown');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(`${await readFile(join(home, 'copied'), 'utf8')}\n`).toBe(stdout);
    expect((await readFile(join(home, 'arguments'), 'utf8')).trim()).toBe(args);
  });

  it.each([
    ['a missing program on Wayland', { WAYLAND_DISPLAY: 'wayland-0' }, 'wl-copy isn’t installed. Install the wl-clipboard package.'],
    ['a missing program on X11', { DISPLAY: ':0' }, 'neither xclip nor xsel is installed. Install one of them.'],
    ['no desktop at all', {}, 'no desktop session was found.'],
  ])('still prints the links with %s, reports it and fails', async (_, env, reason) => {
    const home = await homeWithImage();
    await using service = await startScriptedService([accept()]);
    const { stdout, stderr, code } = await copy(home, service.url, { ...env, PATH: home });
    expect({ stdout, stderr, code }).toEqual({
      stdout: `${LINK}\n${LINK}\n`,
      stderr: `pixdock: Can’t copy the links: ${reason}\n`,
      code: 1,
    });
  });

  it('reports a clipboard program that fails', async () => {
    const home = await homeWithClipboard('xclip', 1);
    await using service = await startScriptedService([accept()]);
    const { stderr, code } = await copy(home, service.url, { DISPLAY: ':0' });
    expect({ stderr, code }).toEqual({ stderr: 'pixdock: Can’t copy the links: xclip failed.\n', code: 1 });
  });

  it('uses the clipboards of macOS and Windows', () => {
    const commands = (platform: NodeJS.Platform) => clipboardTools({ platform, wayland: false, x11: false }).map(({ command }) => command);
    expect([commands('darwin'), commands('win32')]).toEqual([['pbcopy'], ['clip.exe']]);
  });
});

const unreachable = new NetworkError('Could not reach http://192.168.1.20:7410: connect EHOSTUNREACH', {
  cause: Object.assign(new Error('connect EHOSTUNREACH'), { code: 'EHOSTUNREACH' }),
});

it('a host without a route may be one that macOS keeps the terminal from', () => {
  const reason = 'Could not reach http://192.168.1.20:7410: there’s no route to that host. Are both computers on the same network?';
  expect(describeError(unreachable, 'linux')).toBe(reason);
  expect(describeError(unreachable, 'darwin')).toBe(
    `${reason} macOS may also be keeping your terminal off the local network: see System Settings → Privacy & Security → Local Network.`,
  );
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [419.3811980254169, '419 bytes'],
  [1023.4, '1023 bytes'],
  [1023.6, '1.0 KB'],
  [1536, '1.5 KB'],
  [1024 ** 2 - 1, '1.0 MB'],
  [3 * 1024 ** 5, '3072.0 TB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});
