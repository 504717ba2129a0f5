import { beforeEach, expect, test } from 'vitest';
import type { ServiceStatus } from '#api/desktop/service.ts';
import type { ServiceChild } from '#main/service/server-launch.ts';
import type { FromService, ToService } from '#main/service/server-messages.ts';
import {
  LOOP_FAILURES,
  LOOP_WITHIN,
  READY_LIMIT,
  RESTART_DELAYS,
  ServiceProcess,
  STABLE_AFTER,
  STOP_LIMIT,
} from '#main/service/server-process.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

/** A process that the test controls. */
class FakeChild implements ServiceChild {
  readonly pid = 4711;
  readonly sent: ToService[] = [];
  killed = false;
  say: (message: FromService) => void = () => undefined;
  #exit: (how: string) => void = () => undefined;

  send(message: ToService) {
    this.sent.push(message);
  }

  onMessage(listener: (message: FromService) => void) {
    this.say = listener;
  }

  onExit(listener: (how: string) => void) {
    this.#exit = listener;
  }

  kill() {
    this.killed = true;
    this.end('The service quit unexpectedly (signal SIGKILL).');
  }

  end(how: string) {
    this.#exit(how);
  }

  ready(port = 50_123) {
    this.say({ type: 'ready', url: `http://127.0.0.1:${port}`, linkAddress: 'http://desk.local:7410' });
  }
}

const config = { host: '127.0.0.1', port: 0, dataDir: '/data', trustProxy: [], allowedHosts: [], webRoot: '/web', logLevel: 'info' };
let clock: FakeClock;
let children: FakeChild[];
let seen: ServiceStatus[];
let service: ServiceProcess;
const latest = () => children.at(-1) as FakeChild;

beforeEach(() => {
  clock = new FakeClock();
  children = [];
  seen = [];
  const launch = () => {
    children.push(new FakeChild());
    return latest();
  };
  service = new ServiceProcess(launch, config, clock);
  service.onStatus((status) => seen.push(status));
  service.start();
});

test('is starting, then running with its addresses', () => {
  expect(latest().sent).toEqual([{ type: 'start', config }]);
  latest().ready();
  expect(seen).toEqual([{ state: 'starting' }, { state: 'running', url: 'http://127.0.0.1:50123', linkAddress: 'http://desk.local:7410' }]);
});

test('grows the delay after each failure up to the maximum, and reports the reason and the time of the next try', () => {
  const problem = { code: 'port_in_use', detail: 'Port 7410 is taken.' } as const;
  for (const delay of [...RESTART_DELAYS, RESTART_DELAYS.at(-1) ?? 0]) {
    const started = children.length;
    latest().say({ type: 'failed', problem });
    expect(service.status()).toEqual({ state: 'down', problem, retryAt: clock.now() + delay });
    clock.pass(delay - 1);
    expect(children).toHaveLength(started);
    clock.pass(1);
    expect(children).toHaveLength(started + 1);
  }
});

test('stops restarting a service that keeps failing, until a retry', () => {
  for (let failure = 1; failure < LOOP_FAILURES; failure += 1) {
    latest().end('code 1');
    service.retry();
  }
  latest().ready();
  clock.pass(LOOP_WITHIN); // long enough ago not to count
  for (let failure = 1; failure < LOOP_FAILURES; failure += 1) {
    latest().end('code 1');
    expect(service.status()).toMatchObject({ state: 'down', retryAt: expect.any(Number) });
    service.retry();
  }
  latest().end('code 1');
  expect(service.status()).toMatchObject({ state: 'down', problem: { code: 'ended' }, retryAt: null });
  const started = children.length;
  clock.pass(LOOP_WITHIN);
  expect(children).toHaveLength(started);
  service.retry();
  latest().ready();
  latest().end('code 1');
  expect(service.status()).toMatchObject({ state: 'down', retryAt: expect.any(Number) });
});

test('keeps trying while another program holds the port', () => {
  for (let failure = 0; failure < 2 * LOOP_FAILURES; failure += 1) {
    latest().say({ type: 'failed', problem: { code: 'port_in_use', detail: 'Port 7410 is taken.' } });
    expect(service.status()).toMatchObject({ state: 'down', retryAt: expect.any(Number) });
    service.retry();
  }
});

