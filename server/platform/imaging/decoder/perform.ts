import type { Files } from './files.ts';
import { JOBS } from './jobs.ts';
import { describeError, type FromDecoder, type Outcome, PIECE_BYTES, type Reply, type Request, type ToDecoder } from './messages.ts';

/**
 * Receives pictures, runs their jobs and sends back what they make, one at a time.
 * @param complete runs a job within its limits, and adds to its outcome what the service learns about the process
 * @returns the receivers of the service's messages, and of what comes through the pipe
 */
export function createPerformer(
  send: (message: FromDecoder) => void,
  complete: (job: () => Promise<Outcome>, seconds: number) => Promise<Reply>,
): { receive(message: ToDecoder): void; take(piece: Uint8Array): void } {
  let request: Request;
  let picture = new Uint8Array();
  let received = 0;
  let sendNext: () => void;
  let takeBytes: (bytes: Uint8Array<ArrayBuffer>) => void;

  /** The service responds to one request after the other; a job may read and write at once. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(request: () => Promise<T>): Promise<T> => {
    const own = last.then(request);
    last = own;
    return own;
  };

  const requestNext = (message: FromDecoder) =>
    new Promise<void>((resolve) => {
      sendNext = resolve;
      send(message);
    });

  async function work() {
    let made: Uint8Array = new Uint8Array();
    const files: Files = {
      picture,
      store(bytes) {
        made = bytes;
      },
      read: (from, length) =>
        inTurn(() => {
          const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
          takeBytes = resolve;
          send({ read: { from, length } });
          return promise;
        }),
      write: (bytes, at) => inTurn(() => requestNext({ write: new Uint8Array(bytes), at })),
    };
    picture = new Uint8Array();
    const reply = await complete(() => perform(request, files), request.seconds);
    // The collector would wait until the process counts as worn. A thread may have taken it.
    if (!files.picture.buffer.detached) files.picture.buffer.transfer(0);
    for (let at = 0; at < made.length; at += PIECE_BYTES)
      // A copy: Electron sends all of the memory that a view is part of.
      await requestNext({ piece: new Uint8Array(made.subarray(at, at + PIECE_BYTES)) });
    send(reply);
  }

  function take(piece: Uint8Array) {
    picture.set(piece, received);
    received += piece.length;
    if (received === picture.length) void work();
  }

  return {
    take,
    receive(message) {
      if ('next' in message) return sendNext();
      if ('bytes' in message) return takeBytes(message.bytes);
      if ('kind' in message) {
        request = message;
        picture = new Uint8Array(message.size);
        received = 0;
      }
      const isIncomplete = received + message.piece.length < picture.length;
      take(message.piece);
      if (isIncomplete) send({ next: true });
    },
  };
}

async function perform({ kind, options }: Request, files: Files): Promise<Outcome> {
  try {
    const job = JOBS[kind] as (given: object, files: Files) => Promise<unknown>;
    return { result: await job(options, files) };
  } catch (error) {
    return describeError(error);
  }
}
