import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';

/** Stands in for Electron: only events and two functions. */
const electron = vi.hoisted(() => ({
  app: undefined as unknown as EventEmitter & Record<'quit' | 'relaunch', () => void>,
  powerMonitor: undefined as unknown as EventEmitter,
  dialog: { showMessageBoxSync: (): number => 0 },
}));
vi.mock('electron', () => electron);
const { setupQuit } = await import('#main/quit.ts');

const quitAgain = vi.fn();
const closeUploads = vi.fn(async () => undefined);
const stopService = vi.fn(async () => undefined);
const onBegin = vi.fn();
const ask = vi.spyOn(electron.dialog, 'showMessageBoxSync');
const relaunch = vi.fn();
const texts = {} as Parameters<ReturnType<typeof setupQuit>['confirm']>[0];
let window: EventEmitter;
let quitting: ReturnType<typeof setupQuit>;

beforeEach(() => {
  vi.clearAllMocks();
  electron.app = Object.assign(new EventEmitter(), { quit: quitAgain, relaunch, isPackaged: true });
  electron.powerMonitor = new EventEmitter();
  window = new EventEmitter();
  quitting = setupQuit('/home/ada/Pixdock.AppImage');
  quitting.drain({ window: window as never, closeUploads, stopService, onBegin });
});

function willQuit() {
  const event = { preventDefault: vi.fn() };
  electron.app.emit('before-quit');
  electron.app.emit('will-quit', event);
  return event;
}

test('waits for uploads and the service, then quits', async () => {
  expect(willQuit().preventDefault).toHaveBeenCalled();
  expect(willQuit().preventDefault).toHaveBeenCalled();
  await expect.poll(() => quitAgain).toHaveBeenCalledOnce();
  expect([onBegin, closeUploads, stopService].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  expect(willQuit().preventDefault).not.toHaveBeenCalled();
});

test('quits even when uploads can’t be closed', async () => {
  closeUploads.mockRejectedValueOnce(new Error('disk full'));
  willQuit();
  await expect.poll(() => quitAgain).toHaveBeenCalledOnce();
  expect(stopService).toHaveBeenCalledOnce();
});

test.each([
  ['the computer shuts down', () => electron.powerMonitor.emit('shutdown', {})],
  ['Windows logs off', () => window.emit('session-end')],
])('holds nothing up when %s', (_title, happens) => {
  happens();
  expect(quitting.begun()).toBe(true);
  expect([closeUploads, stopService].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect(quitting.confirm(texts)).toBe(true);
  expect(ask).not.toHaveBeenCalled();
  expect(willQuit().preventDefault).not.toHaveBeenCalled();
});

test('asks whether the page’s uploads may be lost', () => {
  ask.mockReturnValueOnce(0).mockReturnValueOnce(1);
  expect(quitting.confirm(texts)).toBe(false);
  expect(quitting.begun()).toBe(false);
  expect(quitting.confirm(texts)).toBe(true);
});

test('keeps running when the question can’t be shown', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  ask.mockImplementationOnce(() => {
    throw new Error('no display');
  });
  electron.app.emit('before-quit');
  expect(quitting.confirm(texts)).toBe(false);
  expect(quitting.state()).toBe('running');
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});

test('starts again after quitting, once, on the page that was asked for last, without the files of this start', async () => {
  const argv = process.argv;
  process.argv = ['/tmp/.mount/pixdock', '--hidden', '--ozone-platform=x11', '/pictures/a.png'];
  const changes: string[] = [];
  quitting.onChange(() => changes.push(quitting.state()));
  willQuit();
  quitting.startAgain('/trash');
  quitting.startAgain();
  await expect.poll(() => quitAgain).toHaveBeenCalledOnce();
  expect(relaunch).not.toHaveBeenCalled();
  willQuit();
  expect(relaunch.mock.calls).toEqual([
    [{ args: ['--ozone-platform=x11', 'pixdock://open/trash'], execPath: '/home/ada/Pixdock.AppImage' }],
  ]);
  expect(changes).toEqual(['quitting', 'again']);
  process.argv = argv;
});

test.each([
  ['the user keeps the app running', () => quitting.confirm(texts)],
  ['the user’s session ends', () => electron.powerMonitor.emit('shutdown', {})],
])('doesn’t start again when %s', async (_title, happens) => {
  ask.mockReturnValueOnce(0);
  electron.app.emit('before-quit');
  quitting.startAgain();
  happens();
  willQuit();
  await expect.poll(() => closeUploads).toHaveBeenCalledOnce();
  willQuit();
  expect(relaunch).not.toHaveBeenCalled();
});
