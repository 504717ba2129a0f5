// A process that decodes pictures for the service, one at a time (decision 078).
import { ImageTooLargeError } from '../errors.ts';
import { describeError, type Reply, type Request } from './messages.ts';
import { perform } from './perform.ts';

/** Resident memory in bytes at which a job is given up; the largest HEIC and AVIF take a gibibyte. */
const MAX_BYTES = 1_500_000_000;
const CHECK_MS = 200;

/** A process that keeps so much (it starts with 70 MB, most of it shared), or has done so many jobs, is replaced. */
const WORN_BYTES = 100_000_000;
const MAX_JOBS = 1_000;

let jobs = 0;

function isWorn(): boolean {
  return ++jobs >= MAX_JOBS || process.memoryUsage.rss() > WORN_BYTES;
}

async function work(request: Request) {
  const timer = setInterval(refuseWhenTooLarge, CHECK_MS);
  const reply = await perform(request);
  clearInterval(timer);
  process.send?.({ ...reply, isWorn: isWorn() } satisfies Reply);
}

/** The service ends a worn process at once, with the job that it still has. */
function refuseWhenTooLarge() {
  if (process.memoryUsage.rss() <= MAX_BYTES) return;
  const error = new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.');
  process.send?.({ ...describeError(error), isWorn: true } satisfies Reply);
}

process.on('message', (request) => void work(request as Request));
// The service is gone. An exit would wait for libvips' threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends these to all processes of the service, which finishes its requests first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
