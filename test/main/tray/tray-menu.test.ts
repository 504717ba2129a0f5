import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { en } from '#main/texts/en.ts';
import { textsFor } from '#main/texts/texts.ts';
import { zh } from '#main/texts/zh.ts';
import { hostState } from '#main/tray/host-items.ts';
import { trayImage, trayTooltip } from '#main/tray/icon-and-tooltip.ts';
import { linesOf } from '#main/tray/shorten.ts';
import { type TrayActions, trayMenu } from '#main/tray/tray-menu.ts';
import { down, failing, quiet, uploading } from './states.ts';

const actions = new Proxy({} as TrayActions, { get: (_target, name) => (name === 'checkForUpdates' ? undefined : () => undefined) });
const labels = (items: MenuItemConstructorOptions[]) => items.flatMap(({ label }) => (label === undefined ? [] : [label]));
function press(item: MenuItemConstructorOptions | undefined) {
  const click = item?.click as (() => void) | undefined;
  click?.();
}

/** The submenu of the entry with the label. */
function below(items: MenuItemConstructorOptions[], label: string): MenuItemConstructorOptions[] {
  const submenu = items.find((item) => item.label === label)?.submenu;
  if (!Array.isArray(submenu)) throw new Error(`There is no submenu ${label}`);
  return submenu;
}

test('while the app quits, only opening it again is offered, once', () => {
  const open = vi.fn();
  const quitting = trayMenu({ ...quiet, quit: 'quitting' }, en, { ...actions, open } as TrayActions);
  expect(labels(quitting)).toEqual(['Quitting…', 'Open Pixdock']);
  press(quitting[1]);
  expect(open).toHaveBeenCalledOnce();
  expect(labels(trayMenu({ ...quiet, quit: 'again' }, en, actions))).toEqual(['Starting again in a moment…']);
});

test('offers the address, uploads, recent pictures, formats, window and quit when idle', () => {
  expect(labels(trayMenu(quiet, en, actions))).toEqual([
    'Copy address: http://desk.local:7410',
    'Not shared on this network',
    'Capture and upload',
    'More captures',
    'Record',
    'Copy text of the screen…',
    'Upload clipboard',
    'Upload files…',
    'Show drop window',
    'Uploads go to ada',
    'Pause uploads',
    'Show uploads…',
    'Recent uploads',
    'Link format',
    'Open Pixdock',
    'Settings…',
    'More',
    'Quit Pixdock',
  ]);
});

test('doesn’t say that captures are uploaded where they are edited first', () => {
  const menu = (captureDelay: 0 | 5, texts = en) => labels(trayMenu({ ...quiet, captureDelay, uploadsAtOnce: false }, texts, actions));
  expect(menu(0)).toContain('Capture…');
  expect(menu(0)).not.toContain('Capture and upload');
  expect(menu(5)).toContain('Capture in 5 seconds…');
  expect(menu(0, zh)).toContain('截图…');
});

test('leads to the drafts, with their number', () => {
  const showUploads = vi.fn();
  const menu = (drafts: number, texts = en) =>
    trayMenu({ ...quiet, uploads: { ...quiet.uploads, drafts } }, texts, { ...actions, showUploads } as TrayActions);
  expect(labels(menu(0)).filter((label) => label.startsWith('Drafts'))).toEqual([]);
  press(menu(2).find(({ label }) => label === 'Drafts (2)…'));
  expect(showUploads).toHaveBeenCalledOnce();
  expect(labels(menu(2, zh))).toContain('草稿（2）…');
});

test('offers to check for updates where there is a feed of them', () => {
  const checkForUpdates = vi.fn();
  const item = trayMenu(quiet, en, { ...actions, open: vi.fn(), quit: vi.fn(), checkForUpdates } as TrayActions).find(
    ({ label }) => label === 'Check for updates…',
  );
  press(item);
  expect(checkForUpdates).toHaveBeenCalledOnce();
});

