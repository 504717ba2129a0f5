// Runs in each page before anything else, with the app's preload script put in at the end, as in Electron's sandboxed preloads.
// Placeholders in capitals are filled in by preload-script.ts. Not emulated: an isolated world, sendSync, message ports.
(() => {
  const bind = window.__electronDoubleIpc;
  delete window.__electronDoubleIpc; // hidden from pages
  if (window !== window.top) return;
  const encode = ENCODE;
  const decode = DECODE;
  const clone = (value) => encode(structuredClone(value)); // functions throw, as over the real channel
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

  // Values are copied, functions are wrapped, prototypes are lost.
  const isClonable = (value) => ArrayBuffer.isView(value) || [ArrayBuffer, Date, Map, Set].some((type) => value instanceof type);
  const cross = (value) => {
    if (typeof value === 'function') return (...input) => cross(value(...input.map(cross)));
    if (value === null || typeof value !== 'object' || value instanceof Node || value instanceof Blob) return value;
    if (value instanceof Promise) return value.then(cross, (error) => Promise.reject(cross(error)));
    if (Array.isArray(value)) return value.map(cross);
    if (value instanceof Error) return new Error(value.message);
    if (isClonable(value)) return structuredClone(value);
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cross(entry)])));
  };
  const contextBridge = {
    exposeInMainWorld: (key, api) => {
      if (key in window) throw new Error(`Cannot bind an API on top of an existing property on the window object: ${key}`);
      Object.defineProperty(window, key, { value: cross(api), enumerable: true });
    },
  };

  // Only the browser process knows a file's path: the page names the file by a number, which is resolved as the call passes through.
  // Files that a script has made have none.
  const made = new WeakSet();
  window.File = new Proxy(File, {
    construct(target, input, created) {
      const file = Reflect.construct(target, input, created);
      made.add(file);
      return file;
    },
  });
  const webUtils = {
    getPathForFile: (file) => {
      if (!(file instanceof File)) throw new TypeError('getPathForFile: not a File');
      return made.has(file) ? '' : `electron-double-file:${files.push(file) - 1}`;
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
    PRELOAD;
  })(require, module, module.exports, process);
})();
