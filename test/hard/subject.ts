import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifyDataFolder } from '#server/features/verify/verify.ts';

const isLinux = process.platform === 'linux';

/** A process's resident memory in MB (10⁶ bytes), now and at most so far; zero where the system doesn't report it. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = isLinux ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const of = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

/** The number of files and sockets that a process has open; zero where the system doesn't report it. */
export const descriptorsOf = (pid: number) => (isLinux ? readdirSync(`/proc/${pid}/fd`).length : 0);

/** The files below a folder of the data folder. */
export const filesIn = (dataDir: string, folder: string) =>
  readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

/** Expects that `pixdock verify` finds nothing in the data folder of a stopped service. */
export async function expectSound(dataDir: string, when: string) {
  const found: string[] = [];
  const nothing = () => undefined;
  await verifyDataFolder(dataDir, false, { onStart: nothing, onBytes: nothing, onFinding: ({ problem }) => found.push(problem) });
  expect(found, when).toEqual([]);
}
