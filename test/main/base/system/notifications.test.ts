import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import { namesInNotice, setupNotifications } from '#main/base/system/notifications.ts';
import { en } from '#main/texts/en.ts';
import { dialog } from '#test/desktop/double/system/dialog.ts';
import { Notification } from '#test/desktop/double/system/notification.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const box = vi.spyOn(dialog, 'showMessageBox');
const report = vi.spyOn(console, 'error');
/** What the system was asked to show; nothing here keeps it. */
let shown: WeakRef<Notification>[] = [];
const show = Notification.prototype.show;
const hostile = (traits: string) => vi.stubEnv('ELECTRON_DOUBLE_HOSTILE', traits);

beforeEach(() => {
  shown = [];
  box.mockClear();
  report.mockReset();
  Notification.prototype.show = function () {
    shown.push(new WeakRef(this));
    show.call(this);
  };
});
afterEach(() => {
  Notification.prototype.show = show;
  vi.unstubAllEnvs();
});

function notifier(chosen: Partial<Preferences> = {}) {
  const seen = new Set<string>();
  const preferences = {
    get: () => ({ ...DEFAULT_PREFERENCES, ...chosen }),
    wasSeen: (hint: string) => seen.has(hint),
    markSeen: (hint: string) => void seen.add(hint),
  };
  return { notify: setupNotifications({ preferences, texts: () => en }), seen };
}

/** Waits until the system has responded. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function collectGarbage() {
  setFlagsFromString('--expose-gc');
  await settled();
  runInNewContext('gc')();
}

const titles = () => shown.map((reference) => reference.deref()?.title);
const names = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}.png`);

test('names up to six pictures, and of more the first five with the number of the others', () => {
  expect(namesInNotice(names(6), en.andMore)).toBe('1.png\n2.png\n3.png\n4.png\n5.png\n6.png');
  expect(namesInNotice(names(17), en.andMore)).toBe('1.png\n2.png\n3.png\n4.png\n5.png\nand 12 more');
});

test.each([
  [{ failureNotifications: false }, ['uploaded', 'folders', 'a problem of the app']],
  [{ notifications: false, folderNotifications: false }, ['failed', 'a problem of the app']],
])('each type can be turned off separately: %o', (chosen, expected) => {
  const { notify } = notifier(chosen);
  for (const type of ['uploaded', 'failed', 'folders'] as const) notify({ title: type, body: '', type });
  notify({ title: 'a problem of the app', body: '', failure: true });
  expect(titles()).toEqual(expected);
});

test('a notification that Windows has moved to its list can still be clicked there, a closed one is given up', async () => {
  const { notify } = notifier();
  const onClick = vi.fn();
  hostile('notifications-time-out');
  notify({ title: 'Link copied', body: '', onClick });
  await settled();
  hostile('');
  notify({ title: 'closed', body: '' });
  await settled();
  shown[1]?.deref()?.close();
  await collectGarbage();
  expect(titles()).toEqual(['Link copied', undefined]);
  shown[0]?.deref()?.emit('click');
  expect(onClick).toHaveBeenCalledOnce();
});

test('keeps the latest fifty notifications', async () => {
  const { notify } = notifier();
  for (let count = 1; count <= 60; count += 1) notify({ title: `${count}`, body: '' });
  await collectGarbage();
  expect(titles().filter((title) => title !== undefined)).toHaveLength(50);
  expect(titles().at(-1)).toBe('60');
});

test('a hint counts as seen once the system has shown it', async () => {
  const { notify, seen } = notifier();
  const hint = { title: 'Still running', body: '', hint: 'closes-to-tray' as const };
  hostile('notifications-fail');
  notify(hint);
  await settled();
  expect(seen).toEqual(new Set());
  hostile('');
  notify(hint);
  await settled();
  expect(seen).toEqual(new Set(['closes-to-tray']));
  notify(hint);
  expect(shown).toHaveLength(2);
});

test.each(['notifications-fail', 'notifications-unsupported'])(
  'with %s, failures are shown in a message box, and nothing else is',
  async (traits) => {
    hostile(traits);
    const { notify, seen } = notifier();
    const onClick = vi.fn();
    box.mockResolvedValueOnce({ response: 1, checkboxChecked: false });
    notify({ title: 'Link copied', body: 'a.png' });
    notify({ title: 'Couldn’t upload a picture', body: 'b.png: too large', failure: true, hint: 'data-stays', onClick });
    await expect.poll(() => onClick).toHaveBeenCalledOnce();
    expect(box.mock.calls).toEqual([
      [
        expect.objectContaining({
          message: 'Couldn’t upload a picture',
          detail: 'b.png: too large',
          buttons: ['Close', 'Show'],
          cancelId: 0,
        }),
      ],
    ]);
    expect(seen).toEqual(new Set(['data-stays']));
  },
);

test('failures that happen while a message box is open are shown together in the next one', async () => {
  hostile('notifications-unsupported');
  const { notify } = notifier();
  const first = Promise.withResolvers<{ response: number; checkboxChecked: boolean }>();
  box.mockReturnValueOnce(first.promise);
  for (const title of ['one', 'two', 'three']) notify({ title, body: `about ${title}`, failure: true });
  await settled();
  expect(box).toHaveBeenCalledOnce();
  first.resolve({ response: 0, checkboxChecked: false });
  await expect.poll(() => box).toHaveBeenCalledTimes(2);
  expect(box.mock.lastCall).toEqual([
    expect.objectContaining({ message: 'three', detail: 'two\nabout two\n\nthree\nabout three', buttons: ['Close'] }),
  ]);
});

test('a message box that can’t be shown is reported in the log', async () => {
  hostile('notifications-unsupported,dialogs-fail');
  const { notify } = notifier();
  notify({ title: 'one', body: '', failure: true });
  await expect.poll(() => report).toHaveBeenCalledWith(expect.stringContaining('one'), expect.any(Error));
});

test.each([
  ['win32', ['Share now'], []],
  ['linux', undefined, ['run']],
] as const)('on %s, an action is a button, or a click asks', async (platform, buttons, afterClick) => {
  const calls: string[] = [];
  const action = { label: 'Share now', orOpen: 'Open picture', run: () => void calls.push('run') };
  box.mockResolvedValueOnce({ response: 0, checkboxChecked: false });
  const preferences = { get: () => DEFAULT_PREFERENCES, wasSeen: () => false, markSeen: () => undefined };
  const notify = setupNotifications({ preferences, texts: () => en }, platform);
  notify({ title: 'Link copied', body: 'Only this computer can open it', action, onClick: () => void calls.push('open') });
  const notification = shown[0]?.deref();
  expect(notification?.actions?.map(({ text }) => text)).toEqual(buttons);
  notification?.emit('click', {});
  await settled();
  expect(calls).toEqual(platform === 'linux' ? afterClick : ['open']);
  expect(box.mock.calls.map((given) => (given.at(-1) as MessageBoxOptions).buttons)).toEqual(
    platform === 'linux' ? [['Share now', 'Open picture', 'Not now']] : [],
  );
  if (buttons) notification?.emit('action', {});
  expect(calls.at(-1)).toBe('run');
});
