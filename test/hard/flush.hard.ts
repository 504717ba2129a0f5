import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import type { ChildService } from '#test/helpers/service/child-service.ts';
import type { FileSystem } from './disk.ts';
import { type FlushFaults, KINDS, type Plan } from './flush-faults.ts';
import { expectSoundAfterCut, growLog, openForReading, prepare, type Subject, start, writingOf, wrongIn } from './flush-site.ts';
import { maintain, Refused } from './operations.ts';
import { type Random, setting } from './random.ts';
import { Comparison } from './served.ts';
import { WRITES, type Writing } from './writes.ts';

const FILE_SYSTEMS: FileSystem[] = ['ext4', 'xfs'];
/** On each file system. A round takes longer than in the other tests: the service starts up to twice. */
const CUTS = Math.ceil(setting('CUTS') / 4);
const KILLS = Math.ceil(setting('KILLS') / 20);
const ROUNDS = CUTS + KILLS;
const BAD_MOMENTS = Math.ceil(setting('CUTS') / 5);
/** Acknowledged before each end of the service: 2,000 altogether, unless there are fewer ends. */
const WRITES_PER_ROUND = 105;
/** For one round on a busy computer. */
const LIMIT_MS = 60_000;
const CLIENTS = 8;

/** SQLite repeats a flush of the database file that has failed without writing again what it may have lost (docs/trust.md): these are only delayed. */
const FAILING: readonly (typeof KINDS)[number][] = KINDS.filter((kind) => kind !== 'database');

/** Each kind of fault alone, and all of them together. */
const PLANS: Plan[] = [
  { log: { delayed: 1, maxMs: 500 } },
  { log: { failing: 0.2, delayed: 0.3, maxMs: 100 } },
  { database: { delayed: 1, maxMs: 300 }, log: { failing: 0.1 } },
  { files: { failing: 0.3, delayed: 0.2, maxMs: 100 }, log: { delayed: 0.3, maxMs: 100 } },
  { folders: { failing: 0.15, delayed: 0.1, maxMs: 50 } },
  { backups: { failing: 0.1 }, log: { failing: 0.1 } },
  Object.fromEntries(KINDS.map((kind) => [kind, { failing: FAILING.includes(kind) ? 0.05 : 0, delayed: 0.2, maxMs: 100 }])),
];

/** Refusals because of what another client has done meanwhile, or of how many requests there are. */
const OVERTAKEN: unknown[] = ['request_closed', 'deleted', 'replaced', 'rate_limited'];

/** Whether the service has failed, or was right to refuse. */
const isExpected = (error: unknown) =>
  (error instanceof ApiError || error instanceof Refused) && (error.status >= 500 || OVERTAKEN.includes(error.code));

/** What is done with a service before the power is cut at a bad moment. */
interface Scenario {
  name: string;
  /** Resolves at that moment. */
  run(writing: Writing, faults: FlushFaults, random: Random): Promise<unknown>;
}

const SCENARIOS: Scenario[] = [
  {
    name: 'while a failed flush is made up for',
    async run(writing, faults, random) {
      await failFlush(writing, faults);
      untilAcknowledged(() => WRITES['token created'](writing)).catch(() => undefined); // the power is cut
      await wait(random.below(300));
    },
  },
  {
    name: 'right after a failed flush was made up for',
    async run(writing, faults) {
      await failFlush(writing, faults);
      await untilAcknowledged(() => WRITES['token created'](writing));
    },
  },
  {
    name: 'when a repeated upload gets its response before the first one',
    async run(writing, faults) {
      faults.set({ log: { delayed: 1, maxMs: 1000 } });
      await untilAcknowledged(() => WRITES.repeat(writing));
    },
  },
  {
    name: 'when an upload whose flush has failed was sent again with its key',
    async run(writing, faults) {
      faults.set({ log: { failing: 0.5 } });
      await untilAcknowledged(() => WRITES['keyed retry'](writing));
    },
  },
];

/** Lets a flush fail, and delays those that follow. */
async function failFlush(writing: Writing, faults: FlushFaults) {
  faults.set({ log: { failing: 1 } });
  await expect(WRITES['token created'](writing)).rejects.toMatchObject({ status: 500 });
  faults.set({ log: { delayed: 1, maxMs: 300 }, database: { delayed: 1, maxMs: 300 } });
}

/** A failed flush is reported to all who have the file open: what makes up for it may fail, too. */
async function untilAcknowledged(write: () => Promise<boolean>): Promise<void> {
  const isDone = await write().catch((error: unknown) => {
    if (!isExpected(error)) throw error;
    return false;
  });
  if (!isDone) await untilAcknowledged(write);
}

it.for(FILE_SYSTEMS)(
  `keeps every acknowledged write on %s in ${BAD_MOMENTS} power cuts at bad moments`,
  { timeout: BAD_MOMENTS * LIMIT_MS },
  async (kind, { skip }) => {
    const subject = await prepare(kind);
    if (typeof subject === 'string') return skip(subject);
    const { disk, faults, known, random } = subject;
    let lost = 0;
    for (let cut = 1; cut <= BAD_MOMENTS; cut++) {
      const { name, run } = SCENARIOS[cut % SCENARIOS.length] as Scenario;
      const service = await start(subject, {});
      if (random.chance(0.5)) await growLog(subject);
      const db = openForReading(subject);
      const writing = writingOf(subject, db);
      for (let left = 5; left > 0; left--) await WRITES['token created'](writing);
      await run(writing, faults, random);
      for (const model of Object.values(known)) model.stopListening();
      disk.cut();
      await service.kill();
      db.close();
      lost += await expectSoundAfterCut(subject, `after cut ${cut}, ${name}`);
    }
    console.log(`${kind}: ${BAD_MOMENTS} cuts at bad moments, ${lost} bytes lost by failed flushes`);
  },
);

