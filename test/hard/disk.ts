import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { has } from '#test/helpers/programs/installed.ts';

const BYTES = 1024 ** 3;
/** What a killed service has started ends a moment later, and holds files until then. */
const RELEASE_MS = 10_000;

export type FileSystem = 'ext4' | 'xfs';

/** A file system of its own whose power can be cut: what was not flushed until then is lost. */
export interface Disk {
  readonly folder: string;
  /** From now on, nothing reaches the disk. */
  cut(): void;
  /** Mounts the disk again, as after a start of the computer. Nothing may use it. */
  remount(): Promise<void>;
}

/** A disk until the end of the test, or why there can be none. */
export function openDisk(kind: FileSystem): Disk | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Cutting the power of a disk needs root on Linux.';
  const missing = ['mount', 'losetup', 'xfs_io', `mkfs.${kind}`].filter((program) => !has(program));
  if (missing.length > 0) return `Cutting the power of a disk needs ${missing.join(' and ')}.`;
  const root = mkdtempSync(join(tmpdir(), 'pixdock-disk-'));
  const [image, folder] = [join(root, 'image'), join(root, 'mounted')];
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, BYTES);
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });
  // XFS refuses two file systems with one UUID.
  const mount = () => run('mount', '-o', kind === 'xfs' ? 'loop,nouuid' : 'loop', image, folder);
  const remove = () => {
    // Lazily: the device is detached even if something still uses it.
    run('umount', '--lazy', folder);
    rmSync(root, { recursive: true, force: true });
    process.off('exit', remove);
  };
  process.once('exit', remove); // of a run that is interrupted
  onTestFinished(remove);
  const made = run(`mkfs.${kind}`, '-q', image);
  if (made.status !== 0) throw new Error(made.stderr);
  const mounted = mount();
  if (mounted.status !== 0) return `Mounting a disk isn’t possible here: ${mounted.stderr.trim()}`;
  return {
    folder,
    cut() {
      const { status, stderr } = run('xfs_io', '-x', '-c', 'shutdown', folder);
      if (status !== 0 || stderr) throw new Error(`The power wasn’t cut: ${stderr}`);
    },
    async remount() {
      await expect.poll(() => run('umount', folder).status, { timeout: RELEASE_MS }).toBe(0);
      // Sandboxes have copies of the list of mounts, which may keep the file system in use that was shut down: only a copy of the disk is another.
      const next = join(root, 'next');
      for (const { status, stderr } of [run('cp', '--sparse=always', image, next), run('mv', next, image), mount()])
        if (status !== 0) throw new Error(stderr);
    },
  };
}