test('shows the reason first while the service is down, with a retry below', () => {
  const [reason, retry] = trayMenu({ ...quiet, service: down }, en, actions);
  expect(reason).toMatchObject({ label: 'Pixdock isn’t running: another program is using its port', enabled: false });
  expect(retry).toMatchObject({ label: 'Try again' });
});

test('lists a failed upload with its reason, to be retried or dismissed individually', () => {
  const retryUpload = vi.fn();
  const dismissUpload = vi.fn();
  const menu = trayMenu({ ...quiet, uploads: failing }, en, {
    ...actions,
    retryUpload,
    dismissUpload,
    open: () => undefined,
  } as TrayActions);
  const group = below(menu, '1 upload failed');
  const [reason, , retry, dismiss] = below(group, 'a.png');
  expect(reason).toMatchObject({ label: 'too large', enabled: false });
  press(retry);
  press(dismiss);
  expect(retryUpload).toHaveBeenCalledWith('1');
  expect(dismissUpload).toHaveBeenCalledWith('1');
});

test('reports that uploads wait for an account that is disabled or gone', () => {
  const state = { ...quiet, account: { name: 'bob', missing: true } };
  expect(labels(trayMenu(state, en, actions))).toContain('Uploads are on hold: the account for uploads is disabled or deleted');
});

test('marks the chosen link format', () => {
  const formats = below(trayMenu({ ...quiet, linkFormat: 'html' }, en, actions), 'Link format');
  expect(formats.filter(({ checked }) => checked).map(({ label }) => label)).toEqual(['HTML']);
});

test("shortens long names in the middle and escapes ampersands, which aren't shortcut marks here", () => {
  const name = `${'x'.repeat(100)} & end.png`;
  const menu = trayMenu({ ...quiet, recent: [{ key: 'k', name, isPrivate: false }] }, en, actions);
  const [label] = labels(below(menu, 'Recent uploads'));
  expect(label).toMatch(/^x{40}….*&& end\.png$/);
});

test('a recent upload is copied with a click, and sent to others from a submenu', () => {
  const [copyRecent, sendRecent] = [vi.fn(), vi.fn()];
  const recent = [{ key: 'k', name: 'a.png', isPrivate: false }];
  const menu = below(trayMenu({ ...quiet, recent }, en, { ...actions, copyRecent, sendRecent }), 'Recent uploads');
  press(menu[0]);
  press(below(menu, 'Send to…')[0]);
  expect([copyRecent.mock.calls, sendRecent.mock.calls]).toEqual([[['k']], [['k']]]);
});

test('recent uploads say who can open their links, in the words of the pages', () => {
  const recent = [
    { key: 'a', name: 'a.png', isPrivate: false },
    { key: 'b', name: 'b.png', isPrivate: true },
  ];
  const menu = (texts: typeof en, reach: 'computer' | 'network') =>
    labels(below(trayMenu({ ...quiet, recent, reach }, texts, actions), texts.recentUploads));
  expect(menu(en, 'computer').filter(Boolean)).toEqual(['Only this computer can open it', 'a.png', 'Only you: b.png', 'Send to…']);
  expect(menu(zh, 'network')).toContain('同一网络中的任何人可以打开');
});

test('uses the chosen language, else the system’s', () => {
  expect(textsFor('system', 'zh-TW')).toBe(zh);
  expect(textsFor('system', 'de')).toBe(en);
  expect(textsFor('en', 'zh-CN')).toBe(en);
});

