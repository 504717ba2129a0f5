// Loaded into the app's main process with `-r`, on Electron as on the double: writes what only Electron can read of this computer to the
// file that PIXDOCK_CHECK_FILE names, once when it is ready and again when the window shows the app. Then it quits the app.
const { readFileSync, writeFileSync } = require('node:fs');
const { app, BrowserWindow, Notification, safeStorage, screen, systemPreferences } = require('electron');

const POLL_MS = 100;
const { arch, platform, versions } = process;
const yes = (is) => (is ? 'yes' : 'no');
const main = () => BrowserWindow.getAllWindows()[0];

const VERSIONS = {
  // Node knows only the kernel's version.
  ...(platform === 'darwin' && { macOS: () => process.getSystemVersion() }),
  Electron: () => versions.electron,
  // Only Electron contains a Chromium: this tells it from the tests' double.
  Chromium: () => versions.chrome ?? 'none',
  'Node in Electron': () => versions.node,
  Processor: () => (app.runningUnderARM64Translation ? `${arch}, translated on arm64` : arch),
  'Preferred language': () => app.getLocale(),
  Screens: () =>
    screen
      .getAllDisplays()
      .map(({ bounds, scaleFactor }) => `${bounds.width} × ${bounds.height} at ${scaleFactor}`)
      .join(', '),
};

const PERMISSIONS = {
  // On Linux, a page in the sandbox runs under a filter of system calls.
  'Sandbox of the window': () =>
    platform === 'linux'
      ? yes(/^Seccomp:\s*2$/m.test(readFileSync(`/proc/${main().webContents.getOSProcessId()}/status`, 'utf8')))
      : yes(app.getAppMetrics().find(({ type }) => type === 'Tab').sandboxed),
  'Notifications supported': () => yes(Notification.isSupported()),
  ...(platform === 'darwin' && { 'Screen recording': () => systemPreferences.getMediaAccessStatus('screen') }),
  // Asking Linux whether the keyring works would open it.
  Keyring: () => (platform === 'linux' ? safeStorage.getSelectedStorageBackend() : yes(safeStorage.isEncryptionAvailable())),
  ...(platform !== 'linux' && {
    'Login item of Electron': () => app.getLoginItemSettings().status ?? yes(app.getLoginItemSettings().openAtLogin),
  }),
};

function read(facts) {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, tried(fact)]));
}

function tried(fact) {
  try {
    return String(fact());
  } catch (error) {
    return `couldn't be read (${error.message})`;
  }
}

const write = (isShown) =>
  writeFileSync(process.env.PIXDOCK_CHECK_FILE, JSON.stringify({ versions: read(VERSIONS), permissions: read(PERMISSIONS), isShown }));

app.whenReady().then(() => {
  write(false);
  const timer = setInterval(() => {
    // Until the service runs, the window shows a page of the app's own.
    if (!main()?.isVisible() || !main().webContents.getURL().startsWith('http')) return;
    clearInterval(timer);
    write(true);
    app.quit();
  }, POLL_MS);
});
