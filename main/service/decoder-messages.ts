import { z } from 'zod';
import type { FromDecoder, ToDecoder } from '#server/platform/imaging/decoder/messages.ts';

// On macOS and Windows, only main can start processes that decode, so what they and the service send passes through it (decision 078).

/** The service's number of a process. */
const decoder = z.int();

/** From the service. */
export const toDecoders = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start-decoder'), decoder }),
  z.object({ type: z.literal('decode'), decoder, message: z.custom<ToDecoder>() }),
  z.object({ type: z.literal('kill-decoder'), decoder }),
]);
export type ToDecoders = z.infer<typeof toDecoders>;

/** To the service. */
export const fromDecoders = z.discriminatedUnion('type', [
  z.object({ type: z.literal('decoded'), decoder, message: z.custom<FromDecoder>() }),
  z.object({ type: z.literal('decoder-ended'), decoder, code: z.int(), cpuSeconds: z.number().optional() }),
]);
export type FromDecoders = z.infer<typeof fromDecoders>;
