import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifyDataFolder } from '#server/features/verify/verify.ts';

const isLinux = process.platform === 'linux';

/** The number of files and sockets that a process has open; zero where the system doesn't report it. */
export const descriptorsOf = (pid: number) => (isLinux ? readdirSync(`/proc/${pid}/fd`).length : 0);

/** The files below a folder of the data folder. */
export const filesIn = (dataDir: string, folder: string) =>
  readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

/** What `pixdock verify` finds in the data folder of a stopped service. */
export async function findingsIn(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const nothing = () => undefined;
  await verifyDataFolder({ dataDir }, false, { onStart: nothing, onBytes: nothing, onFinding: ({ problem }) => found.push(problem) });
  return found;
}

/** Expects that `pixdock verify` finds nothing in the data folder of a stopped service. */
export async function expectSound(dataDir: string, when: string) {
  expect(await findingsIn(dataDir), when).toEqual([]);
}
