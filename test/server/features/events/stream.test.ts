import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import type { EventKind } from '#api/events.ts';
import { createStream } from '#server/features/events/stream.ts';

/** A response whose client reads nothing while `writableNeedDrain` is set. */
class SlowResponse extends EventEmitter {
  writableNeedDrain = false;
  destroyed = false;
  written: string[] = [];
  write(text: string) {
    this.written.push(text);
  }
  end() {
    this.destroyed = true;
  }
  drain() {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

function open(mayStillSend = async (_kind: EventKind) => true) {
  const response = new SlowResponse();
  const stream = createStream(response as unknown as ServerResponse, {
    idOf: (number) => `run-${number}`,
    from: 0,
    mayStillSend,
    sharedAlbums: async () => [],
  });
  let number = 0;
  const tell = (kind: EventKind, ...keys: string[]) => stream.add({ kind, ownerId: 1, keys }, ++number);
  const received = () =>
    response.written.map((text) =>
      Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/s)),
      ),
    );
  return { response, stream, tell, received };
}

it('gathers changes by kind, and gives the last of them the id', async () => {
  const { tell, received } = open();
  tell('image.created', 'a');
  tell('album.changed', 'x');
  tell('image.created', 'b', 'a');
  await expect.poll(received).toEqual([
    { event: 'image.created', data: '{"keys":["a","b"]}' },
    { id: 'run-3', event: 'album.changed', data: '{"keys":["x"]}' },
  ]);
});

it('keeps little for a client that reads nothing, and then asks it to read everything again', async () => {
  vi.useFakeTimers();
  const { response, stream, tell, received } = open();
  response.writableNeedDrain = true;
  for (let number = 0; number < 5_000; number++) tell(number % 2 ? 'image.created' : 'image.deleted', `key ${number}`);
  await vi.advanceTimersByTimeAsync(60_000);
  stream.heartbeat();
  expect(response.written).toEqual([]);
  response.drain();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(received()).toEqual([{ id: 'run-5000', event: 'resync', data: '{"keys":[]}' }]);
  stream.heartbeat();
  expect(received().at(-1)).toEqual({ id: 'run-5000', event: 'heartbeat', data: '{"keys":[]}' });
  vi.useRealTimers();
});

it('tells of what was received, which reading everything again wouldn’t show', async () => {
  const { stream, tell, received } = open();
  stream.add(undefined, 1);
  tell('image.created', 'a');
  tell('request.received', '1');
  await expect.poll(received).toMatchObject([{ event: 'resync' }, { event: 'request.received', data: '{"keys":["1"]}' }]);
  tell('request.received', '2');
  tell('sent.received', 's');
  for (let number = 0; number < 2_000; number++) tell('image.deleted', `key ${number}`);
  await expect
    .poll(received)
    .toMatchObject([
      {},
      {},
      { event: 'resync' },
      { event: 'request.received', data: '{"keys":["2"]}' },
      { event: 'sent.received', data: '{"keys":["s"]}' },
    ]);
});

it('sends nothing that its client may no longer see, and ends when that can’t be decided', async () => {
  const refused = open(async (kind) => kind !== 'job.changed');
  refused.tell('job.changed', 'backup');
  refused.tell('image.created', 'a');
  await expect.poll(refused.received).toMatchObject([{ event: 'image.created' }]);
  const failing = open(() => Promise.reject(new Error('the database is down')));
  failing.tell('image.created', 'a');
  await expect.poll(() => failing.response.destroyed).toBe(true);
  expect(failing.received()).toEqual([]);
});
