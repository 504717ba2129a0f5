import { expect, test } from 'vitest';
import { en } from '#main/texts/en.ts';
import { explainBackupFaults } from '#main/windows/backup-faults.ts';
import { isPackagedPage, opensOutside, pageKindOf } from '#main/windows/pages.ts';
import { windowPlace } from '#main/windows/window-place.ts';

const STATUS = '/opt/Pixdock/resources/app.asar/resources/status.html';
const SERVICE = 'http://127.0.0.1:7410';

test.each([
  ['http://127.0.0.1:7410/albums?x=1#y', 'app'],
  ['http://127.0.0.1:7411/', null],
  ['http://localhost:7410/', null],
  ['https://127.0.0.1:7410/', null],
  ['http://127.0.0.1:7410.example.org/', null],
  [`file://${STATUS}`, 'status'],
  [`file://${STATUS}?x#y`, 'status'],
  [`file://elsewhere${STATUS}`, null],
  ['file:///opt/Pixdock/resources/other.html', null],
  ['about:blank', null],
  ['', null],
  ['data:text/html,hello', null],
])('recognises %s as the page %s', (address, kind) => {
  expect(pageKindOf(address, STATUS, SERVICE)).toBe(kind);
});

test('recognises no page as the application without a running service', () => {
  expect(pageKindOf(`${SERVICE}/`, STATUS, undefined)).toBe(null);
});

test.each([
  ['win32', 'c:\\Pixdock\\Neuer Ordner\\status.html', 'file:///C:/Pixdock/Neuer%20Ordner/status.html', true],
  ['win32', 'C:\\pixdock\\status.html', 'file:///C:/Pixdock/status.html?x', true],
  ['win32', '\\\\server\\share\\status.html', 'file://SERVER/Share/status.html', true],
  ['win32', '\\\\server\\share\\status.html', 'file://other/share/status.html', false],
  ['win32', 'c:\\Pixdock\\status.html', 'file:///D:/Pixdock/status.html', false],
  ['linux', '/opt/pixdock/status.html', 'file:///opt/Pixdock/status.html', false],
] as const)('on %s, %s is the page at %s: %s', (platform, path, address, is) => {
  expect(isPackagedPage(address, path, platform)).toBe(is);
});

test.each([
  ['https://example.org', true],
  ['http://192.168.1.5:7410/s/abc', true],
  ['mailto:a@example.org', true],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['smb://host/share', false],
  ['not an address', false],
])('%s may be opened outside the app: %s', (address, may) => {
  expect(opensOutside(address)).toBe(may);
});

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const last = { x: 100, y: 50, width: 900, height: 700, maximized: false };

test('opens the window where it was', () => {
  expect(windowPlace(last, [screen])).toEqual({ x: 100, y: 50, width: 900, height: 700 });
});

test('keeps only the size if the screen is gone', () => {
  expect(windowPlace({ ...last, x: 2500 }, [screen])).toEqual({ width: 900, height: 700 });
});

test('treats a visible strip that is too narrow to grab as gone', () => {
  expect(windowPlace({ ...last, x: 1900 }, [screen])).toEqual({ width: 900, height: 700 });
});

test('restores the window on a second screen', () => {
  expect(windowPlace({ ...last, x: 2500 }, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2500 });
});

test('has a size but no position at the first start', () => {
  expect(windowPlace(undefined, [screen])).toEqual({ width: 1180, height: 780 });
});

test('notifies of an automatic backup that cannot be restored, and leads to its page', () => {
  const listeners: ((reason: string) => void)[] = [];
  const notices: { title: string; body: string; failure?: true; onClick?(): void }[] = [];
  const opened: string[] = [];
  explainBackupFaults({
    service: { onBackupFault: (listener) => void listeners.push(listener) },
    notify: (notice) => notices.push(notice),
    texts: () => en,
    open: (page) => opened.push(page),
  });
  for (const listener of listeners) listener('It is damaged.');
  expect(notices).toMatchObject([{ title: en.backupFaultTitle, body: 'It is damaged.', failure: true }]);
  notices[0]?.onClick?.();
  expect(opened).toEqual(['/admin/backup']);
});
