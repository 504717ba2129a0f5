import { setImmediate as turn } from 'node:timers/promises';
import type { ClipboardItem as ElectronItem } from 'electron';
import { expect, test } from 'vitest';
import type { Preferences } from '#api/desktop/preferences.ts';
import { setupClipboardWatch } from '#main/capture/clipboard-watch.ts';
import { systemItem } from '#test/desktop/double/system/clipboard.ts';
import { FakeClock } from '../fake-clock.ts';

type Content = Record<string, string | Blob>;
const png = (bytes: string): Content => ({ 'image/png': new Blob([bytes]) });

/** A watch over a clipboard whose content and preference the test sets. */
function watching({ on = true, available = true, held = {} as Content, remembered = [] as string[], cost = 0 } = {}) {
  const clock = new FakeClock();
  const uploads: string[] = [];
  let looks = 0;
  let readings = 0;
  let content = held;
  let listener: (next: Preferences) => void = () => undefined;
  const set = new Set(remembered);
  const watch = setupClipboardWatch({
    clipboard: {
      read: async () => {
        looks += 1;
        const item = systemItem(content);
        const getType = (type: string) => {
          readings += 1;
          clock.pass(cost);
          return item.getType(type);
        };
        return [{ types: item.types, getType } as unknown as ElectronItem];
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
    looks: () => looks,
    readings: () => readings,
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

test('looks only while it is on', async () => {
  const { looks, turnOn, pass } = watching({ on: false });
  await pass(10);
  expect(looks()).toBe(0);
  turnOn(true);
  await pass(10);
  expect(looks()).toBe(10);
  turnOn(false);
  await pass(10);
  expect(looks()).toBe(10);
});

test.each([
  [0, 12], // every five seconds
  [300, 4], // every 18 seconds
  [2_000, 1], // once a minute
])('reads a picture that stays there the less often the longer that takes: %i ms', async (cost, most) => {
  const { readings, uploads, copy, pass } = watching({ cost, held: png('a') });
  await pass(60);
  expect(readings()).toBeGreaterThan(0);
  expect(readings()).toBeLessThanOrEqual(most);
  const before = readings();
  copy(png('another'));
  await pass(60);
  expect(readings()).toBeGreaterThan(before);
  expect(uploads).toEqual(['another']);
});

test('reads what has other types at once, however long that takes', async () => {
  const { uploads, copy, pass } = watching({ cost: 2_000, held: png('a') });
  await pass(2);
  copy({ 'text/html': '<img>', ...png('from a page') });
  await pass(2);
  expect(uploads).toEqual(['from a page']);
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
