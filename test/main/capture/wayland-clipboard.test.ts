import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Reason } from '#main/base/reasons.ts';
import { clipboardItems, readClipboard } from '#main/capture/clipboard.ts';
import { hasClipboardPrograms, waylandClipboard } from '#main/capture/wayland-clipboard.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { systemItem } from '#test/desktop/double/system/clipboard.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The desktop's programs under these names, as shell scripts; the folder is their `$HOME`. */
async function desktopWith(programs: Record<string, string>) {
  const home = temporaryFolder();
  await mkdir(join(home, 'bin'));
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
    await chmod(join(home, 'bin', name), 0o755);
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', `${join(home, 'bin')}:/usr/bin:/bin`);
  return home;
}

/** The clipboard as a background app sees it, and the text written to it. */
function electronsView() {
  const written: string[] = [];
  const clipboard = {
    read: async () => [systemItem({ 'image/png': new Blob(['old picture']) })],
    writeText: async (text: string) => void written.push(text),
  };
  return { written, clipboard: waylandClipboard(clipboard) };
}

/** The behaviour of wl-clipboard 2.1: lists one type per line; prints the requested one unchanged. */
const HOLDS_PNG = `case "$*" in
  --list-types) printf 'image/png\\ntext/html\\n' ;;
  '--no-newline --type image/png') printf 'new \\0 picture' ;;
  *) echo 'No suitable type of content copied' >&2; exit 1 ;;
esac`;

describe.skipIf(process.platform !== 'linux')('the clipboard under Wayland', () => {
  it('is read through wl-paste, byte for byte', async () => {
    await desktopWith({ 'wl-paste': HOLDS_PNG });
    const [source] = await clipboardItems(await readClipboard(electronsView().clipboard), openSpool(temporaryFolder()), async () => false);
    expect(await readFile(source?.path ?? '', 'utf8')).toBe('new \0 picture');
  });

  it.each(['No selection', 'Nothing is copied'])('is empty when wl-paste reports it (%s), whatever Electron remembers', async (message) => {
    await desktopWith({ 'wl-paste': `echo '${message}' >&2; exit 1` });
    expect(await electronsView().clipboard.read()).toEqual([]);
  });

  it.each([
    ['is missing', {}],
    ['fails', { 'wl-paste': "echo 'Failed to connect to a Wayland server' >&2; exit 1" }],
  ])('is read by Electron when wl-paste %s', async (_what, programs) => {
    await desktopWith(programs);
    vi.stubEnv('PATH', join(process.env.HOME ?? '', 'bin'));
    const [source] = await clipboardItems(await readClipboard(electronsView().clipboard), openSpool(temporaryFolder()), async () => false);
    expect(await readFile(source?.path ?? '', 'utf8')).toBe('old picture');
  });

  it('can’t be read in the background without wl-paste, which is named when nothing is there', async () => {
    const home = await desktopWith({});
    vi.stubEnv('PATH', join(home, 'bin'));
    const empty = waylandClipboard({ read: async () => [systemItem({})], writeText: async () => undefined });
    await expect(empty.read()).rejects.toEqual(new Reason('clipboardPrograms'));
    await desktopWith({ 'wl-paste': 'exit 1' });
    expect((await empty.read()).flatMap(({ types }) => types)).toEqual([]);
  });

  it('needs both programs, which must be executable', async () => {
    const folders = [join(await desktopWith({ 'wl-paste': '' }), 'bin'), join(await desktopWith({ 'wl-copy': '' }), 'bin')];
    expect([hasClipboardPrograms(folders), hasClipboardPrograms(folders.slice(1))]).toEqual([true, false]);
    await chmod(join(folders[0] ?? '', 'wl-paste'), 0o644);
    expect(hasClipboardPrograms(folders)).toBe(false);
  });

  it('is written through wl-copy, which keeps running to serve the text', async () => {
    const home = await desktopWith({ 'wl-copy': 'cat > "$HOME/copied"; sleep 2 & exit 0' });
    const { clipboard, written } = electronsView();
    await clipboard.writeText('http://pics.example.org/i/ä');
    expect(await readFile(join(home, 'copied'), 'utf8')).toBe('http://pics.example.org/i/ä');
    expect(written).toEqual([]);
  });

  it.each([
    ['is missing', {}],
    ['fails', { 'wl-copy': 'exit 1' }],
  ])('is written by Electron when wl-copy %s', async (_what, programs) => {
    await desktopWith(programs);
    vi.stubEnv('PATH', join(process.env.HOME ?? '', 'bin'));
    const { clipboard, written } = electronsView();
    await clipboard.writeText('a link');
    expect(written).toEqual(['a link']);
  });
});
