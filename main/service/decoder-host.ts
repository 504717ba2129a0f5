import type { UtilityProcess, utilityProcess } from 'electron';
import { decoderEnv } from '#server/platform/config/allocator.ts';
import type { FromDecoder } from '#server/platform/imaging/decoder/messages.ts';
import { type FromDecoders, toDecoders } from './decoder-messages.ts';
import { type FollowOutput, killUtility, wholeOutput } from './utility.ts';

interface HostOptions {
  fork: typeof utilityProcess.fork;
  /** The processor time that a process has used, if Electron knows it. */
  cpuSecondsOf?: ((pid: number) => number | undefined) | undefined;
  /** The program of a decoder. */
  entry: string;
  follow: FollowOutput;
}

/** Main's end: starts the decoders of one service process, and passes messages on. */
export function hostDecoders({ fork, cpuSecondsOf, entry, follow }: HostOptions, post: (message: FromDecoders) => void) {
  const running = new Map<number, UtilityProcess>();
  const used = new WeakMap<UtilityProcess, number | undefined>();

  function kill(child: UtilityProcess) {
    used.set(child, child.pid === undefined ? undefined : cpuSecondsOf?.(child.pid));
    killUtility(child);
  }

  function start(decoder: number) {
    const child = fork(entry, [], { serviceName: 'Pixdock decoder', stdio: ['ignore', 'ignore', 'pipe'], env: decoderEnv() });
    running.set(decoder, child);
    follow(wholeOutput(child, 'stderr'));
    child.on('message', (message: FromDecoder) => post({ type: 'decoded', decoder, message }));
    child.once('exit', (code) => {
      running.delete(decoder);
      post({ type: 'decoder-ended', decoder, code, cpuSeconds: used.get(child) });
    });
  }

  return {
    /** Passes a message from the service to its decoder, unless that has just ended; its exit is reported. Returns whether it was for a decoder. */
    receive(raw: unknown): boolean {
      const { success, data } = toDecoders.safeParse(raw);
      if (!success) return false;
      const child = running.get(data.decoder);
      if (data.type === 'start-decoder') start(data.decoder);
      else if (data.type === 'decode') child?.postMessage(data.message);
      else if (child) kill(child);
      return true;
    },
    /** Kills all decoders. */
    end() {
      for (const child of running.values()) killUtility(child);
    },
  };
}
