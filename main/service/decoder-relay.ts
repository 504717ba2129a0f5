import type { Exit, LaunchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import type { FromDecoder } from '#server/platform/imaging/decoder/messages.ts';
import { fromDecoders, type ToDecoders } from './decoder-messages.ts';

interface Listeners {
  message(message: FromDecoder): void;
  exit(exit: Exit): void;
}

/** The service's end: has main start decoders. */
export function relayDecoders(post: (message: ToDecoders) => void): {
  launch: LaunchDecoder;
  /** Whether a message from main was about a decoder. */
  receive(raw: unknown): boolean;
} {
  const running = new Map<number, Listeners>();
  let last = 0;

  return {
    launch() {
      const decoder = ++last;
      const listeners: Listeners = { message: () => undefined, exit: () => undefined };
      running.set(decoder, listeners);
      post({ type: 'start-decoder', decoder });
      return {
        pid: undefined,
        send(message) {
          // A copy: Electron sends all of the memory that a view is part of, other pictures included.
          const own = 'piece' in message ? { ...message, piece: new Uint8Array(message.piece) } : message;
          post({ type: 'decode', decoder, message: own });
        },
        onMessage(listener) {
          listeners.message = listener;
        },
        onExit(listener) {
          listeners.exit = listener;
        },
        kill: () => post({ type: 'kill-decoder', decoder }),
        hold: () => undefined, // Electron ends it
      };
    },

    receive(raw) {
      const { success, data } = fromDecoders.safeParse(raw);
      if (!success) return false;
      const listeners = running.get(data.decoder);
      if (data.type === 'decoded') listeners?.message(data.message);
      else {
        running.delete(data.decoder);
        const { code, cpuSeconds } = data;
        // Electron reports signals as codes, too.
        listeners?.exit({ code, signal: null, cpuSeconds });
      }
      return true;
    },
  };
}
