import { fork as forkNode } from 'node:child_process';
import type { utilityProcess } from 'electron';
import { endWithApp } from '#main/base/system/end-with-app.ts';
import { HEAP_OPTIONS } from '#server/platform/config/allocator.ts';
import { hostDecoders } from './decoder-host.ts';
import { type FromService, fromService, type ToService } from './server-messages.ts';
import { type FollowOutput, killUtility, wholeOutput } from './utility.ts';

/** A running service process, started by either launcher. */
export interface ServiceChild {
  readonly pid: number | undefined;
  send(message: ToService): void;
  onMessage(listener: (message: FromService) => void): void;
  /** Called once, with a sentence about how it ended. */
  onExit(listener: (how: string) => void): void;
  /** Kills it immediately, without draining. */
  kill(): void;
}

export type Launch = () => ServiceChild;

interface NodeOptions {
  node: string;
  entry: string;
  follow: FollowOutput;
  env: NodeJS.ProcessEnv;
}

/** Starts the service on Linux: in plain Node beside the app, since sharp is unsafe inside an Electron process there. */
export function launchOnNode({ node, entry, follow, env }: NodeOptions): Launch {
  return () => {
    // execArgv: this process's own options (an inspector, for example) must not reach the service.
    const child = forkNode(entry, [], { execPath: node, execArgv: HEAP_OPTIONS, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    endWithApp(child);
    for (const output of [child.stdout, child.stderr]) follow(output);
    return {
      pid: child.pid,
      send: (message) => void child.send(message, ignoreGone),
      onMessage: (listener) => void child.on('message', (raw) => receive(raw, listener, () => child.kill('SIGKILL'))),
      onExit: (listener) => {
        let over = false;
        const once = (how: string) => {
          if (!over) listener(how);
          over = true;
        };
        child.on('error', (error) => once(`Couldn’t start the service: ${error.message}.`));
        child.on('exit', (code, signal) =>
          once(signal ? `The service quit unexpectedly (signal ${signal}).` : `The service quit unexpectedly (code ${code}).`),
        );
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

interface UtilityOptions {
  fork: typeof utilityProcess.fork;
  /** The processor time that a decoder has used. */
  cpuSecondsOf?: (pid: number) => number | undefined;
  entry: string;
  /** The program of its decoders. */
  decoderEntry: string;
  follow: FollowOutput;
}

/** Starts the service on macOS and Windows: in Electron's utility process, which needs no second program. */
export function launchAsUtility({ fork, cpuSecondsOf, entry, decoderEntry, follow }: UtilityOptions): Launch {
  return () => {
    const child = fork(entry, [], { serviceName: 'Pixdock service', stdio: ['ignore', 'pipe', 'pipe'] });
    for (const name of ['stdout', 'stderr'] as const) follow(wholeOutput(child, name));
    const decoders = hostDecoders({ fork, cpuSecondsOf, entry: decoderEntry, follow }, (message) => child.postMessage(message));
    child.once('exit', () => decoders.end());
    return {
      get pid() {
        return child.pid;
      },
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', (raw) => decoders.receive(raw) || receive(raw, listener, () => killUtility(child))),
      onExit: (listener) => void child.once('exit', (code) => listener(`The service quit unexpectedly (code ${code}).`)),
      kill: () => killUtility(child),
    };
  };
}

/** Passes valid messages on. A malformed one means that this isn't the process we started: it is killed and started again. */
function receive(raw: unknown, listener: (message: FromService) => void, kill: () => void) {
  const message = fromService.safeParse(raw);
  if (message.success) return listener(message.data);
  console.error('Invalid message from the service process:', message.error);
  kill();
}

/** Logs a message that couldn't be sent, as happens when the process has just ended: its exit is reported separately. */
function ignoreGone(error: Error | null) {
  if (error) console.error('Couldn’t send a message to the service process:', error.message);
}
