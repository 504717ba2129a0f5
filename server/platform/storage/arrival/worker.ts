import { parentPort } from 'node:worker_threads';
import { faultOf } from '#server/platform/base/faults.ts';
import { type ArrivedFile, openReceiver, type Receiver } from './receiver.ts';
import type { ThreadCall, ThreadReply } from './thread.ts';

const receivers = new Map<number, Receiver>();
parentPort?.on('message', (call: ThreadCall) => {
  const { number, bytes } = call;
  let reply: ThreadReply;
  try {
    reply = { number, bytes, result: perform(call) };
  } catch (error) {
    reply = { number, bytes, fault: faultOf(error) };
  }
  // The bytes go back, to be used again.
  parentPort?.postMessage(reply, bytes ? [bytes] : []);
});

function perform({ kind, file, path, bytes, length }: ThreadCall): ArrivedFile | undefined {
  if (kind === 'open') receivers.set(file, openReceiver(path as string));
  const receiver = receivers.get(file);
  if (kind === 'write') receiver?.write(Buffer.from(bytes as ArrayBuffer, 0, length));
  if (kind === 'finish' || kind === 'discard') receivers.delete(file);
  if (kind === 'discard') receiver?.discard();
  return kind === 'finish' ? receiver?.finish() : undefined;
}
