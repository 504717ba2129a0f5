import { BusyError, CallerGoneError } from '#server/platform/base/errors.ts';
import { siteOf } from '#server/platform/base/network-of.ts';
import { recentCache } from '#server/platform/base/recent-cache.ts';

/** Whose work waits, and how urgent it is. */
export interface Turn {
  /** Whom the work is for: a user, or a network of guests. Waiting callers share the time that their work takes equally. */
  who: string;
  /** 0 is the most urgent. Less urgent work gets every ninth start at least. */
  rank: number;
  /** Drops the work while it waits, with {@link CallerGoneError}. */
  signal?: AbortSignal | undefined;
}

/** What a piece of work takes while it runs. */
export interface Need {
  /** A share of the queue's `room`; more than all of it counts as all of it. */
  room?: number;
  /** The kinds of work that it counts as, each of which may be limited to some of the places. */
  lanes?: readonly string[];
}

/** Runs a limited number of jobs at once, and lets those who wait take turns. */
export interface FairQueue {
  /**
   * @throws BusyError when too many wait
   * @throws CallerGoneError when the caller left before its turn
   */
  run<T>(turn: Turn, need: Need, work: () => Promise<T>): Promise<T>;
  counts(): { running: number; waiting: number };
}

export interface Bounds {
  /** Jobs that run at the same time. */
  atOnce: number;
  /** What they share, such as bytes of memory; unlimited by default. */
  room?: number;
  /** How many jobs of a lane run at the same time; a lane without an entry is unlimited. */
  lanes?: Readonly<Record<string, number>>;
  /** Jobs that wait, altogether. When there are more, the least urgent is dropped, or the latest of the site (see `siteOf`) that has most waiting. */
  maxWaiting?: number;
  /** Milliseconds; replaced in tests. */
  clock?: () => number;
}

/** One caller's jobs of one rank. */
interface Flow {
  readonly who: string;
  readonly rank: number;
  readonly jobs: Job[];
  running: number;
  /** Milliseconds of work that it has had, counted from when it came. */
  used: number;
}

interface Job {
  readonly flow: Flow;
  readonly room: number;
  readonly lanes: readonly string[];
  /** Later jobs that started first because there was no room for this one. */
  overtaken: number;
  start(): void;
  drop(reason: Error): void;
}

/** How many jobs may overtake one that needs more room; after that, all wait until there is enough. */
const MAX_OVERTAKES = 8;
/** After this many starts of more urgent work, waiting less urgent work gets one. */
const MAX_PRECEDENCE = 8;
const MAX_WAITING = 1_000;
/** Callers whose use is remembered. */
const MAX_REMEMBERED = 10_000;

