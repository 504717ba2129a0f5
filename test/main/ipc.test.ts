import { beforeEach, expect, test, vi } from 'vitest';
import { CALL_NAMES } from '#api/desktop/names.ts';

type Result = { ok: boolean; message?: string };
const registered = vi.hoisted(() => new Map<string, (event: unknown, ...input: unknown[]) => Promise<unknown>>());
vi.mock('electron', () => ({
  ipcMain: {
    handle: (channel: string, handler: (event: unknown, ...input: unknown[]) => Promise<unknown>) => registered.set(channel, handler),
    removeHandler: (channel: string) => registered.delete(channel),
  },
}));
const { createIpc } = await import('#main/ipc.ts');

const APP = 'http://127.0.0.1:7410/';
const contents = { isDestroyed: () => false, getURL: () => APP, send: vi.fn() };
const window = {
  windows: () => [{ webContents: contents } as never],
  pages: ['app', 'status'] as const,
  pageKind: (url: string) => (url.startsWith(APP) ? ('app' as const) : null),
};
const called = vi.fn();
const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);

beforeEach(() => {
  vi.clearAllMocks();
  registered.clear();
  const ipc = createIpc(String);
  ipc.addWindow(window);
  ipc.handle(Object.fromEntries(CALL_NAMES.map((name) => [name, (...input: unknown[]) => called(name, input)])));
});

const page = { sender: contents, senderFrame: { url: APP, parent: null } };
const call = (name: string, event: unknown, ...input: unknown[]) => registered.get(`pixdock:${name}`)?.(event, ...input) as Promise<Result>;

/** Arguments that no call takes. */
const WRONG: unknown[][] = [
  [null],
  [Number.NaN],
  ['x'.repeat(5_000_000)],
  [{ __proto__: { admin: true }, constructor: 'x' }, 'more'],
  [['a', ['b']], 'more'],
  [Symbol.iterator],
  [1, 2, 3, 4, 5],
];

test.each(CALL_NAMES.map((name) => [name]))('%s rejects wrong types and sizes, and logs them', async (name) => {
  for (const input of WRONG) expect(await call(name, page, ...input)).toMatchObject({ ok: false });
  expect(called).not.toHaveBeenCalled();
  expect(warned).toHaveBeenCalledTimes(WRONG.length);
});

test.each([
  ['an inner frame', { sender: contents, senderFrame: { url: APP, parent: {} } }],
  ['a foreign page', { sender: contents, senderFrame: { url: 'https://evil.example/', parent: null } }],
  ['another window', { sender: { ...contents }, senderFrame: { url: APP, parent: null } }],
  ['a frame that is gone', { sender: contents, senderFrame: null }],
])('no call is possible from %s', async (_from, event) => {
  for (const name of CALL_NAMES)
    expect(await call(name, event, 'x')).toEqual({ ok: false, message: expect.stringContaining('isn’t allowed') });
  expect(called).not.toHaveBeenCalled();
  expect(warned).toHaveBeenCalledTimes(CALL_NAMES.length);
});

test('every call of a window’s pages needs a handler', () => {
  const ipc = createIpc(String);
  expect(ipc.requireHandlers).not.toThrow();
  ipc.addWindow({ ...window, pages: ['drop'] });
  const handler = () => undefined as never;
  ipc.handle({ uploadAddress: handler, copyText: handler, getPreferences: handler, getUploadStatus: handler });
  expect(ipc.requireHandlers).toThrow('Calls without a handler: uploadPaths, uploadPasted, closeDropWindow.');
  ipc.handle({ uploadPaths: handler, uploadPasted: handler, closeDropWindow: handler });
  expect(ipc.requireHandlers).not.toThrow();
});

test('no call has a handler once the connection is closed', () => {
  registered.clear();
  const ipc = createIpc(String);
  ipc.handle({ getVersion: () => '1' });
  expect(registered.size).toBe(1);
  ipc.close();
  expect(registered.size).toBe(0);
});
