import { spawn } from 'node:child_process';
import { isMissing } from '#server/platform/files/missing.ts';
import type { Environment } from './env.ts';
import { CommandError } from './errors.ts';
import type { Io } from './io.ts';

interface Tool {
  command: string;
  args: string[];
  encoding?: BufferEncoding;
}

/** A clipboard may never respond (Wayland without a focused window); the command must end anyway. */
const TIMEOUT_MS = 5000;

/** Programs that write this desktop's clipboard, the best one first. */
export function clipboardTools({ platform, wayland, x11 }: Pick<Environment, 'platform' | 'wayland' | 'x11'>): Tool[] {
  if (platform === 'darwin') return [{ command: 'pbcopy', args: [] }];
  // clip.exe needs UTF-16 with a byte order mark for text beyond the local code page.
  const windows: Tool = { command: 'clip.exe', args: [], encoding: 'utf16le' };
  if (platform === 'win32') return [windows];
  return [
    ...(wayland ? [{ command: 'wl-copy', args: [] }] : []),
    ...(x11
      ? [
          { command: 'xclip', args: ['-selection', 'clipboard'] },
          { command: 'xsel', args: ['--clipboard', '--input'] },
        ]
      : []),
    windows,
  ];
}

/**
 * Writes text to the system's clipboard.
 * @throws CommandError if no program for it works
 */
export async function copyText(text: string, environment: Environment, { env }: Pick<Io, 'env'>): Promise<void> {
  const tools = clipboardTools(environment);
  let failure: Error | undefined;
  for (const tool of tools) {
    try {
      return await feed(tool, text, env);
    } catch (error) {
      if (!isMissing(error)) failure ??= error as Error;
    }
  }
  if (failure) throw new CommandError(`Can’t copy the links: ${failure.message}`, { cause: failure });
  throw new CommandError(`Can’t copy the links: ${missingTool(environment)}`);
}

function missingTool({ wayland, x11 }: Environment) {
  if (wayland) return 'wl-copy isn’t installed. Install the wl-clipboard package.';
  if (x11) return 'neither xclip nor xsel is installed. Install one of them.';
  return 'no desktop session was found.';
}

function feed({ command, args, encoding }: Tool, text: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    // These tools stay in the background to serve the text; they must not keep our output open.
    const child = spawn(command, args, {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      signal: AbortSignal.timeout(TIMEOUT_MS),
      windowsHide: true,
    });
    child.once('error', (error) => reject(error.name === 'AbortError' ? new Error(`${command} didn’t respond.`) : error));
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} failed.`))));
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(encoding === 'utf16le' ? Buffer.from(`\ufeff${text}`, encoding) : text);
  });
}
