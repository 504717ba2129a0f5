import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { CallAnswer, CallInput, CallOutput, DesktopBridge, DesktopCall, DesktopEvent, EventPayload } from '#api/desktop.ts';
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

const uploadPaths = call('uploadPaths');

async function uploadFiles(files: File[]) {
  const paths = files.map((file) => webUtils.getPathForFile(file));
  if (paths.includes('')) throw new Error('Only files on this computer can be uploaded.');
  return uploadPaths(paths);
}

const bridge: DesktopBridge = {
  platform: process.platform as DesktopBridge['platform'],
  getVersion: call('getVersion'),
  copyText: call('copyText'),
  uploadFiles,
  retryUpload: call('retryUpload'),
  discardUpload: call('discardUpload'),
  getRecentUploads: call('getRecentUploads'),
  getPreferences: call('getPreferences'),
  setPreferences: call('setPreferences'),
  getEditorsStatus: call('getEditorsStatus'),
  getServiceStatus: call('getServiceStatus'),
  retryService: call('retryService'),
  onUploadEvent: subscribe('uploadEvent'),
  onServiceStatus: subscribe('serviceStatus'),
};

contextBridge.exposeInMainWorld('pixdock', bridge);