test('says that uploads wait or are paused, and offers to pause and resume', () => {
  const pauseUploads = vi.fn();
  const waiting = { ...quiet, uploads: { ...uploading, isWaiting: true } };
  expect(labels(trayMenu(waiting, en, actions))).toContain('2 uploads are waiting');
  const reason = 'The disk of this computer is nearly full. Free up space, and uploads will continue.';
  const explained = trayMenu({ ...quiet, uploads: { ...uploading, isWaiting: true, reason } }, en, actions);
  const lines = explained.slice(1 + explained.findIndex(({ label }) => label === '2 uploads are waiting')).map(({ label }) => label ?? '');
  expect(lines.slice(0, 2).join(' ')).toBe(reason);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const paused = { ...quiet, uploads: { ...uploading, isPaused: true } };
  const menu = trayMenu(paused, en, { ...actions, pauseUploads } as TrayActions);
  expect(labels(menu)).toContain('Uploads are paused (2 left)');
  press(menu.find(({ label }) => label === 'Resume uploads'));
  expect(pauseUploads).toHaveBeenCalledWith(false);
});

test('lists ten failed uploads at most, and says how many more there are', () => {
  const many = { ...failing, failedCount: 12 };
  expect(labels(below(trayMenu({ ...quiet, uploads: many }, en, actions), '12 uploads failed'))).toContain('11 more…');
});

test('with Alt, capturing and uploading the clipboard do what the user didn’t choose', () => {
  const [captureScreen, uploadClipboard] = [vi.fn(), vi.fn()];
  const menu = trayMenu(quiet, en, { ...actions, captureScreen, uploadClipboard } as TrayActions);
  for (const label of ['Capture and upload', 'Upload clipboard']) {
    const item = menu.find((entry) => entry.label === label);
    press(item);
    (item?.click as ((...given: unknown[]) => void) | undefined)?.(item, undefined, { altKey: true });
  }
  expect(uploadClipboard.mock.calls).toEqual([[false], [true]]);
  expect(captureScreen.mock.calls).toEqual([
    ['region', false],
    ['region', true],
  ]);
});

test('offers recordings, and what can be done with the one that runs', () => {
  const record = vi.fn();
  const steerRecording = vi.fn();
  const menu = (change: Partial<typeof quiet>) =>
    trayMenu({ ...quiet, ...change }, en, { ...actions, record, steerRecording } as TrayActions);
  const targets = below(menu({}), 'Record');
  expect(labels(targets)).toEqual(['Region…', 'Window…', 'Whole screen']);
  press(targets[1]);
  expect(record).toHaveBeenLastCalledWith('window');
  expect(labels(menu({ recordingTargets: ['screen'] }))).toContain('Record the screen…');
  const running = menu({ recording: 'recording' });
  expect(labels(running)).toEqual(expect.arrayContaining(['Stop recording', 'Pause', 'Discard recording']));
  press(running.find(({ label }) => label === 'Stop recording'));
  expect(record).toHaveBeenLastCalledWith(undefined, false);
  press(menu({ recording: 'paused' }).find(({ label }) => label === 'Resume'));
  expect(steerRecording).toHaveBeenCalledWith('resume');
  expect(menu({ recording: 'stopping' }).find(({ label }) => label === 'Stop recording')).toMatchObject({ enabled: false });
});

test('offers the captures that this computer can take, and the delay before them', () => {
  const [captureScreen, setCaptureDelay] = [vi.fn(), vi.fn()];
  const captureModes = ['region', 'last-region', 'screen'] as const;
  const menu = trayMenu({ ...quiet, captureModes, captureDelay: 5 }, en, { ...actions, captureScreen, setCaptureDelay } as TrayActions);
  expect(labels(menu)).toContain('Capture and upload in 5 seconds');
  const captures = below(menu, 'More captures');
  const delays = ['No delay', 'Delay of 3 seconds', 'Delay of 5 seconds', 'Delay of 10 seconds'];
  expect(labels(captures)).toEqual(['Last region', 'Whole screen', ...delays]);
  expect(captures.filter(({ checked }) => checked).map(({ label }) => label)).toEqual(['Delay of 5 seconds']);
  press(captures.find(({ label }) => label === 'Last region'));
  press(captures.find(({ label }) => label === 'No delay'));
  expect([captureScreen.mock.calls, setCaptureDelay.mock.calls]).toEqual([[['last-region', false]], [[0]]]);
  expect(labels(below(trayMenu(quiet, en, actions), 'More captures'))).toEqual(delays);
});

