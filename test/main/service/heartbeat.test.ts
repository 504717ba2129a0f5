import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ServiceStatus } from '#api/desktop/service.ts';
import { BEAT_EVERY_MS, MAX_MISSED, watchHeartbeat } from '#main/service/heartbeat.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

const running: ServiceStatus = { state: 'running', url: 'http://127.0.0.1:7410', linkAddress: 'http://desk.local:7410' };
const events = new EventEmitter<{ status: [ServiceStatus] }>();
const ask = vi.fn<(url: string) => Promise<unknown>>();
const giveUp = vi.fn();
let clock: FakeClock;
let status: ServiceStatus;

beforeEach(() => {
  events.removeAllListeners();
  ask.mockReset();
  giveUp.mockReset();
  clock = new FakeClock();
  watchHeartbeat({
    service: {
      status: () => status,
      onStatus: (listener) => {
        events.on('status', listener);
        return () => undefined;
      },
      giveUp,
    },
    clock,
    ask,
  });
  become(running);
});

function become(next: ServiceStatus) {
  status = next;
  events.emit('status', next);
}

/** Passes the time until the next questions, and waits for what follows. */
async function beats(count: number) {
  for (let beat = 0; beat < count; beat += 1) {
    clock.pass(BEAT_EVERY_MS);
    await new Promise(setImmediate);
  }
}

test('gives up on a service that misses several pings in a row, with the reason', async () => {
  ask.mockRejectedValue(new Error('timeout'));
  await beats(MAX_MISSED - 1);
  expect(giveUp).not.toHaveBeenCalled();
  await beats(1);
  expect(giveUp).toHaveBeenCalledExactlyOnceWith({ code: 'hung', detail: 'The service stopped responding.' });
  expect(ask).toHaveBeenCalledWith(running.url);
});

test('starts counting again after a response', async () => {
  for (let round = 0; round < 3; round += 1) {
    ask.mockRejectedValue(new Error('timeout'));
    await beats(MAX_MISSED - 1);
    ask.mockResolvedValue(undefined);
    await beats(1);
  }
  expect(giveUp).not.toHaveBeenCalled();
});

test('asks nothing while the service is down', async () => {
  become({ state: 'starting' });
  await beats(MAX_MISSED);
  expect(ask).not.toHaveBeenCalled();
});

test('ignores a question that was put to a service that has ended since', async () => {
  const late = Promise.withResolvers<never>();
  ask.mockRejectedValue(new Error('timeout'));
  await beats(MAX_MISSED - 1);
  ask.mockReturnValueOnce(late.promise);
  clock.pass(BEAT_EVERY_MS);
  become({ state: 'starting' });
  late.reject(new Error('gone'));
  await new Promise(setImmediate);
  expect(giveUp).not.toHaveBeenCalled();
});
