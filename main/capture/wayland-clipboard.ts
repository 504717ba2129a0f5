import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Clipboard, ClipboardItem } from 'electron';
import { Reason } from '#main/base/reasons.ts';
import { endWithApp } from '#main/base/system/end-with-app.ts';
import { isInstalled } from '#main/base/system/installed.ts';
import { isMissing } from '#server/platform/files/missing.ts';

const execute = promisify(execFile);
/** The programs hang on a desktop that doesn't respond. */
const LIMIT_MS = 5_000;
/** In bytes: more than any picture that can be uploaded. */
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** Messages of wl-paste's versions for an empty clipboard. */
const EMPTY = /^(No selection|Nothing is copied)/;

type ClipboardAccess = Pick<Clipboard, 'read' | 'writeText'>;

/**
 * The clipboard of a Wayland desktop, which only the focused program can use: an app in the tray reads stale content, and
 * its writes are lost. The wl-clipboard programs always work; where they are missing or fail, Electron's clipboard is used. Reading an
 * empty one rejects with Reason `clipboardPrograms` where they are missing.
 */
export function waylandClipboard(electron: ClipboardAccess): ClipboardAccess {
  return {
    async read() {
      try {
        return await pasted();
      } catch (error) {
        explain('wl-paste', error);
        const items = await electron.read();
        if (items.every(({ types }) => types.length === 0) && isMissing(error)) throw new Reason('clipboardPrograms');
        return items;
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

/** Whether both programs are installed, in any of the folders. */
export function hasClipboardPrograms(folders: readonly string[]): boolean {
  return ['wl-paste', 'wl-copy'].every((name) => isInstalled(name, folders));
}

/** Logs the failure of a program, unless it is missing. */
function explain(program: string, error: unknown) {
  if (!isMissing(error)) console.error(`${program} failed; using Electron’s clipboard instead:`, error);
}

async function pasted(): Promise<ClipboardItem[]> {
  const types = await pastedTypes();
  if (!types.length) return [];
  const getType = async (type: string) => {
    const stdout = await paste('--no-newline', '--type', type);
    return new Blob([new Uint8Array(stdout)], { type });
  };
  return [{ types, getType } as unknown as ClipboardItem];
}

async function pastedTypes(): Promise<string[]> {
  try {
    return (await paste('--list-types')).toString().split('\n').filter(Boolean);
  } catch (error) {
    if (EMPTY.test(String((error as { stderr?: Buffer }).stderr ?? ''))) return [];
    throw error;
  }
}

async function paste(...args: string[]): Promise<Buffer> {
  const running = execute('wl-paste', args, { encoding: 'buffer', timeout: LIMIT_MS, maxBuffer: MAX_IMAGE_BYTES });
  endWithApp(running.child);
  return (await running).stdout;
}

/** Copies a text. The program keeps running to serve it, even after the app, so only its parent process is awaited. */
async function copy(text: string) {
  const child = spawn('wl-copy', [], { stdio: ['pipe', 'ignore', 'ignore'], signal: AbortSignal.timeout(LIMIT_MS) });
  endWithApp(child);
  child.stdin.on('error', () => child.stdin.destroy()); // its exit code is more informative
  child.stdin.end(text);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`wl-copy exited with ${code}`);
}
