// Clients in a thread of their own that send pictures, each one different, until they are stopped.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Form, send } from './forms.ts';
import { variant } from './samples.ts';

interface Order {
  form: Form;
  bytes: Uint8Array;
  atOnce: number;
  /** Of the first picture. */
  number: number;
}

/** Resolves once the first picture has been stored. Disposing of it stops the clients, and resolves with the number of pictures. */
export async function startSenders(order: Order): Promise<AsyncDisposable & { stored(): number }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: order });
  let stored = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', () => {
    stored++;
    resolve();
  });
  worker.on('error', reject);
  await promise;
  return {
    stored: () => stored,
    async [Symbol.asyncDispose]() {
      worker.postMessage('stop');
      await new Promise((ended) => worker.once('exit', ended));
    },
  };
}

async function sendUntilStopped({ form, bytes, atOnce, number }: Order): Promise<void> {
  let isStopped = false;
  let next = number;
  parentPort?.once('message', () => {
    isStopped = true;
  });
  const client = async () => {
    while (!isStopped) {
      await send(form, variant(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), next++));
      parentPort?.postMessage('stored');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

if (!isMainThread) await sendUntilStopped(workerData as Order);
