import { runObjectStore } from '#test/helpers/service/stores/run-object-store.ts';

/** An S3 server as a program of its own, so that a test can halt it. It ends with the process that has started it. */

const store = await runObjectStore();
process.on('message', (message) => {
  const done = message === 'stop' ? store.stop() : store.start();
  void done.then(() => process.send?.('done'));
});
process.once('disconnect', () => void store[Symbol.asyncDispose]().then(() => process.exit()));
process.send?.(store.access);
