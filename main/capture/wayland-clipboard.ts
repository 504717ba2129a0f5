import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Clipboard, ClipboardItem } from 'electron';

const run = promisify(execFile);
/** The programs wait for a desktop that does not answer; in milliseconds. */
const LIMIT = 5_000;
/** In bytes; more than any picture that could be uploaded. */
const MOST = 512 * 1024 * 1024;
/** What wl-paste says in its versions when there is nothing. */
const EMPTY = /^(No selection|Nothing is copied)/;

type Wanted = Pick<Clipboard, 'read' | 'writeText'>;

/**
 * The clipboard of a Wayland desktop, which shows it only to the program in front: an app in the tray would read what was there when it was last
 * in front, and what it writes is lost. The programs of wl-clipboard reach it always; where they are missing or fail, Electron does what it can.
 */
export function waylandClipboard(electron: Wanted): Wanted {
  return {
    async read() {
      try {
        return await pasted();
      } catch (error) {
        explain('wl-paste', error);
        return electron.read();
      }
    },
    async writeText(text) {
      try {
        await copy(text);
      } catch (error) {
        explain('wl-copy', error);
        await electron.writeText(text);
      }
    },
  };
}

/** A missing program is no fault. */
function explain(program: string, error: unknown) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') console.error(`${program} has failed; the clipboard is used without it:`, error);
}

async function pasted(): Promise<ClipboardItem[]> {
  const types = await pastedTypes();
  if (!types.length) return [];
  const getType = async (type: string) => {
    const { stdout } = await run('wl-paste', ['--no-newline', '--type', type], { encoding: 'buffer', timeout: LIMIT, maxBuffer: MOST });
    return new Blob([new Uint8Array(stdout)], { type });
  };
  return [{ types, getType } as unknown as ClipboardItem];
}

async function pastedTypes(): Promise<string[]> {
  try {
    const { stdout } = await run('wl-paste', ['--list-types'], { timeout: LIMIT });
    return stdout.split('\n').filter(Boolean);
  } catch (error) {
    if (EMPTY.test((error as { stderr?: string }).stderr ?? '')) return [];
    throw error;
  }
}

/** The program stays behind to hand the text out, so its end is not waited for, only its first part's. */
async function copy(text: string) {
  const child = spawn('wl-copy', [], { stdio: ['pipe', 'ignore', 'ignore'], signal: AbortSignal.timeout(LIMIT) });
  child.stdin.on('error', () => child.stdin.destroy()); // its exit code says more
  child.stdin.end(text);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`wl-copy has ended with ${code}`);
}
