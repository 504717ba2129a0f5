import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { built } from './built.ts';

export interface ChildService {
  url: string;
  pid: number;
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
  const url = await listening(child);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  return { url, pid: child.pid as number, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.once('exit', (code) => reject(new Error(`the service exited with ${code}: ${output}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
      if (msg === 'listening' && url) resolve(url);
    });
  });
}
