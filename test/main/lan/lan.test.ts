import { beforeEach, describe, expect, test } from 'vitest';
import type { LanStatus } from '#api/desktop/lan.ts';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import type { ServiceStatus } from '#api/desktop/service.ts';
import type { Announcement } from '#main/lan/announce.ts';
import { ANNOUNCE_AGAIN_MS, CLOSE_LIMIT_MS, Lan, LOOK_EVERY_MS, VISIT_LIMIT_MS } from '#main/lan/lan.ts';
import type { Remembered } from '#main/lan/memory.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

const DOWN: ServiceStatus = { state: 'down', problem: { code: 'ended', detail: 'It ended.' }, retryAt: null };

/** A service whose address the test moves, as the real one does. */
class FakeService {
  host = '127.0.0.1';
  lanHost = '192.168.1.5';
  baseUrl: string | undefined;
  refuses: string | undefined;
  now: ServiceStatus = DOWN;
  awaited = 0;
  ports: number[] = [];
  allowed: readonly string[] = [];
  #listeners: ((status: ServiceStatus) => void)[] = [];
  #visit: (from: string) => void = () => undefined;

  status = () => this.now;
  onStatus = (listener: (status: ServiceStatus) => void) => {
    this.#listeners.push(listener);
    return () => undefined;
  };
  onVisit = (listener: (from: string) => void) => {
    this.#visit = listener;
  };
  awaitVisitor = () => {
    this.awaited += 1;
  };
  countImages = async () => 3;
  allowHosts = (hosts: readonly string[]) => {
    this.allowed = hosts;
  };
  restartOnPort = (port: number) => void this.ports.push(port);

  async listenOn(host: string) {
    if (this.refuses && host === '0.0.0.0') throw new Error(this.refuses);
    this.host = host;
    if (this.now.state === 'running') this.run();
  }

  async chooseAddress(host: string) {
    this.lanHost = host;
    this.run();
  }

  run(port = 7410) {
    const host = this.host === '0.0.0.0' ? this.lanHost : '127.0.0.1';
    this.become({ state: 'running', url: `http://127.0.0.1:${port}`, linkAddress: this.baseUrl ?? `http://${host}:${port}` });
  }

