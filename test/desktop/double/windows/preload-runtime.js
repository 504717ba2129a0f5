// Runs in a world of its own beside each page's, with the app's preload script put in at the end, as in Electron's sandboxed preloads.
// Placeholders in capitals are filled in by preload-script.ts. Not emulated: sendSync, message ports.
(() => {
  if (window !== window.top) return;
  const bind = window.__electronDoubleIpc;
  const encode = ENCODE;
  const decode = DECODE;
  // Functions throw, as over the real channel.
  const clone = (value) => {
    try {
      return encode(structuredClone(value));
    } catch {
      throw new Error('An object could not be cloned.');
    }
  };
  const listeners = new Map();
  const files = [];
  const waiting = [];
  const ask = (channel, input) => new Promise((resolve) => bind(JSON.stringify({ number: waiting.push(resolve) - 1, channel, input })));

  const on = (channel, listener) => {
    if (!listeners.has(channel)) listeners.set(channel, new Set());
    listeners.get(channel).add(listener);
    return ipcRenderer;
  };
  const off = (channel, listener) => {
    listeners.get(channel)?.delete(listener);
    return ipcRenderer;
  };
  const ipcRenderer = {
    on,
    off,
    addListener: on,
    removeListener: off,
    invoke: async (channel, ...input) => {
      const response = await ask(channel, clone(input));
      if (response.error !== undefined) throw new Error(`Error invoking remote method '${channel}': ${response.error}`);
      return decode(response.value);
    },
  };

  const made = new WeakSet();
  const bridge = MEMBRANE('PRELOAD', 'PAGE', made);
  bridge.offer(async (...asked) => decode((await ask('PERMISSION', encode(asked))).value));
  const contextBridge = { exposeInMainWorld: bridge.root(0) };

  // The preload names a file by a number, and its path is filled in as the call passes through.
  const webUtils = {
    getPathForFile: (file) => {
      if (!(file instanceof Blob)) throw new TypeError('getPathForFile expected to receive a File object but one was not provided');
      return !(file instanceof File) || made.has(file) ? '' : `electron-double-file:${files.push(file) - 1}`;
    },
  };

  const host = {
    deliver: (channel, text) => {
      for (const listener of [...(listeners.get(channel) ?? [])]) listener({ sender: ipcRenderer, ports: [] }, ...decode(text));
    },
    file: (number) => files[number],
    respond: (number, response) => waiting[number](response),
  };
  Object.defineProperty(window, '__electronDoubleHost', { value: host });

  const electron = { ipcRenderer, contextBridge, webUtils };
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const process = {
    platform: 'PLATFORM',
    versions: { electron: 'VERSION' },
    env: {},
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
  };
  const module = { exports: {} };
  // biome-ignore lint/correctness/noUnusedFunctionParameters: the preload script, put in here, uses them
  ((require, module, exports, process) => {
    PRELOAD_SCRIPT;
  })(require, module, module.exports, process);
})();
