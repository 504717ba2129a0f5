import { parentPort } from 'node:worker_threads';
import { faultOf } from '#server/platform/base/faults.ts';
import { openReceiver, type Received, type Receiver } from './receiver.ts';
import type { ThreadCall, ThreadReply } from './thread.ts';

const receivers = new Map<number, Receiver>();
/** The last call of each file: the next one waits for it. */
const calls = new Map<number, Promise<void>>();

parentPort?.on('message', (call: ThreadCall) => {
  const { file } = call;
  const done = (calls.get(file) ?? Promise.resolve())
    .then(() => respond(call))
    .then(() => {
      if (calls.get(file) === done && !receivers.has(file)) calls.delete(file);
    });
  calls.set(file, done);
});

async function respond(call: ThreadCall): Promise<void> {
  const { number, bytes } = call;
  let reply: ThreadReply;
  try {
    reply = { number, bytes, result: await perform(call) };
  } catch (error) {
    reply = { number, bytes, fault: faultOf(error) };
  }
  // The bytes go back, to be used again.
  parentPort?.postMessage(reply, bytes ? [bytes] : []);
}

async function perform({ kind, file, path, rights, bytes, length }: ThreadCall): Promise<Received | undefined> {
  if (kind === 'open') receivers.set(file, openReceiver(path as string, rights));
  const receiver = receivers.get(file);
  if (kind === 'write') await receiver?.write(Buffer.from(bytes as ArrayBuffer, 0, length));
  if (kind === 'finish' || kind === 'discard') receivers.delete(file);
  if (kind === 'discard') await receiver?.discard();
  return kind === 'finish' ? receiver?.finish() : undefined;
}
