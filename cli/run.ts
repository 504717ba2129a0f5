import { type Connection, connect } from './connection.ts';
import type { Environment } from './env.ts';
import { describeError, EXIT, Interrupted } from './errors.ts';
import type { Io } from './io.ts';
import type { ServerOptions } from './options.ts';
import { Gate, systemClock, withRetries } from './retry.ts';
import type { Terminal } from './terminal.ts';

const SAME_SIGNAL_MS = 300;

/** One run of the command line, for every command. */
export interface Invocation {
  io: Io;
  environment: Environment;
  terminal: Terminal;
  /** Receives the exit code. */
  finish(exitCode: number): void;
}

/** Everything that a command needs for talking to a server. */
export interface Run extends Pick<Invocation, 'io' | 'environment' | 'terminal'> {
  connection: Connection;
  /** Seconds; see {@link ServerOptions}. */
  timeout: number;
  /** Repeats an attempt after failures that can pass; see {@link withRetries}. */
  withRetries<T>(attempt: (newKey?: string) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** The longest `Retry-After` to wait for, in seconds, while the user is watching. */
const MAX_WAIT = 120;
/** The same for commands with so much to upload that they can wait for an hourly limit. */
export const LONG_MAX_WAIT = 3600;

/** Prepares a command that talks to a server. */
export async function prepare({ io, environment, terminal }: Invocation, options: ServerOptions, maxWait = MAX_WAIT): Promise<Run> {
  const connection = await connect(options, environment);
  if (connection.warning) terminal.note(connection.warning);
  const timeout = options.timeout;
  return { io, environment, terminal, connection, timeout, withRetries: retriesOf(terminal, options.retries, maxWait) };
}

/** The retries of requests to one server, which share the waits that it asks for. */
export function retriesOf(terminal: Terminal, retries: number, maxWait = MAX_WAIT): Run['withRetries'] {
  const clock = systemClock;
  const retrying = { limits: { retries, maxWait, batch: { settled: 0 } }, clock, gate: new Gate(clock), onWait: noteLongWaits(terminal) };
  return (attempt, signal) => withRetries(attempt, { ...retrying, signal });
}

/** Explains waits that a user would notice, each once. */
function noteLongWaits(terminal: Terminal) {
  let notedUntil = 0;
  return (seconds: number, error: unknown) => {
    const now = performance.now();
    if (seconds < 3 || now < notedUntil) return;
    notedUntil = now + seconds * 1000;
    const reason = describeError(error);
    terminal.note(`${reason}${/[.?!]$/.test(reason) ? '' : '.'} Retrying in ${Math.ceil(seconds)} s.`);
  };
}

/**
 * Runs work that the user can interrupt. Each signal aborts the next step; when none is left, the program exits at once.
 * @param steps with two, the first signal asks the work to finish and the second aborts it
 * @returns the work's exit code
 * @throws Interrupted if the work fails after a signal
 */
export async function interruptible(
  { onSignal, exit }: Io,
  steps: 1 | 2,
  work: (first: AbortSignal, last: AbortSignal) => Promise<number>,
): Promise<number> {
  const controllers = Array.from({ length: steps }, () => new AbortController());
  let since = Number.NEGATIVE_INFINITY;
  const stop = () => {
    // One Ctrl-C can arrive twice: from the terminal, and forwarded by a program in between (npx).
    if (performance.now() - since < SAME_SIGNAL_MS) return;
    since = performance.now();
    const next = controllers.find(({ signal }) => !signal.aborted);
    if (!next) return exit(EXIT.interrupted);
    next.abort(new Interrupted());
  };
  const [first, last] = [controllers[0] as AbortController, controllers.at(-1) as AbortController];
  const ignore = onSignal(stop);
  try {
    return await work(first.signal, last.signal);
  } catch (error) {
    if (first.signal.aborted) throw new Interrupted();
    throw error;
  } finally {
    ignore();
  }
}
