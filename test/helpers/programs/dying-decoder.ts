// A decoder that ends in the middle of a job, or never leaves it, if the job's options say so.
import { JOBS } from '#server/platform/imaging/decoder/jobs.ts';

/** The signal that ends it, an exception that nothing catches, or work that never gives the event loop a turn. */
export type Fate = NodeJS.Signals | 'throw' | 'spin';

const jobs = JOBS as unknown as Record<string, (options: { fate?: Fate }, files: unknown) => Promise<unknown>>;

for (const [kind, job] of Object.entries(jobs))
  jobs[kind] = async ({ fate, ...options }, files) => {
    const result = job(options, files);
    if (fate === 'spin') for (;;);
    if (fate === 'throw')
      setImmediate(() => {
        throw new Error('a bug');
      });
    else if (fate) process.kill(process.pid, fate);
    return result;
  };

await import('#server/platform/imaging/decoder/program.ts');
