import { readFileSync } from 'node:fs';

/** The child processes of a process; none elsewhere than on Linux. */
export function childrenOf(pid: number): number[] {
  return readAbout(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** The command line of a process; empty when it has ended, and elsewhere than on Linux. */
export const commandOf = (pid: number) => readAbout(pid, 'cmdline').replaceAll('\0', ' ');

function readAbout(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (hasEnded(error)) return '';
    throw error;
  }
}

/** Whether a process runs (Linux). One that has ended may stay listed, without its command. */
export function isRunning(pid: number): boolean {
  return commandOf(pid) !== '';
}

/** Memory that is read this often, in milliseconds: decoding what takes much of it takes longer. */
const SAMPLE_MS = 200;

/** Watches the memory of a process and its children together, in MB (10⁶ bytes), with shared pages counted once; zero elsewhere than on Linux. */
export function watchMemory(pid: number): { now(): number; peak(): number } & Disposable {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, memoryOf(pid));
  };
  const timer = process.platform === 'linux' ? setInterval(sample, SAMPLE_MS).unref() : undefined;
  return {
    now: () => memoryOf(pid),
    peak() {
      if (timer) sample();
      return peak;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function memoryOf(pid: number): number {
  const path = `/proc/${pid}/smaps_rollup`;
  try {
    const [, kib] = /^Pss:\s+(\d+)/m.exec(readFileSync(path, 'utf8')) ?? [];
    return childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), (Number(kib ?? 0) * 1024) / 1e6);
  } catch (error) {
    if (hasEnded(error)) return 0;
    throw error;
  }
}

/** The errors of reading about a process that has ended, or that has closed the file. */
function hasEnded(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}
