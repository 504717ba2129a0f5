import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { built } from './built.ts';

export interface ChildService {
  url: string;
  /** The printed code for creating the first account; undefined once there is one. */
  setupCode: string | undefined;
  pid: number;
  /** Everything that it has printed: its log, and the lines for people. */
  printed(): string;
  /** Kills it immediately. */
  kill(): Promise<void>;
  /** Asks it to exit, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** The built service in its own process, on a free port. Throws its output if it doesn't start. */
export async function startChildService(dataDir: string, env: Record<string, string> = {}): Promise<ChildService> {
  const child = spawn(process.execPath, [built('server/bin.js')], {
    env: { ...process.env, PIXDOCK_DATA_DIR: dataDir, PIXDOCK_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { url, setupCode, printed } = await listening(child);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  return { url, setupCode, printed, pid: child.pid as number, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
}

function listening(child: ChildProcess): Promise<Pick<ChildService, 'url' | 'setupCode' | 'printed'>> {
  return new Promise((resolve, reject) => {
    let [output, printed] = ['', ''];
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.once('exit', (code) => reject(new Error(`the service exited with ${code}: ${output}`)));
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      // The log has the address in this computer, and precedes the lines for people, which come in one piece.
      const url = /"url":"([^"]+)".*"msg":"listening"/.exec(printed)?.[1];
      if (url && /^Pixdock is running at .*\n/m.test(printed)) resolve({ url, setupCode: setupCodeIn(printed), printed: () => printed });
    });
  });
}

/** The setup code in what a service prints at start. */
export const setupCodeIn = (printed: string) => /\/setup#code=(\S+)/.exec(printed)?.[1];
