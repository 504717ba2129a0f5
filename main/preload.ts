import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CALL_NAMES, type DesktopCall, type DesktopEvent, EVENT_NAMES } from '#api/desktop/names.ts';
import type { CallAnswer, CallInput, CallOutput, DesktopBridge, EventPayload } from '#api/desktop.ts';
import { channelOf } from './base/channel.ts';

// Runs sandboxed before each page. It checks nothing: main decides which page may make which call.

function call<C extends DesktopCall>(name: C) {
  return async (...input: CallInput<C>): Promise<CallOutput<C>> => {
    const result: CallAnswer<C> = await ipcRenderer.invoke(channelOf(name), ...input);
    if (!result.ok) throw new Error(result.message);
    return result.value;
  };
}

function subscribe<E extends DesktopEvent>(name: E) {
  return (listener: (payload: EventPayload<E>) => void) => {
    const receive = (_event: Electron.IpcRendererEvent, payload: EventPayload<E>) => listener(payload);
    ipcRenderer.on(channelOf(name), receive);
    return () => void ipcRenderer.off(channelOf(name), receive);
  };
}

const { uploadPaths, ...calls } = Object.fromEntries(CALL_NAMES.map((name) => [name, call(name)])) as {
  [C in DesktopCall]: ReturnType<typeof call<C>>;
};
const subscriptions = Object.fromEntries(EVENT_NAMES.map((name) => [`on${name.charAt(0).toUpperCase()}${name.slice(1)}`, subscribe(name)]));

const bridge = {
  platform: process.platform,
  ...calls,
  ...subscriptions,
  async uploadFiles(files: File[]) {
    const paths = files.map((file) => webUtils.getPathForFile(file));
    if (paths.includes('')) throw new Error('Only files on this computer can be uploaded.');
    return uploadPaths(paths);
  },
} as DesktopBridge;

contextBridge.exposeInMainWorld('pixdock', bridge);
