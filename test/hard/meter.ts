import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { watchTasks } from '#test/helpers/programs/cpu.ts';

// Loaded into the service: sends what its main thread has used since the last connection to the socket that PIXDOCK_HARD_METER names.

if (isMainThread) {
  const watch = watchTasks();
  createServer((socket) => socket.end(JSON.stringify(watch.take())))
    .listen(process.env.PIXDOCK_HARD_METER)
    .unref();
}
