import { JOBS } from './jobs.ts';
import { describeError, type Outcome, type Request } from './messages.ts';

/** Runs a job. */
export async function perform({ kind, options }: Request): Promise<Outcome> {
  try {
    const job = JOBS[kind] as (given: object) => Promise<unknown>;
    return { result: await job(options) };
  } catch (error) {
    return describeError(error);
  }
}