test('resets the delay after a stable minute', () => {
  latest().end('once');
  clock.pass(RESTART_DELAYS[0]);
  latest().end('twice');
  clock.pass(RESTART_DELAYS[1]);
  latest().ready();
  clock.pass(STABLE_AFTER);
  latest().end('much later');
  expect(service.status()).toMatchObject({ state: 'down', retryAt: clock.now() + RESTART_DELAYS[0] });
});

test('starts immediately on a retry, and cancels the delay', () => {
  latest().end('gone');
  service.retry();
  expect(children).toHaveLength(2);
  clock.pass(RESTART_DELAYS[0]);
  expect(children).toHaveLength(2);
});

test('ignores a retry while the service runs', () => {
  latest().ready();
  service.retry();
  expect(children).toHaveLength(1);
});

test('shows the reason that the service reports, and ends it', () => {
  latest().say({ type: 'failed', problem: { code: 'port_in_use', detail: 'Port 7410 is taken.' } });
  expect(latest().killed).toBe(true);
  expect(service.status()).toMatchObject({ state: 'down', problem: { code: 'port_in_use', detail: 'Port 7410 is taken.' } });
});

test("restarts a service that doesn't respond in time", () => {
  clock.pass(READY_LIMIT);
  expect(children[0]?.killed).toBe(true);
  expect(service.status()).toMatchObject({ state: 'down', problem: { code: 'no_answer' } });
  clock.pass(RESTART_DELAYS[0]);
  expect(children).toHaveLength(2);
});

test('keeps a port chosen by the system for the next start, since links contain it', () => {
  latest().ready(50_999);
  latest().end('killed');
  clock.pass(RESTART_DELAYS[0]);
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, port: 50_999 } }]);
});

test('restarts a service that it had given up on, and reports the reason', () => {
  latest().ready();
  service.giveUp({ code: 'failed', detail: 'The page does not load.' });
  expect(service.status()).toMatchObject({ state: 'down', problem: { detail: 'The page does not load.' } });
  clock.pass(RESTART_DELAYS[0]);
  expect(children).toHaveLength(2);
});

test('matches sessions to requests by number, whatever the order', async () => {
  latest().ready();
  const [first, second] = [service.openSession('ada'), service.openSession('ada')];
  const cookie = (value: string) => ({ name: 's', value, expires: '2027-01-01T00:00:00.000Z' });
  latest().say({ type: 'session', id: 2, cookie: cookie('two') });
  latest().say({ type: 'refused', id: 1, message: 'no' });
  await expect(first).rejects.toThrow('no');
  await expect(second).resolves.toEqual(cookie('two'));
});

test('rejects a session request when the service exits, and while it is down', async () => {
  latest().ready();
  const session = service.openSession('ada');
  latest().end('The service quit unexpectedly (signal SIGKILL).');
  await expect(session).rejects.toThrow('The service quit unexpectedly (signal SIGKILL).');
  await expect(service.openSession('ada')).rejects.toThrow('The service is not running.');
});

test('restarts a service immediately after an announced restart, without counting a failure', () => {
  latest().ready(50_999);
  latest().say({ type: 'restarting' });
  expect(service.status()).toEqual({ state: 'starting' });
  expect(latest().sent.at(-1)).toEqual({ type: 'stop' });
  latest().end('The service quit unexpectedly (code 0).');
  expect(children).toHaveLength(2);
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, port: 50_999 } }]);
  latest().ready(50_999);
  latest().end('a failure');
  expect(service.status()).toMatchObject({ state: 'down', retryAt: clock.now() + RESTART_DELAYS[0] });
});

test("ends a service that announces a restart but doesn't exit", () => {
  latest().ready();
  latest().say({ type: 'restarting' });
  clock.pass(STOP_LIMIT);
  expect(children[0]?.killed).toBe(true);
  expect(children).toHaveLength(2);
});

test("doesn't restart a service that is stopped during a restart", async () => {
  latest().ready();
  latest().say({ type: 'restarting' });
  const stopped = service.stop();
  latest().end('The service quit unexpectedly (code 0).');
  await stopped;
  expect(children).toHaveLength(1);
});

