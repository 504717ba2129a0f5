import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { PassThrough, type Readable } from 'node:stream';
import type { ForkOptions, UtilityProcess } from 'electron';
import { requireReady } from '#test/desktop/double/machine.ts';
import { hostileTraits } from '#test/desktop/double/traits.ts';
import { cloned } from './codec.ts';

const running = new Set<DoubleUtilityProcess>();

/** Milliseconds that output is on its way: what was written just before the exit arrives after it. */
const ON_ITS_WAY = 200;
/** Milliseconds after which a process that ignores `kill` is ended. */
const KILL_LIMIT = 2_000;

type Output = 'pipe' | 'ignore' | 'inherit';

class DoubleUtilityProcess extends EventEmitter implements Pick<UtilityProcess, 'pid' | 'stdout' | 'stderr' | 'postMessage' | 'kill'> {
  readonly #child: ChildProcess;
  /** Null unless they are piped, and once the process has ended. */
  #stdout: PassThrough | null;
  #stderr: PassThrough | null;
  #isRunning = false;
  #wasKilled = false;

  constructor(modulePath: string, args: string[], options: ForkOptions) {
    super();
    if (!modulePath) throw new Error('Missing UtilityProcess entry script.');
    const [stdout, stderr] = outputsOf(options.stdio);
    this.#stdout = stdout === 'pipe' ? new PassThrough() : null;
    this.#stderr = stderr === 'pipe' ? new PassThrough() : null;
    const parentPort = new URL('./parent-port.ts', import.meta.url).href;
    this.#child = fork(modulePath, args, {
      serialization: 'advanced',
      stdio: ['ignore', stdout, stderr, 'ipc'],
      execArgv: [...(options.execArgv ?? []), '--import', parentPort],
      env: environment(options.env),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    });
    running.add(this);
    this.#child.on('spawn', () => {
      this.#isRunning = true;
      flow(this.#child.stdout, this.#stdout);
      flow(this.#child.stderr, this.#stderr);
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => this.#end(code ?? this.#codeOf(signal)));
  }

  /** Whoever reads the output is forgotten, as in Electron. */
  #end(code: number) {
    running.delete(this);
    this.#isRunning = false;
    try {
      this.emit('exit', code);
    } finally {
      this.#stdout?.removeAllListeners();
      this.#stderr?.removeAllListeners();
      this.#stdout = null;
      this.#stderr = null;
    }
  }

  #codeOf(signal: NodeJS.Signals | null) {
    return signal && !this.#wasKilled ? constants.signals[signal] : 0;
  }

  get pid() {
    return this.#isRunning ? this.#child.pid : undefined;
  }

  get stdout() {
    return this.#stdout;
  }

  get stderr() {
    return this.#stderr;
  }

  postMessage(message: unknown) {
    this.#child.send(cloned(message) as object, () => undefined);
  }

  kill() {
    if (!this.#isRunning) return false;
    this.#wasKilled = true;
    setTimeout(() => this.#isRunning && this.#child.kill('SIGKILL'), KILL_LIMIT).unref();
    return this.#child.kill();
  }
}

/** What becomes of the two outputs. @throws Error for what Electron doesn't support */
function outputsOf(stdio: ForkOptions['stdio'] = 'inherit'): [Output, Output] {
  const known: readonly unknown[] = ['pipe', 'ignore', 'inherit'];
  if (!Array.isArray(stdio)) {
    if (!known.includes(stdio)) throw new Error('stdio must be of the following values: inherit, pipe, ignore');
    return [stdio as Output, stdio as Output];
  }
  if (stdio.length < 3) throw new Error('configuration missing for stdin, stdout or stderr.');
  const [input, stdout, stderr] = stdio;
  if (input !== 'ignore') throw new Error('stdin value other than ignore is not supported.');
  if (!known.includes(stdout)) throw new Error('stdout configuration must be of the following values: inherit, pipe, ignore');
  if (!known.includes(stderr)) throw new Error('stderr configuration must be of the following values: inherit, pipe, ignore');
  return [stdout as Output, stderr as Output];
}

function flow(from: Readable | null, to: PassThrough | null) {
  if (!from || !to) return;
  from.on('data', (chunk) => void setTimeout(() => to.write(chunk), ON_ITS_WAY));
  from.on('end', () => void setTimeout(() => to.end(), ON_ITS_WAY));
}

/** The app's environment, unless it gives another one. Electron hides what is for Node. */
function environment(given: ForkOptions['env']): NodeJS.ProcessEnv {
  const all: NodeJS.ProcessEnv = { ...(given ?? process.env) };
  for (const name of Object.keys(all)) if (name.startsWith('NODE_')) delete all[name];
  // Other processes have no traits of their own.
  return { ...all, ELECTRON_DOUBLE_HOSTILE: hostileTraits().join(',') };
}

export const utilityProcess = {
  fork(modulePath: string, args: string[] = [], options: ForkOptions = {}) {
    requireReady('utilityProcess cannot be created before app is ready.');
    const [own, given] = Array.isArray(args) ? [args, options] : [[], args as ForkOptions];
    return new DoubleUtilityProcess(modulePath, own, given) as unknown as UtilityProcess;
  },
};

/** Utility processes never outlive the app. */
export function endUtilityProcesses() {
  for (const child of running) child.kill();
}
