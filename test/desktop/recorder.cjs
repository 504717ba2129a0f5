// Loaded into the main process with `-r` before the app, on the double and on real Electron alike. Where Electron hands something
// to the system and offers no way to look at it (a tray's menu, a shown notification), this records it for the test.
const { rmSync } = require('node:fs');
const { dialog, globalShortcut, Menu, Notification, shell, Tray } = require('electron');

const recorder = {
  tray: undefined,
  menu: undefined,
  contextMenu: undefined,
  toolTip: '',
  image: undefined,
  notifications: [],
  shortcuts: new Map(),
  opened: [],
  dialogs: [],
  chosen: [],
};
globalThis.__recorder = recorder;

/** Calls `before` with the arguments, then the original. */
function watch(target, name, before) {
  const original = target[name];
  target[name] = function (...input) {
    before.call(this, ...input);
    return original.apply(this, input);
  };
}

watch(Tray.prototype, 'setContextMenu', function (menu) {
  recorder.tray = this;
  recorder.menu = menu;
});
watch(Tray.prototype, 'setToolTip', (text) => {
  recorder.toolTip = text;
});
watch(Tray.prototype, 'setImage', (image) => {
  recorder.image = image;
});
// A real menu would wait for a click.
Menu.prototype.popup = function () {
  recorder.contextMenu = this;
};
watch(Notification.prototype, 'show', function () {
  recorder.notifications.push(this);
});

// Where no notification service runs, Electron would not try.
Notification.isSupported = () => true;

/** `--taken-shortcut=…` plays another program that holds it. */
const taken = process.argv.filter((argument) => argument.startsWith('--taken-shortcut=')).map((argument) => argument.slice(17));
const register = globalShortcut.register;
globalShortcut.register = (keys, press) => {
  if (taken.includes(keys)) return false;
  const registered = register.call(globalShortcut, keys, press);
  // The double plays the user, who works with another program.
  if (registered) recorder.shortcuts.set(keys, () => globalShortcut.press?.(keys) ?? press());
  return registered;
};
watch(globalShortcut, 'unregister', (keys) => recorder.shortcuts.delete(keys));

dialog.showOpenDialog = async () => {
  const filePaths = recorder.chosen.shift() ?? [];
  return { canceled: filePaths.length === 0, filePaths };
};
dialog.showSaveDialog = async () => {
  const [filePath = ''] = recorder.chosen.shift() ?? [];
  return { canceled: filePath === '', filePath };
};
dialog.showErrorBox = (title, content) => recorder.dialogs.push(`${title}: ${content}`);
shell.openPath = async (path) => {
  recorder.opened.push(path);
  return '';
};
/** The trash is the tests' own, so that the developer's stays as it is. */
shell.trashItem = async (path) => rmSync(path);
shell.openExternal = async (url) => void recorder.opened.push(url);

/** `--network=<address>` plays the network of this computer, for the service as well. */
const network = process.argv.find((argument) => argument.startsWith('--network='));
if (network) {
  const adapters = require.resolve('./network.cjs');
  process.env.PIXDOCK_TEST_NETWORK = network.slice('--network='.length);
  process.env.NODE_OPTIONS = `--require ${adapters}`;
  require(adapters);
}
