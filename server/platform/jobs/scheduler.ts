import type { Logger } from 'pino';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import type { KeptLease } from './lease.ts';

/** A recurring piece of work. */
export interface Job {
  name: string;
  /** Seconds from the end of one run to the start of the next. */
  everySeconds: number;
  /** Runs on each of the services on one database; otherwise on one of them. */
  everywhere?: true;
  /** Does a bounded piece of work and stops early when `signal` aborts. Returns what it did, for the log. */
  run(signal: AbortSignal): Promise<Record<string, number>>;
}

/** Runs a task after a delay, and returns a function that cancels it. Tests replace it. */
export type Wait = (task: () => void, milliseconds: number) => () => void;

export interface Scheduler {
  /** Starts all jobs; the first runs follow after a moment. */
  start(): void;
  /** Runs one job now, or waits for its current run. */
  run(name: string): Promise<void>;
  /** Starts no more runs, and resolves when the current ones have stopped. */
  stop(): Promise<void>;
}

/** Lets the first requests after a start run before the first jobs. */
const FIRST_MS = 2_000;
/** How soon a service runs a job after it has taken over from another. */
const LOOK_AGAIN_SECONDS = 60;

const wait: Wait = (task, milliseconds) => {
  const timer = setTimeout(task, milliseconds).unref();
  return () => clearTimeout(timer);
};

export interface SchedulerParts {
  later?: Wait;
  metrics?: Pick<Metrics, 'jobRun'>;
  /** Decides which of several services runs the jobs; without it, this one. */
  lease?: Pick<KeptLease, 'held'> | undefined;
}

/** Runs jobs, each at most once at a time. Errors are logged, and the job runs again at its next scheduled time. */
export function createScheduler(
  jobs: readonly Job[],
  log: Pick<Logger, 'info' | 'error'>,
  { later = wait, metrics, lease }: SchedulerParts = {},
): Scheduler {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, () => void>();
  const stopping = new AbortController();

  function runOnce(job: Job): Promise<void> {
    const known = running.get(job.name);
    if (known) return known;
    const run = perform(job, log, endOf(job), metrics).finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  }

  const isElsewhere = (job: Job) => lease !== undefined && !job.everywhere && !lease.held();

  function endOf(job: Job): AbortSignal {
    const lost = job.everywhere ? undefined : lease?.held();
    return lost ? AbortSignal.any([stopping.signal, lost]) : stopping.signal;
  }

  async function runHere(job: Job): Promise<number> {
    if (isElsewhere(job)) return Math.min(job.everySeconds, LOOK_AGAIN_SECONDS);
    await runOnce(job);
    return job.everySeconds;
  }

  function plan(job: Job, milliseconds: number) {
    if (stopping.signal.aborted) return;
    waiting.set(
      job.name,
      later(() => void runHere(job).then((seconds) => plan(job, seconds * 1000)), milliseconds),
    );
  }

  return {
    start() {
      for (const job of jobs) plan(job, FIRST_MS);
    },
    async run(name) {
      const job = jobs.find((one) => one.name === name);
      if (!job) throw new Error(`there is no job ${name}`);
      await runOnce(job);
    },
    async stop() {
      stopping.abort();
      for (const cancel of waiting.values()) cancel();
      await Promise.all(running.values());
    },
  };
}

async function perform(
  job: Job,
  log: Pick<Logger, 'info' | 'error'>,
  signal: AbortSignal,
  metrics: SchedulerParts['metrics'],
): Promise<void> {
  const from = performance.now();
  const note = (result: 'done' | 'failed') => metrics?.jobRun(job.name, result, (performance.now() - from) / 1000);
  try {
    const done = await job.run(signal);
    note('done');
    if (Object.values(done).some((amount) => amount > 0)) log.info({ job: job.name, ...done }, 'job done');
  } catch (error) {
    note('failed');
    log.error({ err: error, job: job.name }, 'job failed and will be retried');
  }
}