/** What has been done so far. */
interface Tally {
  /** Acknowledged requests of each kind. */
  acknowledged: Map<string, number>;
  failed: number;
  compared: number;
  cuts: number;
  kills: number;
  lostBytes: number;
}

const totalOf = ({ acknowledged }: Tally) => [...acknowledged.values()].reduce((sum, count) => sum + count, 0);

/** Sends requests, and compares what others get with the database, until the service is killed or the power is cut. */
async function operate(subject: Subject, plan: Plan, tally: Tally, end: (service: ChildService) => Promise<void>): Promise<void> {
  const { faults, site, known, random } = subject;
  const service = await start(subject, random.chance(0.3) ? plan : {});
  await growLog(subject);
  faults.set(plan);
  const db = openForReading(subject);
  const enough = Promise.withResolvers<void>();
  let [done, isOver] = [0, false];
  const comparison = new Comparison(site, db, random);
  const acknowledged = (kind: string) => {
    if (isOver) return;
    tally.acknowledged.set(kind, (tally.acknowledged.get(kind) ?? 0) + 1);
    if (++done >= WRITES_PER_ROUND) enough.resolve();
  };
  const writing = writingOf(subject, db, acknowledged);
  const client = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().catch((error: unknown) => {
        if (isExpected(error)) tally.failed++;
        else if (!isOver) throw error;
      });
    }
  };
  const write = async () => {
    const kind = random.pick(Object.keys(WRITES) as (keyof typeof WRITES)[]);
    if (await WRITES[kind](writing)) acknowledged(kind);
    else await wait(1);
  };
  const compare = async () => {
    await comparison.make();
    await wait(5);
  };
  const keepUp = async () => {
    await wait(random.below(500));
    if ('database' in plan) await growLog(subject); // which is what makes the service flush it
    await maintain(site.owner, random.chance('backups' in plan ? 0.7 : 0.2) ? 'backup' : 'clean-up');
  };
  const clients = Promise.all([...Array.from({ length: CLIENTS }, () => client(write)), client(compare), client(compare), client(keepUp)]);
  await Promise.race([enough.promise, clients]);
  if (random.chance(0.5)) await wait(random.below(100));
  isOver = true;
  for (const model of Object.values(known)) model.stopListening();
  await end(service);
  await clients;
  db.close();
  tally.compared += comparison.made;
  expect(comparison.contrary).toEqual([]);
}

it.for(FILE_SYSTEMS)(
  `keeps every acknowledged write on %s, and shows nothing else than the database, when flushes fail, in ${CUTS} power cuts and ${KILLS} kills`,
  { timeout: ROUNDS * LIMIT_MS },
  async (kind, { skip }) => {
    const subject = await prepare(kind);
    if (typeof subject === 'string') return skip(subject);
    const { disk, faults, random } = subject;
    const tally: Tally = { acknowledged: new Map(), failed: 0, compared: 0, cuts: 0, kills: 0, lostBytes: 0 };
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        const plan = PLANS[round % PLANS.length] as Plan;
        const isCut = tally.kills >= KILLS || (tally.cuts < CUTS && round % 2 === 0);
        const when = `after round ${round}, a ${isCut ? 'cut' : 'kill'} with ${JSON.stringify(plan)}`;
        await operate(subject, plan, tally, async (service) => {
          if (isCut) disk.cut();
          await wait(random.below(50));
          await service.kill();
        });
        if (isCut) {
          tally.lostBytes += await expectSoundAfterCut(subject, when);
          tally.cuts++;
        } else {
          expect(await wrongIn(subject), when).toEqual([]);
          tally.kills++;
        }
      }
    } finally {
      report(kind, tally, faults);
    }
    expect(totalOf(tally)).toBeGreaterThanOrEqual(ROUNDS * WRITES_PER_ROUND);
    expect([...tally.acknowledged.keys()].toSorted()).toEqual(Object.keys(WRITES).toSorted());
    if (ROUNDS > PLANS.length) expect(FAILING.filter((name) => faults.counts()[name].failures === 0)).toEqual([]);
  },
);

function report(kind: FileSystem, tally: Tally, faults: FlushFaults) {
  const writes = [...tally.acknowledged].map(([name, count]) => `${name} ${count}`).join(', ');
  const counts = faults.counts();
  const flushes = KINDS.map((name) => `${name} ${counts[name].flushes} (${counts[name].failures} failed, ${counts[name].delays} delayed)`);
  console.log(
    `${kind}: ${tally.cuts} cuts, ${tally.kills} kills, ${totalOf(tally)} acknowledged writes (${writes}), ${tally.failed} failed; ${tally.compared} comparisons; flushes: ${flushes.join(', ')}; ${tally.lostBytes} bytes lost by failed flushes`,
  );
}
