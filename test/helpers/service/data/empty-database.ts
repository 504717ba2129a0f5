import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/platform/db/database.ts';

let bytes: Promise<Buffer> | undefined;

/** Creates the database of a new data folder. All tables are created once per process and copied from then on. */
export async function writeEmptyDatabase(dataDir: string): Promise<void> {
  bytes ??= migrated();
  await writeFile(join(dataDir, 'pixdock.db'), await bytes, { mode: 0o600 });
}

async function migrated(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  const db = await openDatabase(join(folder, 'pixdock.db'));
  await db.snapshot(join(folder, 'snapshot.db'));
  await db.close();
  const snapshot = await readFile(join(folder, 'snapshot.db'));
  await rm(folder, { recursive: true });
  return snapshot;
}
