// The desktop app from its sources: rebuilt and restarted when they change.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from '../bootstrap.mjs';
import { ensureBrowser } from '../browser.mjs';
import { findElectron } from '../electron.mjs';
import { end } from './service.mjs';

const app = join(root, '.cache/dev/desktop');
const double = join(root, 'test/desktop/double/program/electron');

/**
 * Builds and starts the desktop app, whose window shows `baseUrl`. It runs the service itself, on `port`.
 * @param onEnd called with a message when it can't start or has been closed
 */
export async function startDesktop({ port, dataDir, baseUrl, onEnd }) {
  const { command, args, env } = await electronProgram();
  writeApp();
  let child;
  let current = Promise.resolve();
  let stopped;

  function start() {
    child = spawn(command, [...args, `--user-data-dir=${join(root, '.cache/dev/desktop-user')}`, app], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...env,
        // The app starts the service on the `node` it finds first.
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
        PIXDOCK_PORT: String(port),
        PIXDOCK_DATA_DIR: dataDir,
        PIXDOCK_EDITORS_PORT: process.env.PIXDOCK_EDITORS_PORT ?? '0',
        PIXDOCK_DEV_URL: baseUrl,
      },
    });
    const started = child;
    started.once('exit', (code) => {
      if (child === started && !stopped) onEnd('The desktop app has been closed.', code ?? 1);
    });
  }

  async function restart() {
    if (stopped) return;
    const old = child;
    child = undefined;
    if (old) await end(old);
    if (!stopped) start();
  }

  const watchers = await watchSources((error) => {
    if (error) return console.error(error.message);
    current = current.then(restart);
  });
  return {
    stop() {
      stopped ??= Promise.all([...watchers.map((watcher) => watcher.close()), current.then(() => child && end(child, 15_000))]);
      return stopped;
    },
  };
}

async function electronProgram() {
  const { program, reason } = await findElectron();
  if (program) return { command: program, args: [], env: {} };
  if (process.platform !== 'linux') throw new Error(`The desktop app can't open. ${reason}`);
  console.log(`${reason}\nStarting the app on the Electron double, whose window is a page in a hidden Chromium.`);
  const env = { CHROMIUM_PATH: await ensureBrowser(), ELECTRON_DOUBLE_NODE: process.execPath };
  return { command: double, args: ['--lang=en-US'], env };
}

/** The app's folder: as built, but with the service and the web application from their sources. */
function writeApp() {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(join(app, 'dist/server'), { recursive: true });
  const { name, productName, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name, productName, version, type: 'module', main: 'dist/main/main.js' }));
  const service = pathToFileURL(join(root, 'scripts/dev/desktop-service.mjs'));
  writeFileSync(join(app, 'dist/server/child.js'), `import '${service}';\n`);
  cpSync(join(root, 'resources'), join(app, 'resources'), { recursive: true });
  symlinkSync(join(root, 'renderer'), join(app, 'dist/renderer'), 'junction');
}

/** Builds main and the preload script, and again after every change. `onBuilt` is called with an error, or when both are built. */
async function watchSources(onBuilt) {
  const main = {
    configFile: false,
    build: { ssr: true, target: 'node24', rolldownOptions: { input: { 'main/main': 'main/main.ts' }, external: ['electron'] } },
  };
  const preload = { configFile: join(root, 'vite.preload.config.ts'), build: { license: false } };
  const outputs = [
    [main, 'dist'],
    [preload, 'dist/preload'],
  ];
  const pending = new Set(outputs.map(([, folder]) => folder));
  return Promise.all(
    outputs.map(async ([config, folder]) => {
      const options = { outDir: join(app, folder), emptyOutDir: false, minify: false, sourcemap: 'inline', watch: {} };
      const watcher = await build({ ...config, root, logLevel: 'error', publicDir: false, build: { ...config.build, ...options } });
      watcher.on('event', (event) => {
        if (event.code === 'ERROR') onBuilt(event.error);
        if (event.code === 'BUNDLE_END') {
          event.result?.close();
          pending.delete(folder);
          if (pending.size === 0) onBuilt();
        }
      });
      return watcher;
    }),
  );
}
