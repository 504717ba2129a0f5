import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { grimAndSlurp, maim, maimWindow, program } from '#main/capture/screen/programs.ts';
import { type CaptureTool, captureWith, NoTool } from '#main/capture/screen/tool.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

afterEach(() => vi.unstubAllEnvs());

/** Makes shell scripts the only programs there are, apart from the system's. */
async function install(scripts: Record<string, string>) {
  const bin = join(temporaryFolder(), 'bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(scripts)) await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
}

const shot = program('pixdock-test-shot', (file) => ['-o', file]);
const other = program('pixdock-test-other', (file) => [file]);
/** The captured text, null when the user cancelled. */
const capture = (...tools: CaptureTool[]) =>
  captureWith(tools, async (captured) => (captured?.kind === 'file' ? readFile(captured.path, 'utf8') : null));

describe.skipIf(process.platform === 'win32')('programs for screenshots', () => {
  it('write the selected region to a file', async () => {
    await install({ 'pixdock-test-shot': 'printf picture > "$2"' });
    expect(await capture(shot)).toBe('picture');
  });

  it.each([
    ['succeeds without a file', 'exit 0'],
    ['fails without a word', 'exit 1'],
    ['says so', 'echo "Selection was cancelled by keystroke or right-click." >&2; exit 1'],
    ['leaves an empty file', ': > "$2"'],
  ])('were cancelled when the program %s: no other one is tried', async (_what, script) => {
    await install({ 'pixdock-test-shot': script, 'pixdock-test-other': 'printf other > "$1"' });
    expect(await capture(shot, other)).toBeNull();
  });

  it('are followed by the next one when missing or failing', async () => {
    await install({ 'pixdock-test-other': 'printf other > "$1"' });
    expect(await capture(shot, other)).toBe('other');
    await install({ 'pixdock-test-shot': 'echo "no display" >&2; exit 1', 'pixdock-test-other': 'printf other > "$1"' });
    expect(await capture(shot, other)).toBe('other');
  });

  it('explain why none of them worked', async () => {
    await install({ 'pixdock-test-shot': 'echo usage >&2; echo "no display" >&2; exit 1' });
    await expect(capture(other, shot)).rejects.toEqual(new NoTool(['pixdock-test-shot: no display']));
    await install({});
    await expect(capture(other, shot)).rejects.toEqual(new NoTool([]));
  });
});

describe.skipIf(process.platform === 'win32')('grim and slurp', () => {
  it('take the region that the user selects', async () => {
    await install({ slurp: 'echo "10,20 300x200"', grim: 'printf "%s" "$2" > "$3"' });
    expect(await capture(grimAndSlurp)).toBe('10,20 300x200');
  });

  it('were cancelled when nothing is selected', async () => {
    await install({ slurp: 'echo "selection cancelled" >&2; exit 1', grim: 'exit 1' });
    expect(await capture(grimAndSlurp, other)).toBeNull();
  });

  it('take the same region again', async () => {
    await install({ slurp: 'echo "10,20 300x200"', grim: 'printf "%s" "$2" > "$3"' });
    const folder = temporaryFolder();
    const first = await grimAndSlurp.capture(folder);
    await install({ slurp: 'exit 1', grim: 'printf "again %s" "$2" > "$3"' });
    const second = await first?.again?.capture(folder);
    expect(second?.kind === 'file' && (await readFile(second.path, 'utf8'))).toBe('again 10,20 300x200');
    expect(second?.again).toBeDefined();
  });

  it('report the compositor’s refusal', async () => {
    await install({ slurp: 'echo "compositor doesn\'t support zwlr_layer_shell_v1" >&2; exit 1' });
    await expect(capture(grimAndSlurp)).rejects.toEqual(new NoTool(["grim: compositor doesn't support zwlr_layer_shell_v1"]));
  });
});

describe.skipIf(process.platform === 'win32')('maim', () => {
  it('takes the region, or the window, that the user selects with slop', async () => {
    await install({ slop: 'case "$*" in *%g*) echo 201x151+100+90;; *) echo 2097155;; esac', maim: 'printf "%s" "$1" > "$2"' });
    expect(await capture(maim)).toBe('--geometry=201x151+100+90');
    expect(await capture(maimWindow)).toBe('--window=2097155');
  });

  it('selects on its own without slop, and then can’t tell the region', async () => {
    await install({ maim: 'printf "%s" "$1" > "$2"' });
    vi.stubEnv('PATH', process.env.PATH?.split(':')[0]);
    const folder = temporaryFolder();
    expect(await maim.capture(folder)).toEqual({ kind: 'file', path: join(folder, 'capture.png') });
  });
});