  become(status: ServiceStatus) {
    this.now = status;
    for (const listener of this.#listeners) listener(status);
  }

  visit(from: string) {
    this.#visit(from);
  }
}

function fakePreferences(lan: boolean) {
  let current: Preferences = { ...DEFAULT_PREFERENCES, lan };
  const listeners: ((next: Preferences) => void)[] = [];
  return {
    get: () => current,
    set(change: Partial<Preferences>) {
      current = { ...current, ...change };
      for (const listener of listeners) listener(current);
    },
    onChange: (listener: (next: Preferences) => void) => void listeners.push(listener),
  };
}

let service: FakeService;
let clock: FakeClock;
let addresses: { address: string; adapter: string }[];
let memory: Remembered;
let announced: Announcement[];
let withdrawn: number;
let takenNames: string[];
let neverEnds: boolean;
let seen: LanStatus[];

beforeEach(() => {
  service = new FakeService();
  clock = new FakeClock();
  addresses = [{ address: '192.168.1.5', adapter: 'eth0' }];
  memory = { id: 'me', port: null, label: 'pixdock', reached: null };
  announced = [];
  withdrawn = 0;
  takenNames = [];
  neverEnds = false;
  seen = [];
});

async function shared(options: { on?: boolean; host?: string } = {}) {
  const preferences = fakePreferences(options.on ?? true);
  const lan = new Lan({
    service,
    preferences,
    memory: {
      get: () => memory,
      set(change) {
        memory = { ...memory, ...change };
      },
    },
    fixed: { host: options.host },
    port: 7410,
    name: 'Pixdock on desk',
    clock,
    addresses: async () => addresses,
    async announce(announcement) {
      announced.push(announcement);
      const free = ['pixdock', 'pixdock-2', 'photos'].find((name) => name.startsWith(announcement.label) && !takenNames.includes(name));
      if (!free) throw new Error('All names are taken.');
      const stop = async () => {
        withdrawn += 1;
        if (neverEnds) await new Promise(() => undefined);
      };
      return { host: `${free}.local`, stop };
    },
    describe: (error) => `In the user’s words: ${(error as Error).message}`,
  });
  lan.onChange((status) => seen.push(status));
  if (options.on ?? true) service.host = '0.0.0.0';
  service.run();
  await lan.start();
  return { lan, preferences };
}

test('off: nothing is announced or awaited, and links lead to this computer', async () => {
  const { lan } = await shared({ on: false });
  expect(lan.status()).toMatchObject({ on: false, reach: 'off', linkAddress: 'http://127.0.0.1:7410', choices: [], missing: null });
  expect([announced.length, service.awaited]).toEqual([0, 0]);
});

test('the switch moves the service, announces it and awaits a visit', async () => {
  const { lan, preferences } = await shared({ on: false });
  preferences.set({ lan: true });
  await expect.poll(() => lan.status()).toMatchObject({ reach: 'unconfirmed', announced: 'pixdock.local' });
  expect(service.host).toBe('0.0.0.0');
  expect(lan.status().choices).toEqual([
    { host: 'pixdock.local', kind: 'announced', url: 'http://pixdock.local:7410' },
    { host: '192.168.1.5', kind: 'ip', url: 'http://192.168.1.5:7410' },
  ]);
  expect(announced[0]).toMatchObject({ name: 'Pixdock on desk', label: 'pixdock', id: 'me', port: 7410, adapters: ['eth0'] });
  expect(service.awaited).toBeGreaterThan(0);
});

test('turned off, the switch withdraws the announcement and moves the service back', async () => {
  const { lan, preferences } = await shared();
  await expect.poll(() => lan.status().announced).toBe('pixdock.local');
  preferences.set({ lan: false });
  await expect.poll(() => lan.status()).toMatchObject({ reach: 'off', announced: null });
  expect([service.host, withdrawn]).toEqual(['127.0.0.1', 1]);
});

test('where the service cannot listen on the network, the switch goes back and the reason is shown', async () => {
  const { lan, preferences } = await shared({ on: false });
  service.refuses = 'Another program is using port 7410.';
  preferences.set({ lan: true });
  await expect.poll(() => lan.status().problem).toBe('Another program is using port 7410.');
  expect(preferences.get().lan).toBe(false);
});

test('a visit confirms it; the confirmation is remembered for this address and port', async () => {
  const { lan } = await shared();
  service.visit('192.168.1.23');
  expect(lan.status()).toMatchObject({ reach: 'reached', reachedBy: '192.168.1.23' });
  clock.pass(VISIT_LIMIT_MS);
  expect(lan.status().reach).toBe('reached');
  const again = await shared();
  expect(again.lan.status()).toMatchObject({ reach: 'reached', reachedBy: '192.168.1.23' });
  addresses = [{ address: '10.0.0.9', adapter: 'eth0' }];
  await again.lan.refresh();
  expect(again.lan.status()).toMatchObject({ reach: 'unconfirmed', reachedBy: null });
});

test('after a minute without a visit it is unreached, until one comes', async () => {
  const { lan } = await shared();
  clock.pass(VISIT_LIMIT_MS - 1);
  expect(lan.status().reach).toBe('unconfirmed');
  clock.pass(1);
  expect(seen.at(-1)?.reach).toBe('unreached');
  service.visit('192.168.1.23');
  expect(seen.at(-1)?.reach).toBe('reached');
});

test('a restarted service is told again to await a visit', async () => {
  await shared();
  const before = service.awaited;
  service.become(DOWN);
  service.run();
  expect(service.awaited).toBeGreaterThan(before);
});

describe('on another network', () => {
  async function moved() {
    const { lan } = await shared();
    await expect.poll(() => lan.status().announced).toBe('pixdock.local');
    addresses = [{ address: '10.0.0.9', adapter: 'eth0' }];
    clock.pass(LOOK_EVERY_MS);
    return lan;
  }

  test('offers the new address', async () => {
    const lan = await moved();
    await expect.poll(() => lan.status().choices.map(({ host }) => host)).toContain('10.0.0.9');
  });

  test('announces again', async () => {
    await moved();
    await expect.poll(() => announced).toHaveLength(2);
  });

  test('reports that links have lost their address', async () => {
    const lan = await moved();
    await expect.poll(() => lan.status().missing).toBe('192.168.1.5');
  });
});

test('without a network, announces nothing', async () => {
  const { lan } = await shared();
  await expect.poll(() => lan.status().announced).toBe('pixdock.local');
  addresses = [];
  clock.pass(LOOK_EVERY_MS);
  await expect.poll(() => lan.status()).toMatchObject({ reach: 'noNetwork', announced: null, missing: null });
});

test('announces again after the computer slept, though nothing has changed', async () => {
  const { lan } = await shared();
  await expect.poll(() => announced).toHaveLength(1);
  await lan.refresh();
  await lan.refresh(true);
  await expect.poll(() => announced).toHaveLength(2);
  expect(withdrawn).toBe(1);
});

test('a name that another device has got: links that use it are reported, and the other name is offered', async () => {
  takenNames = ['pixdock'];
  service.lanHost = 'pixdock.local';
  const { lan } = await shared();
  await expect.poll(() => lan.status()).toMatchObject({ announced: 'pixdock-2.local', missing: 'pixdock.local' });
});

test('a conflict after the announcement makes a new one', async () => {
  const { lan } = await shared();
  await expect.poll(() => lan.status().announced).toBe('pixdock.local');
  takenNames = ['pixdock'];
  announced[0]?.onConflict?.();
  await expect.poll(() => lan.status().announced).toBe('pixdock-2.local');
});

test('the service accepts the announced name and no other, while it is announced', async () => {
  const { preferences } = await shared({ on: false });
  expect(service.allowed).toEqual([]);
  takenNames = ['pixdock'];
  preferences.set({ lan: true });
  await expect.poll(() => service.allowed).toEqual(['pixdock-2.local']);
  preferences.set({ lan: false });
  await expect.poll(() => service.allowed).toEqual([]);
});

test('shows why nothing is announced, and tries again after a while', async () => {
  takenNames = ['pixdock', 'pixdock-2'];
  const { lan } = await shared();
  await expect.poll(() => lan.status().announceProblem).toBe('In the user’s words: All names are taken.');
  takenNames = [];
  await lan.refresh();
  expect(announced).toHaveLength(1);
  clock.pass(ANNOUNCE_AGAIN_MS);
  await lan.refresh();
  await expect.poll(() => lan.status()).toMatchObject({ announced: 'pixdock.local', announceProblem: null });
  expect(announced).toHaveLength(2);
});

test('a chosen address starts links; a name under .local is announced from then on', async () => {
  const { lan } = await shared();
  await lan.chooseAddress('photos.local');
  expect(lan.status().linkAddress).toBe('http://photos.local:7410');
  await expect.poll(() => lan.status().announced).toBe('photos.local');
  expect(memory.label).toBe('photos');
  await lan.chooseAddress('pics.example.org');
  expect(lan.status()).toMatchObject({ missing: null, announced: 'photos.local' });
  expect(lan.status().choices.at(-1)).toEqual({ host: 'pics.example.org', kind: 'other', url: 'http://pics.example.org:7410' });
});

test('where an admin has set a base URL, addresses are changed there', async () => {
  service.baseUrl = 'https://pics.example.org';
  const { lan } = await shared();
  expect(lan.status()).toMatchObject({ elsewhere: true, missing: null });
  await expect(lan.chooseAddress('192.168.1.5')).rejects.toThrow('linksStartElsewhere');
});

test('another port is remembered and used', async () => {
  const { lan } = await shared();
  lan.choosePort(7500);
  expect([memory.port, service.ports, lan.status().port]).toEqual([7500, [7500], 7500]);
});

test('PIXDOCK_HOST wins over the switch', async () => {
  const { lan, preferences } = await shared({ host: '127.0.0.1', on: false });
  preferences.set({ lan: true });
  expect(lan.status()).toMatchObject({ on: false, fixed: { host: true, port: false }, reach: 'off' });
  expect(service.host).toBe('127.0.0.1');
  expect((await shared({ host: '0.0.0.0' })).lan.status()).toMatchObject({ on: true, reach: 'unconfirmed' });
});

test('closing withdraws the announcement', async () => {
  const { lan } = await shared();
  await expect.poll(() => lan.status().announced).toBe('pixdock.local');
  await lan.close();
  expect(withdrawn).toBe(1);
});

test('closing does not wait longer than its limit for the network', async () => {
  const { lan } = await shared();
  await expect.poll(() => lan.status().announced).toBe('pixdock.local');
  neverEnds = true;
  const closed = lan.close();
  await expect.poll(() => withdrawn).toBe(1);
  clock.pass(CLOSE_LIMIT_MS);
  await closed;
});

describe('sharing because of a link', () => {
  test('turns the switch on, and resolves to the address that others can open', async () => {
    const { lan } = await shared({ on: false });
    service.run();
    expect(lan.status().linkAddress).toBe('http://127.0.0.1:7410');
    expect(await lan.share()).toBe('http://192.168.1.5:7410');
    expect(lan.status().on).toBe(true);
    expect(await lan.share()).toBe('http://192.168.1.5:7410');
  });

  test('says what is in the way', async () => {
    service.refuses = 'The system said no.';
    const { lan } = await shared({ on: false });
    service.run();
    await expect(lan.share()).rejects.toThrow('The system said no.');
    expect(lan.status().on).toBe(false);
    service.refuses = undefined;
    service.lanHost = '127.0.0.1';
    addresses = [];
    await lan.refresh();
    await expect(lan.share()).rejects.toThrow('noNetworkToShare');
    service.baseUrl = 'http://localhost:9';
    service.run();
    await expect(lan.share()).rejects.toThrow('linksStartElsewhere');
  });

  test('can’t do so where the environment decides', async () => {
    const { lan } = await shared({ host: '127.0.0.1' });
    service.run();
    await expect(lan.share()).rejects.toThrow('hostIsFixed');
  });

  test('links that started without a network get an address of the first one', async () => {
    addresses = [];
    service.lanHost = '127.0.0.1';
    service.host = '0.0.0.0';
    const { lan } = await shared();
    service.run();
    expect(lan.status().linkAddress).toBe('http://127.0.0.1:7410');
    addresses = [{ address: '192.168.1.9', adapter: 'eth0' }];
    await lan.refresh();
    await expect.poll(() => lan.status().linkAddress).toBe('http://192.168.1.9:7410');
  });
});
