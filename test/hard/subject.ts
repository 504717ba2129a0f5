import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { blobFile, listSnapshots, snapshotFolder } from '#server/features/backup/incremental.ts';
import { verifyDataFolder } from '#server/features/verify/verify.ts';
import { openSnapshot } from '#server/platform/db/database.ts';

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

/** What is wrong with the backups in a folder. */
export async function damagedBackups(folder: string): Promise<string[]> {
  const damaged: string[] = [];
  for (const name of await listSnapshots(folder)) {
    const at = snapshotFolder(folder, name);
    try {
      const database = openSnapshot(join(at, 'pixdock.db'));
      const blobs = await database.read.selectFrom('blobs').select(['policy_id', 'sha256']).execute();
      await database.close();
      const { missing } = JSON.parse(readFileSync(join(at, 'end.json'), 'utf8')) as { missing: string[] };
      for (const { policy_id, sha256 } of blobs) {
        if (missing.includes(`${policy_id}/${sha256}`)) continue;
        if (hash('sha256', readFileSync(blobFile(folder, { policyId: policy_id, sha256 }))) !== sha256)
          damaged.push(`backup ${name}: ${sha256}`);
      }
    } catch (error) {
      damaged.push(`backup ${name}: ${error}`);
    }
  }
  return damaged;
}