test('asks the service to finish when stopping, waits for its exit, and starts no other', async () => {
  latest().ready();
  const stopped = service.stop();
  expect(latest().sent.at(-1)).toEqual({ type: 'stop' });
  latest().end('The service quit unexpectedly (code 0).');
  await stopped;
  clock.pass(STABLE_AFTER);
  expect(children).toHaveLength(1);
  expect(service.status()).toEqual({ state: 'stopped' });
});

test("kills a service that doesn't finish in time", async () => {
  latest().ready();
  const stopped = service.stop();
  clock.pass(STOP_LIMIT);
  await stopped;
  expect(latest().killed).toBe(true);
});

test('cancels a pending start when stopping', async () => {
  latest().end('gone');
  await service.stop();
  clock.pass(STABLE_AFTER);
  expect(children).toHaveLength(1);
});

test('moves a running service to another address, and starts it there after a failure', async () => {
  latest().ready();
  const moved = service.listenOn('0.0.0.0');
  expect(latest().sent.at(-1)).toEqual({ type: 'listen', id: 1, host: '0.0.0.0' });
  latest().say({ type: 'addressed', id: 1, linkAddress: 'http://192.168.1.5:50123' });
  await moved;
  expect(service.status()).toEqual({ state: 'running', url: 'http://127.0.0.1:50123', linkAddress: 'http://192.168.1.5:50123' });
  latest().end('killed');
  clock.pass(RESTART_DELAYS[0]);
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, host: '0.0.0.0', port: 50_123 } }]);
});

test('stays where it was when the service refuses to move', async () => {
  latest().ready();
  const moved = service.listenOn('0.0.0.0');
  latest().say({ type: 'refused', id: 1, message: 'The port is taken.' });
  await expect(moved).rejects.toThrow('The port is taken.');
  latest().end('killed');
  clock.pass(RESTART_DELAYS[0]);
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, port: 50_123 } }]);
});

test('moves a service that was starting as soon as it runs', async () => {
  await service.listenOn('0.0.0.0');
  expect(latest().sent).toEqual([{ type: 'start', config }]);
  latest().ready();
  expect(latest().sent.at(-1)).toEqual({ type: 'listen', id: 1, host: '0.0.0.0' });
});

test('uses another port after a restart, and ignores that the former start succeeds', () => {
  service.restartOnPort(7411);
  expect(latest().sent.at(-1)).toEqual({ type: 'stop' });
  latest().ready(7410);
  expect(service.status()).toEqual({ state: 'starting' });
  latest().end('The service quit unexpectedly (code 0).');
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, port: 7411 } }]);
});

test('uses another port immediately while it is down', () => {
  latest().say({ type: 'failed', problem: { code: 'port_in_use', detail: 'Port 7410 is taken.' } });
  service.restartOnPort(7411);
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, port: 7411 } }]);
});

test('passes accepted host names on, and keeps them for the next start', () => {
  service.allowHosts(['pixdock.local']);
  expect(latest().sent.at(-1)).toEqual({ type: 'allow-hosts', hosts: ['pixdock.local'] });
  latest().ready();
  latest().end('killed');
  clock.pass(RESTART_DELAYS[0]);
  expect(latest().sent).toEqual([{ type: 'start', config: { ...config, port: 50_123, allowedHosts: ['pixdock.local'] } }]);
});

test('reports an automatic backup that cannot be restored', () => {
  const reasons: string[] = [];
  service.onBackupFault((reason) => reasons.push(reason));
  service.start();
  latest().ready();
  latest().say({ type: 'backup-fault', reason: 'It is damaged.' });
  expect(reasons).toEqual(['It is damaged.']);
});

test('reports visits and the number of pictures', async () => {
  const visits: string[] = [];
  service.onVisit((from) => visits.push(from));
  service.awaitVisitor();
  expect(latest().sent.at(-1)).toMatchObject({ type: 'start' });
  latest().ready();
  service.awaitVisitor();
  expect(latest().sent.at(-1)).toEqual({ type: 'await-visitor' });
  latest().say({ type: 'visited', from: '192.168.1.23' });
  expect(visits).toEqual(['192.168.1.23']);
  const count = service.countImages();
  latest().say({ type: 'images', id: 1, count: 12 });
  expect(await count).toBe(12);
});
