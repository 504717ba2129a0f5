// Starts the parts of `npm run dev`, and stops all of them together.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forwardSignals, root } from '../bootstrap.mjs';
import { startDesktop } from './desktop.mjs';
import { startFront } from './front.mjs';
import { galleryPage } from './gallery.mjs';
import { isFree, waitForService } from './ports.mjs';
import { startService } from './service.mjs';

const HOST = '127.0.0.1';
const DESKTOP_LIMIT_MS = 120_000;

/** Runs until Ctrl-C, or until a part ends. */
export async function runDev({ demo: wantsDemo, pages, fresh, desktop, port }) {
  const demo = wantsDemo || pages;
  const servicePort = port + 1;
  const address = `http://${HOST}:${port}`;
  const parts = [];
  let stopping;

  function stop(code) {
    stopping ??= Promise.allSettled(parts.map((part) => part.stop())).then(() => process.exit(code));
    return stopping;
  }
  function onEnd(message, code = 1) {
    if (stopping) return;
    console.error(message);
    void stop(code);
  }
  /** Registers a part to stop at the end; stops it at once if everything is stopping already. */
  function keep(part) {
    parts.push(part);
    if (stopping) void part.stop();
    return part;
  }

  forwardSignals({ kill: () => void stop(0) });
  try {
    for (const needed of [port, servicePort]) await requireFree(needed, port);
    const settings = { port: servicePort, dataDir: prepareFolder(demo ? 'demo' : 'data', fresh), baseUrl: address, demo, onEnd };
    const service = desktop && !demo ? undefined : keep(startService(settings));
    await service?.ready;
    if (demo) await fillService(`http://${HOST}:${servicePort}`, service.setupCode);
    const gallery = pages && (await fillGallery(`http://${HOST}:${servicePort}`));
    if (desktop) await service?.stop(); // the app starts its own

    const front = keep(await startFront({ port, servicePort, gallery, isBroken: () => !desktop && service.isBroken() }));
    if (desktop) {
      keep(await startDesktop(settings));
      await waitForService(servicePort, DESKTOP_LIMIT_MS, () => Boolean(stopping));
    }
    if (stopping) return;
    console.log(`\n${pages ? `Every page is at ${address}/pages` : `Pixdock is running at ${address}`}\n`);
    front.warmUp();
  } catch (error) {
    onEnd(error.message);
    await stop(1);
  }
}

async function fillService(url, setupCode) {
  const { DEMO_OWNER, fillDemo } = await import('./demo.ts');
  await fillDemo(url, setupCode, (message) => console.log(message));
  console.log(`Sign in as ${DEMO_OWNER.username} with the password ${DEMO_OWNER.password}`);
}

async function fillGallery(url) {
  const { DEMO_OWNER, signInToDemo } = await import('./demo.ts');
  const { demoPages } = await import('./pages.ts');
  return galleryPage(await demoPages(await signInToDemo(url)), DEMO_OWNER);
}

async function requireFree(port, first) {
  if (await isFree(port, HOST)) return;
  throw new Error(`Another program is using port ${port}. Stop it, or choose another port: npm run dev -- --port ${first + 10}`);
}

/** The data folder, inside the project: never the user's own. */
function prepareFolder(name, fresh) {
  const folder = join(root, '.cache/dev', name);
  if (fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
