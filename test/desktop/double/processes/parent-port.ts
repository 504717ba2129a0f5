// `--import`ed into the double's utility processes: gives them `process.parentPort` in place of child_process' own channel.
import { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';
import { DOUBLE_VERSION } from '#test/desktop/double/machine.ts';
import { cloned } from './codec.ts';

/** Milliseconds that a message is on its way. Since Electron 37, exiting closes the port at once, and those are lost. */
const ON_ITS_WAY = 30;

if (isMainThread) becomeUtilityProcess(); // worker threads inherit --import

function becomeUtilityProcess() {
  const send = process.send?.bind(process);
  const post = (message: unknown) => void send?.(message);
  const postMessage = (message: unknown) => void setTimeout(post, ON_ITS_WAY, cloned(message)).unref();
  const parentPort = Object.assign(new EventEmitter(), { postMessage });
  const waiting: unknown[] = [];
  const deliver = () => {
    while (waiting.length > 0 && parentPort.listenerCount('message') > 0) parentPort.emit('message', { data: waiting.shift(), ports: [] });
  };
  process.on('message', (data) => {
    waiting.push(data);
    deliver();
  });
  parentPort.on('newListener', (name) => name === 'message' && setImmediate(deliver));
  process.on('disconnect', () => process.exit(0));
  Object.defineProperty(process, 'send', { value: undefined });
  Object.assign(process, { parentPort, type: 'utility' });
  Object.defineProperty(process.versions, 'electron', { value: DOUBLE_VERSION, enumerable: true });
}
