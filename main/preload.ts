import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { CallInput, CallOutput, CallResult, DesktopBridge, EventPayload } from '#api/desktop/calls.ts';
import { CALL_NAMES, channelOf, type DesktopCall, type DesktopEvent, EVENT_NAMES } from '#api/desktop/names.ts';
import type { UploadOptions } from '#api/desktop/uploads.ts';

// Runs sandboxed before each page. It checks nothing: main decides which page may make which call.

function call<C extends DesktopCall>(name: C) {
  return async (...input: CallInput<C>): Promise<CallOutput<C>> => {
    const result: CallResult<C> = await ipcRenderer.invoke(channelOf(name), ...input);
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

const { uploadPaths, uploadPasted, ...calls } = Object.fromEntries(CALL_NAMES.map((name) => [name, call(name)])) as {
  [C in DesktopCall]: ReturnType<typeof call<C>>;
};
const subscriptions = Object.fromEntries(EVENT_NAMES.map((name) => [`on${name.charAt(0).toUpperCase()}${name.slice(1)}`, subscribe(name)]));

async function pastedOf(file: File) {
  return { name: file.name || 'image.png', bytes: new Uint8Array(await file.arrayBuffer()) };
}

const bridge = {
  platform: process.platform,
  ...calls,
  ...subscriptions,
  async uploadFiles(files: File[], options?: UploadOptions) {
    const paths = files.map((file) => webUtils.getPathForFile(file));
    if (!paths.includes('')) return uploadPaths(paths, options);
    // A pasted picture has no file of its own.
    const ids = [];
    for (const [index, file] of files.entries()) {
      const path = paths[index];
      ids.push(...(path ? await uploadPaths([path], options) : await uploadPasted(await pastedOf(file), options)));
    }
    return ids;
  },
} as DesktopBridge;

contextBridge.exposeInMainWorld('pixdock', bridge);
