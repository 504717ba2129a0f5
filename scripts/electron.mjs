// Whether the desktop app can open here: it needs a display, Electron's program, and a user and a system that its sandbox works with.
// It uses packages, so the scripts load it after they have installed them.
import { installElectron } from './electron/install.mjs';
import { installedElectron } from './electron/installed.mjs';
import { sandboxProblem, userProblem } from './electron/sandbox.mjs';

function displayMissing() {
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

/** `{ program }`, downloaded if it's missing, or `{ reason }`: lines that explain why there is none. `signal` stops the download. */
export async function ensureElectron(signal) {
  const program = installedElectron();
  if (program) return { program };
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return { reason: `There is no Electron in ${override}, the value of ELECTRON_OVERRIDE_DIST_PATH.` };
  const reason = await installElectron({ signal });
  return reason ? { reason } : { program: installedElectron() };
}

/**
 * `{ program }`, or `{ reason }`: lines that explain why the desktop app can't open here.
 * @param args those that Electron will get
 * @param options `signal` stops the download; the others describe the system, and are this one's by default
 */
export async function findElectron(args = [], { signal, ...system } = {}) {
  if (displayMissing() && !process.env.ELECTRON_OVERRIDE_DIST_PATH) return { reason: 'There is no display.' };
  const wrongUser = userProblem(args, system);
  if (wrongUser) return { reason: wrongUser };
  const { program, reason } = await ensureElectron(signal);
  const problem = reason ?? sandboxProblem(program, args, system);
  return problem ? { reason: problem } : { program };
}