export function createFairQueue({
  atOnce,
  room: allRoom = Number.POSITIVE_INFINITY,
  lanes: laneLimits = {},
  maxWaiting = MAX_WAITING,
  clock = () => performance.now(),
}: Bounds): FairQueue {
  /** Flows with jobs that wait or run. */
  const flows = new Map<string, Flow>();
  const remembered = recentCache<number>(MAX_REMEMBERED);
  const inLane = new Map<string, number>();
  /** By rank: starts of more urgent work while this rank waited, and the use with which a newcomer begins. */
  const passedOver = new Map<number, number>();
  const level = new Map<number, number>();
  let running = 0;
  let waiting = 0;
  let taken = 0;

  const keyOf = ({ who, rank }: Turn | Flow) => `${rank} ${who}`;

  function flowOf(turn: Turn): Flow {
    const key = keyOf(turn);
    const known = flows.get(key);
    if (known) return known;
    const { who, rank } = turn;
    // A caller who returns has neither saved up an advantage nor escaped what it used before.
    const used = Math.max(remembered.get(key) ?? 0, level.get(rank) ?? 0);
    const flow: Flow = { who, rank, jobs: [], running: 0, used };
    flows.set(key, flow);
    return flow;
  }

  function forgetIdle(flow: Flow) {
    if (flow.running > 0 || flow.jobs.length > 0) return;
    flows.delete(keyOf(flow));
    remembered.set(keyOf(flow), flow.used);
  }

  /** The ranks with waiting jobs in the order in which they may start one. */
  function ranksInTurn(): number[] {
    const ranks = [...new Set([...flows.values()].filter(({ jobs }) => jobs.length > 0).map(({ rank }) => rank))];
    const due = (rank: number) => (passedOver.get(rank) ?? 0) >= MAX_PRECEDENCE;
    return ranks.sort((one, other) => Number(due(other)) - Number(due(one)) || one - other);
  }

  /** The job that starts next; undefined while none can. */
  function next(): Job | undefined {
    const passed: Job[] = [];
    for (const rank of ranksInTurn()) {
      const ofRank = [...flows.values()].filter((flow) => flow.rank === rank && flow.jobs.length > 0);
      for (const flow of ofRank.sort((one, other) => one.running - other.running || one.used - other.used)) {
        for (const job of flow.jobs) {
          if (job.lanes.some((lane) => (inLane.get(lane) ?? 0) >= (laneLimits[lane] ?? Number.POSITIVE_INFINITY))) continue;
          if (taken + job.room <= allRoom) {
            for (const one of passed) one.overtaken++;
            return job;
          }
          if (job.overtaken >= MAX_OVERTAKES) return undefined;
          passed.push(job);
        }
      }
    }
    return undefined;
  }

  function startWhatFits() {
    while (running < atOnce) {
      const job = next();
      if (!job) return;
      const { rank } = job.flow;
      removeWaiting(job);
      passedOver.set(rank, 0);
      for (const other of ranksInTurn()) if (other > rank) passedOver.set(other, (passedOver.get(other) ?? 0) + 1);
      hold(job, 1);
      job.start();
    }
  }

  function removeWaiting(job: Job) {
    job.flow.jobs.splice(job.flow.jobs.indexOf(job), 1);
    waiting--;
  }

  /** Takes (1) or returns (-1) what a job needs. */
  function hold({ flow, room, lanes }: Job, sign: 1 | -1) {
    running += sign;
    taken += sign * room;
    flow.running += sign;
    for (const lane of lanes) inLane.set(lane, (inLane.get(lane) ?? 0) + sign);
  }

  function charge({ flow }: Job, used: number) {
    flow.used += used;
    let active = 0;
    for (const { rank } of flows.values()) if (rank === flow.rank) active++;
    // A stream of newcomers, each with one job, raises the level at which the next one begins: no flow waits for all of them.
    level.set(flow.rank, (level.get(flow.rank) ?? 0) + used / Math.max(1, active));
  }

  /** Makes room for a job of `flow`. @throws BusyError when no flow has more, or less urgent, work waiting */
  function makeRoom(flow: Flow) {
    if (waiting < maxWaiting) return;
    const ofSites = new Map<string, number>();
    const siteKey = ({ who, rank }: Flow) => `${rank} ${siteOf(who)}`;
    for (const one of flows.values()) ofSites.set(siteKey(one), (ofSites.get(siteKey(one)) ?? 0) + one.jobs.length);
    const ofSite = (one: Flow) => ofSites.get(siteKey(one)) ?? 0;
    const mayLose = (one: Flow) =>
      one.jobs.length > 0 && (one.rank > flow.rank || (one.rank === flow.rank && ofSite(one) > ofSite(flow) + 1));
    const [loser] = [...flows.values()]
      .filter(mayLose)
      .sort((one, other) => other.rank - one.rank || ofSite(other) - ofSite(one) || other.jobs.length - one.jobs.length);
    const last = loser?.jobs.at(-1);
    if (!loser || !last) {
      forgetIdle(flow);
      throw new BusyError();
    }
    removeWaiting(last);
    last.drop(new BusyError());
    forgetIdle(loser);
  }

  function enter(turn: Turn, { room = 0, lanes = [] }: Need): Promise<Job> {
    const { signal } = turn;
    if (signal?.aborted) throw new CallerGoneError();
    const flow = flowOf(turn);
    makeRoom(flow);
    return new Promise<Job>((resolve, reject) => {
      const leave = () => {
        removeWaiting(job);
        forgetIdle(flow);
        reject(new CallerGoneError());
        startWhatFits();
      };
      const job: Job = {
        flow,
        room: Math.min(room, allRoom),
        lanes,
        overtaken: 0,
        start() {
          signal?.removeEventListener('abort', leave);
          resolve(job);
        },
        drop(reason) {
          signal?.removeEventListener('abort', leave);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      flow.jobs.push(job);
      waiting++;
      startWhatFits();
    });
  }

  return {
    async run(turn, need, work) {
      const job = await enter(turn, need);
      const from = clock();
      try {
        return await work();
      } finally {
        hold(job, -1);
        charge(job, clock() - from);
        forgetIdle(job.flow);
        startWhatFits();
      }
    },
    counts: () => ({ running, waiting }),
  };
}
