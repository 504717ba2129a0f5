import { join } from 'node:path';
import type { DecoderProcess } from '#server/platform/imaging/decoder/launch.ts';
import type { FromDecoder, Request, ToDecoder } from '#server/platform/imaging/decoder/messages.ts';
import type { Fate } from './dying-decoder.ts';

export const DYING_DECODER = join(import.meta.dirname, 'dying-decoder.ts');

/** When a decoder ends; `later`: once its job is done. */
export const PHASES = ['starting', 'reading', 'computing', 'writing', 'later'] as const;
export type Phase = (typeof PHASES)[number];

/** What happens to the decoder that gets the next job. */
export interface Doom {
  phase: Phase;
  fate: Fate;
}

/**
 * A decoder that ends in a phase of the jobs for which `next` returns one. Nothing that it sends afterwards arrives, however fast it was.
 * @param kill sends the decoder a signal
 */
export function doomed(
  decoder: DecoderProcess,
  kill: (signal: NodeJS.Signals) => void,
  next: (job: Request) => Doom | undefined,
): DecoderProcess {
  let doom: Doom | undefined;
  let isDying = false;

  function endIn(phase: Phase) {
    if (isDying || doom?.phase !== phase) return;
    isDying = true;
    kill(doom.fate as NodeJS.Signals);
  }

  function begin(message: ToDecoder): ToDecoder {
    if (!('kind' in message)) return message;
    doom = next(message);
    return doom?.phase === 'computing' ? { ...message, options: { ...message.options, fate: doom.fate } } : message;
  }

  const { pipe } = decoder;
  return {
    ...decoder,
    send(message) {
      const own = begin(message);
      if ('kind' in own) endIn('starting');
      decoder.send(own);
      if (('piece' in own && !('kind' in own)) || 'bytes' in own) endIn('reading');
    },
    ...(pipe && {
      pipe(bytes: Uint8Array) {
        const written = pipe(bytes);
        endIn('reading');
        return written;
      },
    }),
    onMessage: (listener) =>
      decoder.onMessage((message: FromDecoder) => {
        if ('piece' in message || 'write' in message || 'isWorn' in message) endIn('writing');
        if (isDying) return;
        listener(message);
        if ('isWorn' in message) endIn('later');
      }),
  };
}
