// Measures how much write units gain by sharing commits: an upload's rows, many at once against one after the other. `node bench/group-commit.ts`
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Insertable } from 'kysely';
import { type Group, groupById } from '#server/core/accounts/groups.ts';
import { countUpload } from '#server/core/journal/daily-counts.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { takeQuota } from '#server/features/upload/quota.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import { type Database, openDatabase, type Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { median } from './support/load.ts';

const ROUNDS = 7;
const ALONE = 100;
const TOGETHER = 1_024;
const AT_ONCE = 64;

const insertBlob = compileOnce((queries, row: Insertable<Tables['blobs']>) => queries.insertInto('blobs').values(row));
const insertImage = compileOnce((queries, row: Insertable<Tables['images']>) => queries.insertInto('images').values(row));

const folder = mkdtempSync(join(tmpdir(), 'pixdock-bench-'));
const db = await openDatabase(join(folder, 'pixdock.db'));
try {
  await main(db);
} finally {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
}

async function main(db: Database) {
  const owner = await createOwner(db.as('start'), { username: 'bench', email: null, password: null });
  const { write, read } = db.as('job');
  const policy = await read.selectFrom('policies').select('id').executeTakeFirstOrThrow();
  const group = await groupById(read, owner.group_id);
  const unit = () => write((queries) => record(queries, owner, group, policy.id), { isSmall: true });
  const rates = { alone: [] as number[], together: [] as number[] };
  let cpuMicros = 0;
  for (let round = 0; round < ROUNDS; round++) {
    rates.alone.push(await rate(ALONE, 1, unit));
    const before = process.cpuUsage();
    rates.together.push(await rate(TOGETHER, AT_ONCE, unit));
    const { user, system } = process.cpuUsage(before);
    cpuMicros += (user + system) / TOGETHER / ROUNDS;
  }
  const ratios = rates.alone.map((alone, round) => (rates.together[round] as number) / alone);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(1));
  const [alone, together] = [median(rates.alone), median(rates.together)].map((value) => value.toFixed(0));
  console.log(`one per commit ${alone}/s, ${AT_ONCE} at once ${together}/s, ratio ${median(ratios).toFixed(1)} (${low}–${high})`);
  console.log(`CPU time of one unit among ${AT_ONCE}: ${cpuMicros.toFixed(0)} µs`);
}

async function rate(units: number, atOnce: number, unit: () => Promise<void>): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < units; done += atOnce) await Promise.all(Array.from({ length: atOnce }, unit));
  return (units / (performance.now() - start)) * 1000;
}

/** The rows that an upload leaves: blob, image, quota, the day's count. */
async function record(queries: Queries, user: UserRow, group: Group, policy_id: number): Promise<void> {
  const now = Date.now();
  const sha256 = randomBytes(32).toString('hex');
  const size = 200_000;
  await insertBlob(queries, { policy_id, sha256, size, unused_since: null });
  await takeQuota(queries, user, group, size);
  const key = randomBytes(6).toString('hex');
  const described = { name: `${key}.jpg`, ext: 'jpg', mime: 'image/jpeg', size, width: 1600, height: 1200 };
  const open = { visibility: 'public' as const, album_id: null, password_hash: null, max_views: 0, expires_at: null };
  const times = { taken_at: now, created_at: now, updated_at: now, deleted_at: null, emptied_at: null };
  const origin = { owner_id: user.id, policy_id, sha256, input_sha256: sha256, uploader_address: '127.0.0.1' };
  await insertImage(queries, { key, ...origin, ...described, ...open, ...times });
  await countUpload(queries, { ownerId: user.id, bytes: size, now });
}
