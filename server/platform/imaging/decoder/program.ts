// A process that decodes pictures for the service, one at a time (decision 078).
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { endWithParent } from '#server/platform/base/end-with-parent.ts';
import { ImageTooLargeError, tooLong } from '../errors.ts';
import type { Jobs } from './jobs.ts';
import { describeError, type FromDecoder, type Outcome, PIPE, type ProcessState, type Reply, type ToDecoder } from './messages.ts';
import { createPerformer } from './perform.ts';

/** Resident memory in bytes at which a job is given up; the largest HEIC and AVIF take a gibibyte. */
const MAX_BYTES = 1_500_000_000;
const CHECK_MS = 200;

const PIPE_BYTES = 256 * 1024;

/** A process that keeps this much more than it started with (70 MB, most of it shared), or has done this many jobs, is replaced. Photos from phones leave 50 to 75 MB. */
const KEPT_BYTES = 80_000_000;
/** The same for one that recognises text, which keeps Tesseract and its languages. */
const RECOGNIZER_BYTES = 400_000_000;
const MAX_JOBS = 1_000;

/** The jobs of a process that recognises text. */
const RECOGNITION: ReadonlySet<keyof Jobs> = new Set(['prepareForText', 'recognize']);

/** The channel to main, in Electron's utility process. */
interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}
const port = (process as { parentPort?: Port }).parentPort;

function send(message: FromDecoder) {
  if (port) port.postMessage(message);
  else process.send?.(message);
}

/** Into one buffer: V8 would collect others late. */
function readPipe() {
  const buffer = new Uint8Array(PIPE_BYTES);
  const callback = (bytes: number) => {
    take(buffer.subarray(0, bytes));
    return true;
  };
  // Without the service, the channel ends it, too.
  new Socket({ fd: PIPE, onread: { buffer, callback } }).on('error', () => undefined);
}

const startedWith = process.memoryUsage.rss();
let jobs = 0;
let isRecognizer = false;

/** What the service learns about this process with each reply. */
function state(): ProcessState {
  const memory = process.memoryUsage.rss();
  const isWorn = ++jobs >= MAX_JOBS || memory > startedWith + (isRecognizer ? RECOGNIZER_BYTES : KEPT_BYTES);
  return { isWorn, memory, cpuSeconds: cpuSeconds() };
}

/** Of all threads, those that have ended included. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** From its first job on, a process that recognises text leaves nine tenths of the processor to everything else. The lowest priority would get none on a busy computer. */
function becomeRecognizer() {
  isRecognizer = true;
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** Gives a job up when it takes too much: the service ends a worn process at once, with all of its threads. */
async function complete(job: () => Promise<Outcome>, seconds: number): Promise<Reply> {
  const end = cpuSeconds() + seconds;
  const timer = setInterval(() => {
    const error = excess(end);
    if (error) send({ ...describeError(error), ...state(), isWorn: true });
  }, CHECK_MS);
  const outcome = await job();
  clearInterval(timer);
  return { ...outcome, ...state() };
}

/** @param end of the processor time that the process may use */
function excess(end: number): ImageTooLargeError | undefined {
  if (process.memoryUsage.rss() > MAX_BYTES)
    return new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.');
  return cpuSeconds() > end ? tooLong() : undefined;
}

const { receive, take } = createPerformer(send, complete);

function listen(message: ToDecoder) {
  if (!isRecognizer && 'kind' in message && RECOGNITION.has(message.kind)) becomeRecognizer();
  receive(message);
}

if (port) {
  endWithParent();
  port.on('message', ({ data }) => listen(data as ToDecoder));
} else {
  process.on('message', (message) => listen(message as ToDecoder));
  if (process.connected) readPipe();
}
// A bug ends it like a crash: the code of an exception is that of a process that couldn't load.
process.on('uncaughtException', (error) => {
  console.error(error);
  process.abort();
});
// The service is gone. An exit would wait for libvips' threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends these to all processes of the service, which finishes its requests first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
