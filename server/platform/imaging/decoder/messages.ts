import { errorOf, type Fault, faultOf } from '#server/platform/base/faults.ts';
import {
  DamagedImageError,
  ImageError,
  type ImageErrorCode,
  ImageTooLargeError,
  UnsupportedImageError,
  VideoTooLongError,
} from '../errors.ts';
import type { Jobs } from './jobs.ts';

/**
 * Pictures travel in pieces, since a decoder can't open files: small ones with the job, others through a pipe, or where there is none, in
 * messages that the receiver asks for. So neither side holds more than a piece beside the picture itself. Larger ones cost more: glibc would map memory for each.
 */
export const PIECE_BYTES = 128 * 1024;

/** One job of a decoder process, which has one at a time. */
export interface Request {
  readonly kind: keyof Jobs;
  readonly options: object;
  /** Of processor time, after which the decoder gives it up. */
  readonly seconds: number;
  /** Bytes of its picture; 0 if it has none. */
  readonly size: number;
  /** All of its picture, or nothing if it has more than a piece. */
  readonly piece: Uint8Array;
}

interface Piece {
  readonly piece: Uint8Array;
}

/** Asks for the next piece, or for all of them where there is a pipe. */
interface Next {
  readonly next: true;
}

/** Asks for bytes of a video, which isn't sent as a whole. */
interface Read {
  readonly read: { from: number; length: number };
}

interface Bytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes of the video that the job makes. `next` asks for more. */
interface Write {
  readonly write: Uint8Array;
  readonly at: number;
}

/** The descriptor of the pipe. */
export const PIPE = 4;

/** A job, the next piece of its picture, the bytes that it has asked for, or a request for the next piece of what it has made. */
export type ToDecoder = Request | Piece | Bytes | Next;

/** A request for the next piece or for bytes, a piece of what the job has made, or the job's outcome. */
export type FromDecoder = Next | Read | Piece | Write | Reply;

/** The result of a job, a fault of the image, or a fault of the machine. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly refused: { code: ImageErrorCode; message: string; detail: string } }
  | { readonly fault: Fault };

/** What the service learns about a process. */
export interface ProcessState {
  /** Whether it should be replaced. */
  readonly isWorn: boolean;
  /** Its memory in bytes, pages that it shares included. */
  readonly memory: number;
  /** The processor time that it has used so far. */
  readonly cpuSeconds: number;
}

export type Reply = Outcome & ProcessState;

/** Describes an error of a job. */
export function describeError(error: unknown): Outcome {
  if (error instanceof ImageError) {
    const { code, message, cause } = error;
    return { refused: { code, message, detail: cause instanceof Error ? cause.message : '' } };
  }
  return { fault: faultOf(error) };
}

/** The result of a job. @throws the job's error */
export function resultOf(reply: Outcome): unknown {
  if ('result' in reply) return reply.result;
  if ('fault' in reply) throw errorOf(reply.fault);
  const { code, message, detail } = reply.refused;
  const options = detail ? { cause: new Error(detail) } : undefined;
  if (code === 'damaged_image') throw new DamagedImageError(message, options);
  if (code === 'ext_not_allowed') throw new UnsupportedImageError(message, options);
  if (code === 'video_too_long') throw new VideoTooLongError(message, options);
  throw new ImageTooLargeError(message, options);
}
