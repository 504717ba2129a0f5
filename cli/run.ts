import { type Connection, connect } from './connection.ts';
import { type Environment, readEnvironment } from './env.ts';
import { describeError, EXIT, Interrupted } from './errors.ts';
import type { ServerOptions } from './options.ts';
import { Gate, type Retrying, systemClock } from './retry.ts';
import { Terminal } from './terminal.ts';

const SAME_SIGNAL_MS = 300;

/** Everything that a command needs for talking to a server. */
export interface Run {
  environment: Environment;
  terminal: Terminal;
  connection: Connection;
  /** Seconds; see {@link ServerOptions}. */
  timeout: number;
  retrying: Omit<Retrying, 'signal'>;
}

/** Prepares a command that doesn't talk to a server. */
export function prepareLocal({ color }: Pick<ServerOptions, 'color'>): Pick<Run, 'environment' | 'terminal'> {
  hideSecrets();
  const environment = readEnvironment();
  return { environment, terminal: new Terminal(color && !environment.noColor) };
}

/**
 * Prepares a command that talks to a server.
 * @param maxWait the longest `Retry-After` to wait for, in seconds
 */
export async function prepare(options: ServerOptions, maxWait: number): Promise<Run> {
  const { environment, terminal } = prepareLocal(options);
  const connection = await connect(options, environment);
  if (connection.warning) terminal.note(connection.warning);
  const clock = systemClock;
  const limits = { retries: options.retries, maxWait, batch: { settled: 0 } };
  const retrying = { limits, clock, gate: new Gate(clock), onWait: noteLongWaits(terminal) };
  return { environment, terminal, connection, timeout: options.timeout, retrying };
}

/** Removes tokens and passwords in the arguments from the process list. */
export function hideSecrets() {
  if (process.argv.some((argument) => /^--(token|password)(=|$)/.test(argument))) process.title = 'pixdock';
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
export async function interruptible(steps: 1 | 2, work: (first: AbortSignal, last: AbortSignal) => Promise<number>): Promise<number> {
  const controllers = Array.from({ length: steps }, () => new AbortController());
  let since = Number.NEGATIVE_INFINITY;
  const stop = () => {
    // One Ctrl-C can arrive twice: from the terminal, and forwarded by a program in between (npx).
    if (performance.now() - since < SAME_SIGNAL_MS) return;
    since = performance.now();
    const next = controllers.find(({ signal }) => !signal.aborted);
    if (!next) process.exit(EXIT.interrupted);
    next.abort(new Interrupted());
  };
  const [first, last] = [controllers[0] as AbortController, controllers.at(-1) as AbortController];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(first.signal, last.signal);
  } catch (error) {
    if (first.signal.aborted) throw new Interrupted();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
