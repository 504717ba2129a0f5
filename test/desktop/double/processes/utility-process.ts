import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { ForkOptions, UtilityProcess } from 'electron';
import { hostileTraits, isHostile } from '#test/desktop/double/traits.ts';

const running = new Set<DoubleUtilityProcess>();

class DoubleUtilityProcess extends EventEmitter implements Pick<UtilityProcess, 'pid' | 'stdout' | 'stderr' | 'postMessage' | 'kill'> {
  readonly #child: ChildProcess;
  #state: 'starting' | 'running' | 'ended' = 'starting';
  #wasKilled = false;

  constructor(modulePath: string, args: string[], options: ForkOptions) {
    super();
    const output = options.stdio === 'pipe' || Array.isArray(options.stdio) ? 'pipe' : 'inherit';
    const parentPort = new URL('./parent-port.ts', import.meta.url).href;
    this.#child = fork(modulePath, args, {
      serialization: 'advanced',
      stdio: ['ignore', output, output, 'ipc'],
      execArgv: ['--import', parentPort],
      env: environment(options.env),
    });
    running.add(this);
    this.#child.on('spawn', () => {
      this.#state = 'running';
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => {
      running.delete(this);
      this.#state = 'ended';
      this.emit('exit', code ?? this.#codeOf(signal));
    });
  }

  #codeOf(signal: NodeJS.Signals | null) {
    if (!isHostile('utility-signals')) return signal ? constants.signals.SIGTERM : 0;
    return signal && !this.#wasKilled ? constants.signals[signal] : 0;
  }

  get #isKnown() {
    return this.#state === 'running' || !isHostile('utility-pid-late');
  }

  get pid() {
    return this.#isKnown ? this.#child.pid : undefined;
  }

  get stdout() {
    return this.#state === 'ended' && !this.#isKnown ? null : this.#child.stdout;
  }

  get stderr() {
    return this.#state === 'ended' && !this.#isKnown ? null : this.#child.stderr;
  }

  postMessage(message: unknown) {
    this.#child.send(structuredClone(message) as object, () => undefined);
  }

  kill() {
    if (!this.#isKnown) return false;
    this.#wasKilled = true;
    return this.#child.kill();
  }
}

/** The app's environment, unless it gives another one. Electron hides what is for Node. */
function environment(given: ForkOptions['env']): NodeJS.ProcessEnv {
  const all: NodeJS.ProcessEnv = { ...(given ?? process.env) };
  if (isHostile('utility-environment')) for (const name of Object.keys(all)) if (name.startsWith('NODE_')) delete all[name];
  // Other processes have no traits of their own.
  return { ...all, ELECTRON_DOUBLE_HOSTILE: hostileTraits().join(',') };
}

export const utilityProcess = {
  fork: (modulePath: string, args: string[] = [], options: ForkOptions = {}) =>
    new DoubleUtilityProcess(modulePath, args, options) as unknown as UtilityProcess,
};

/** Utility processes never outlive the app. */
export function endUtilityProcesses() {
  for (const child of running) child.kill();
}