test('a joined app has its settings, and calls a server without a name by its address', () => {
  const joined = { ...quiet, host: hostState({ name: 'Pixdock', url: 'http://192.168.1.5:7410', state: 'ready' }) };
  const openSettings = vi.fn();
  const menu = trayMenu(joined, en, { ...actions, openSettings, open: vi.fn(), openHost: vi.fn() } as TrayActions);
  const all = labels(menu);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(['Connected to 192.168.1.5:7410', 'Open 192.168.1.5:7410', 'Open Pixdock']));
  press(menu.find(({ label }) => label === 'Settings…'));
  expect(openSettings).toHaveBeenCalledOnce();
  expect(hostState({ name: 'Holidays', url: 'http://192.168.1.5:7410', state: 'ready' }).name).toBe('Holidays');
});

test('a joined app chooses colours and language in the tray: it has no page for them, as those that host do', () => {
  const setAppearance = vi.fn();
  const host = hostState({ name: 'Holidays', url: 'http://192.168.1.5:7410', state: 'ready' });
  const joined = trayMenu({ ...quiet, host, appearance: { theme: 'dark', language: 'zh' } }, en, {
    ...actions,
    open: vi.fn(),
    openHost: vi.fn(),
    setAppearance,
  } as TrayActions);
  const more = below(joined, 'More');
  const [themes, languages] = [below(more, 'Theme'), below(more, 'Language')];
  expect([...themes, ...languages].filter(({ checked }) => checked).map(({ label }) => label)).toEqual(['Dark', '简体中文']);
  press(themes.find(({ label }) => label === 'Light'));
  press(languages.find(({ label }) => label === 'System default'));
  expect(setAppearance.mock.calls).toEqual([[{ theme: 'light' }], [{ language: 'system' }]]);
  expect(labels(below(trayMenu(quiet, en, actions), 'More'))).not.toContain('Theme');
});

test('a reason is shown in full, in lines that fit a menu, also in Chinese', () => {
  const reason = `${'磁盘空间即将用尽，'.repeat(20)}请腾出空间 & wait.`;
  const lines = linesOf(reason).map(({ label }) => label ?? '');
  expect(lines.join('').replaceAll(' ', '')).toBe(reason.replaceAll(' ', '').replace('&', '&&'));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(81);
});

test.each([
  ['idle', {}],
  ['uploading', { uploads: uploading }],
  ['paused', { uploads: { ...uploading, isPaused: true } }],
  ['problem', { uploads: { ...failing, left: 2 } }],
  ['problem', { service: down }],
  ['problem', { account: { name: 'bob', missing: true } }],
] as const)('the icon is %s for %o', (image, change) => {
  expect(trayImage({ ...quiet, ...change })).toBe(image);
});

test('describes the state of the icon in the tooltip', () => {
  expect(trayTooltip(quiet, en)).toBe('Pixdock');
  expect(trayTooltip({ ...quiet, uploads: uploading }, en)).toBe('Pixdock: Uploading 2 pictures…');
  expect(trayTooltip({ ...quiet, uploads: { ...uploading, percent: 40 } }, en)).toBe('Pixdock: Uploading 2 pictures… 40 %');
  expect(trayTooltip({ ...quiet, uploads: { ...uploading, percent: 40, isWaiting: true } }, en)).toBe('Pixdock: 2 uploads are waiting');
  expect(trayTooltip({ ...quiet, service: down }, zh)).toBe('Pixdock 服务未运行：端口已被其他程序占用');
  expect(trayTooltip({ ...quiet, quit: 'again' }, zh)).toBe('Pixdock: 稍后重新启动…');
  const disabled = { ...quiet, account: { name: 'bob', missing: true } };
  expect(trayTooltip(disabled, en)).toBe('Pixdock: Uploads are on hold: the account for uploads is disabled or deleted');
});
