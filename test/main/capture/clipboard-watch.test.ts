import { setImmediate as turn } from 'node:timers/promises';
import type { ClipboardItem as ElectronItem } from 'electron';
import { expect, test } from 'vitest';
import type { Preferences } from '#api/desktop/preferences.ts';
import { setupClipboardWatch } from '#main/capture/clipboard-watch.ts';
import { ClipboardItem } from '#test/desktop/double/clipboard.ts';
import { FakeClock } from '../fake-clock.ts';

type Content = Record<string, string | Blob>;
const png = (bytes: string): Content => ({ 'image/png': new Blob([bytes]) });

/** A watch over a clipboard whose content and preference the test sets. */
function watching({ on = true, available = true, held = {} as Content, remembered = [] as string[] } = {}) {
  const clock = new FakeClock();
  const uploads: string[] = [];
  let read = 0;
  let content = held;
  let listener: (next: Preferences) => void = () => undefined;
  const set = new Set(remembered);
  const watch = setupClipboardWatch({
    clipboard: {
      read: async () => {
        read += 1;
        return [new ClipboardItem(content) as unknown as ElectronItem];
      },
    },
    preferences: {
      get: () => ({ watchClipboard: on }),
      onChange: (change) => {
        listener = change;
      },
    },
    available,
    seen: { has: (mark) => set.has(mark), add: (mark) => void set.add(mark) },
    clock,
    upload: async ({ picture }) => void uploads.push(new TextDecoder().decode(picture?.bytes)),
  });
  return {
    watch,
    uploads,
    seen: set,
    readings: () => read,
    copy: (next: Content) => {
      content = next;
    },
    turnOn: (watchClipboard: boolean) => listener({ watchClipboard } as Preferences),
    async pass(seconds: number) {
      for (let i = 0; i < seconds; i += 1) {
        clock.pass(1_000);
        for (let turns = 0; turns < 5; turns += 1) await turn();
      }
    },
  };
}

test('uploads each picture that is copied, once, and nothing else', async () => {
  const { uploads, copy, pass } = watching();
  await pass(1);
  for (const content of [
    png('a'),
    { 'text/plain': 'http://h/i/a.png' },
    { 'text/uri-list': 'file:///b.png', ...png('icon') },
    png('c'),
    png('a'),
  ]) {
    copy(content);
    await pass(6);
  }
  expect(uploads).toEqual(['a', 'c']);
});

test('the picture that is there at the start isn’t new, not even later', async () => {
  const { uploads, copy, pass } = watching({ held: png('old') });
  await pass(3);
  copy({});
  await pass(6);
  copy(png('old'));
  await pass(6);
  expect(uploads).toEqual([]);
});

test('remembers what an earlier run has uploaded', async () => {
  const first = watching();
  await first.pass(1);
  first.copy(png('a'));
  await first.pass(2);
  expect(first.uploads).toEqual(['a']);
  const second = watching({ remembered: [...first.seen] });
  await second.pass(1);
  second.copy(png('a'));
  await second.pass(6);
  expect(second.uploads).toEqual([]);
});

test('looks only while it is on, and less often while an old picture is there', async () => {
  const { readings, turnOn, copy, pass } = watching({ on: false });
  await pass(10);
  expect(readings()).toBe(0);
  turnOn(true);
  await pass(10);
  expect(readings()).toBe(10);
  copy(png('a'));
  await pass(21);
  expect(readings()).toBeLessThan(10 + 2 * 6);
  turnOn(false);
  const before = readings();
  await pass(10);
  expect(readings()).toBe(before);
});

test('leaves captures alone, which note their picture themselves', async () => {
  const { watch, uploads, copy, pass } = watching();
  await pass(1);
  await watch.without(async () => {
    copy(png('shot'));
    await pass(5);
    watch.note({ mark: 'another', files: [], picture: { bytes: new Uint8Array(), ext: 'png' } });
  });
  expect(uploads).toEqual([]);
  await pass(5);
  expect(uploads).toEqual(['shot']);
});

test('does nothing where the clipboard can’t be watched', async () => {
  const { readings, turnOn, pass } = watching({ available: false });
  turnOn(true);
  await pass(3);
  expect(readings()).toBe(0);
});
