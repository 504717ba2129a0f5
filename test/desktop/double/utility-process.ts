import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { ForkOptions, UtilityProcess } from 'electron';

const running = new Set<DoubleUtilityProcess>();

class DoubleUtilityProcess extends EventEmitter implements Pick<UtilityProcess, 'pid' | 'stdout' | 'stderr' | 'postMessage' | 'kill'> {
  readonly #child: ChildProcess;

  constructor(modulePath: string, args: string[], options: ForkOptions) {
    super();
    const output = options.stdio === 'pipe' || Array.isArray(options.stdio) ? 'pipe' : 'inherit';
    const parentPort = new URL('./parent-port.ts', import.meta.url).href;
    this.#child = fork(modulePath, args, {
      serialization: 'advanced',
      stdio: ['ignore', output, output, 'ipc'],
      execArgv: ['--import', parentPort],
      ...(options.env && { env: { ...options.env } }),
    });
    running.add(this);
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => {
      running.delete(this);
      this.emit('exit', code ?? (signal ? 15 : 0));
    });
  }

  get pid() {
    return this.#child.pid;
  }

  get stdout() {
    return this.#child.stdout;
  }

  get stderr() {
    return this.#child.stderr;
  }

  postMessage(message: unknown) {
    this.#child.send(structuredClone(message) as object, () => undefined);
  }

  kill() {
    return this.#child.kill();
  }
}

export const utilityProcess = {
  fork: (modulePath: string, args: string[] = [], options: ForkOptions = {}) =>
    new DoubleUtilityProcess(modulePath, args, options) as unknown as UtilityProcess,
};

/** Utility processes never outlive the app. */
export function endUtilityProcesses() {
  for (const child of running) child.kill();
}
