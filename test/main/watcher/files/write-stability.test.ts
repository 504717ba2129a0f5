import { expect, test } from 'vitest';
import type { Content, FileState } from '#main/watcher/files/content.ts';
import { createWriteStability, type StableFile } from '#main/watcher/files/write-stability.ts';
import { FakeClock } from '../../fake-clock.ts';

interface FakeFile {
  size: number;
  modified: number;
  content: string;
  hollow?: boolean;
  locked?: boolean;
}

/** The write stability of files that exist only in a map. */
function stabilityOf(files: Map<string, FakeFile>) {
  const clock = new FakeClock();
  const stable: StableFile[] = [];
  const gone: string[] = [];
  const unreadable: string[] = [];
  let whileReading = (): void => undefined;
  const writeStability = createWriteStability({
    clock,
    limit: (work) => work(),
    async state(relPath): Promise<FileState | 'gone'> {
      const file = files.get(relPath);
      return file ? { size: file.size, modified: file.modified, changed: file.modified, inode: relPath } : 'gone';
    },
    async content(relPath): Promise<Content> {
      const file = files.get(relPath);
      if (!file) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      if (file.locked) throw Object.assign(new Error('locked'), { code: 'EBUSY' });
      const content = { sha256: file.content, size: file.size, hollow: file.hollow ?? false };
      whileReading();
      return content;
    },
    onStable: (file) => stable.push(file),
    onGone: (relPath) => gone.push(relPath),
    onUnreadable: (relPath) => unreadable.push(relPath),
  });
  return {
    writeStability,
    stable,
    gone,
    unreadable,
    /** Called each time a file has been read. */
    onRead: (action: () => void) => {
      whileReading = action;
    },
    async pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += 50) {
        clock.pass(50);
        // Looks and reads end in microtasks.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

const file = (content: string, size: number, modified = 1): FakeFile => ({ content, size, modified });

test('takes a file when its size and time have been the same for a second', async () => {
  const { writeStability, stable, pass } = stabilityOf(new Map<string, FakeFile>([['a.png', file('A', 5)]]));
  writeStability.touch('a.png');
  await pass(1_000);
  expect(stable).toEqual([]);
  await pass(400);
  expect(stable).toMatchObject([{ relPath: 'a.png', size: 5, sha256: 'A' }]);
  expect(writeStability.size()).toBe(0);
});

test('waits for a program that writes in pieces', async () => {
  const files = new Map<string, FakeFile>([['a.png', file('A', 1)]]);
  const { writeStability, stable, pass } = stabilityOf(files);
  writeStability.touch('a.png');
  for (let size = 2; size <= 6; size++) {
    await pass(800);
    files.set('a.png', file('A', size, size));
  }
  expect(stable).toEqual([]);
  await pass(2_500);
  expect(stable).toMatchObject([{ size: 6 }]);
});

test('waits for a file whose time is set back at the end', async () => {
  const files = new Map<string, FakeFile>([['a.png', file('A', 5, 900)]]);
  const { writeStability, stable, pass } = stabilityOf(files);
  writeStability.touch('a.png');
  await pass(800);
  files.set('a.png', file('A', 5, 100));
  await pass(600);
  expect(stable).toEqual([]);
  await pass(1_200);
  expect(stable).toMatchObject([{ modified: 100 }]);
});

test('waits half a minute for a file that ends in zeros, as files with reserved space do', async () => {
  const files = new Map<string, FakeFile>([['a.png', { ...file('zeros', 5_000), hollow: true }]]);
  const { writeStability, stable, pass } = stabilityOf(files);
  writeStability.touch('a.png');
  await pass(20_000);
  expect(stable).toEqual([]);
  files.set('a.png', file('filled', 5_000, 2));
  writeStability.touch('a.png');
  await pass(2_500);
  expect(stable).toMatchObject([{ sha256: 'filled' }]);

  files.set('b.bmp', { ...file('black', 5_000), hollow: true });
  writeStability.touch('b.bmp');
  await pass(32_000);
  expect(stable).toMatchObject([{ sha256: 'filled' }, { sha256: 'black' }]);
});

test('reads a file again that changes while it is read', async () => {
  const files = new Map<string, FakeFile>([['a.png', file('old', 5)]]);
  const { writeStability, stable, pass, onRead } = stabilityOf(files);
  onRead(() => {
    if (files.get('a.png')?.content === 'old') files.set('a.png', file('new', 5, 2));
  });
  writeStability.touch('a.png');
  await pass(3_500);
  expect(stable).toMatchObject([{ sha256: 'new' }]);
});

test('drops a file that is deleted partway', async () => {
  const files = new Map<string, FakeFile>([['a.png', file('A', 5)]]);
  const { writeStability, stable, gone, pass } = stabilityOf(files);
  writeStability.touch('a.png');
  await pass(600);
  files.delete('a.png');
  await pass(2_000);
  expect(stable).toEqual([]);
  expect(gone).toEqual(['a.png']);
  expect(writeStability.size()).toBe(0);
});

test('waits for a locked file, and gives up after half a minute', async () => {
  const files = new Map<string, FakeFile>([
    ['a.png', { ...file('A', 5), locked: true }],
    ['b.png', { ...file('B', 5), locked: true }],
  ]);
  const { writeStability, stable, unreadable, pass } = stabilityOf(files);
  writeStability.touch('a.png');
  writeStability.touch('b.png');
  await pass(10_000);
  files.set('a.png', file('A', 5));
  await pass(3_000);
  expect(stable).toMatchObject([{ relPath: 'a.png' }]);
  expect(unreadable).toEqual([]);
  await pass(30_000);
  expect(unreadable).toEqual(['b.png']);
});

test('gives an empty file ten seconds', async () => {
  const files = new Map<string, FakeFile>([['a.png', file('', 0)]]);
  const { writeStability, stable, pass } = stabilityOf(files);
  writeStability.touch('a.png');
  await pass(9_000);
  expect(stable).toEqual([]);
  await pass(2_500);
  expect(stable).toMatchObject([{ size: 0 }]);
});
