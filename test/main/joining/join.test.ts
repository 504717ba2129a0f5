import { createServer } from 'node:http';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { decideDeviceRequest } from '#api/auth/devices.ts';
import { listTokens, revokeToken } from '#api/auth/tokens.ts';
import type { JoinState } from '#api/desktop/joining.ts';
import { Reason } from '#main/base/reasons.ts';
import type { JoinedRole } from '#main/base/role.ts';
import { revokeOnHost } from '#main/joining/host-client.ts';
import { createJoining, type Joining } from '#main/joining/join.ts';
import { createJoinedAccount, type JoinedAccount, LOOK_AGAIN_AFTER_MS } from '#main/joining/joined-account.ts';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

let service: TestService;
let owner: SignedIn;
let clock: FakeClock;
let joining: Joining;
let approved: { host: JoinedRole; token: string } | undefined;

beforeEach(async () => {
  // The service counts the seconds between polls by the system's time.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  clock = new FakeClock();
  approved = undefined;
  joining = createJoining({
    device: 'desk',
    clock,
    onConfirmed: (host, token) => {
      approved = { host, token };
    },
  });
});

/** Lets time pass for the app and the service, until the request is in one of the states. */
async function until(...states: JoinState['state'][]) {
  const state = () => {
    // While a question is on its way, time stands still: a request expires after ten minutes.
    if (clock.isAwaited()) {
      vi.setSystemTime(Date.now() + 10_000);
      clock.pass(10_000);
    }
    return joining.state().state;
  };
  await expect.poll(state).toBeOneOf(states);
}

function code(): string {
  const state = joining.state();
  if (state.state !== 'waiting') throw new Error(JSON.stringify(state));
  return state.code;
}

const decide = (decision: 'approve' | 'deny') => owner.client.call(decideDeviceRequest, { body: { user_code: code(), decision } });

async function join(): Promise<NonNullable<typeof approved>> {
  owner = await setUp(service);
  await joining.start(service.url);
  await decide('approve');
  await until('approved');
  joining.confirm();
  if (!approved) throw new Error('not approved');
  return approved;
}

/** From then on, connections fail as on a Mac whose user hasn't allowed the app to use the local network. */
function withoutLocalNetwork() {
  const cause = Object.assign(new Error('connect EHOSTUNREACH 192.168.1.20:7410'), { code: 'EHOSTUNREACH' });
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }));
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  onTestFinished(() => void vi.restoreAllMocks());
}

describe('a request for access', () => {
  test('names the permission that macOS may require, and elsewhere a server that doesn’t respond', async () => {
    withoutLocalNetwork();
    await joining.start('192.168.1.20');
    expect(joining.state()).toEqual({ state: 'failed', problem: 'local_network', detail: '' });
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    await joining.start('192.168.1.20');
    expect(joining.state()).toMatchObject({ problem: 'unreachable' });
  });

  test('ends with the host and a token of the approving user', async () => {
    const { host, token } = await join();
    expect(host).toEqual({ kind: 'joined', id: expect.any(String), name: 'Pixdock', url: service.url, username: 'ada' });
    expect(token).toMatch(/^pxd_/);
    expect((await owner.client.call(listTokens, { query: {} })).items).toMatchObject([{ name: 'desk', scope: 'device' }]);
  });

  test('asks a host that doesn’t know tokens for devices for one that only uploads', async () => {
    const { fetch } = globalThis;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      // As 0.5 responds.
      if (!String(init?.body ?? '').includes('"device"')) return fetch(input, init);
      const data = { code: 'invalid_request', retry: 'never', field: 'scope' };
      return Response.json({ status: false, message: 'The field “scope” isn’t valid.', data }, { status: 400 });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await join();
    expect((await owner.client.call(listTokens, { query: {} })).items).toMatchObject([{ name: 'desk', scope: 'upload' }]);
  });

  test('waits until this computer’s user has confirmed', async () => {
    owner = await setUp(service);
    await joining.start(service.url);
    await decide('approve');
    await until('approved');
    expect(joining.state()).toEqual({ state: 'approved', host: 'Pixdock', url: service.url, username: 'ada' });
    expect(approved).toBeUndefined();
  });

  test('gives its token back when it is cancelled', async () => {
    owner = await setUp(service);
    await joining.start(service.url);
    await decide('approve');
    await until('approved');
    joining.cancel();
    expect(joining.state()).toEqual({ state: 'idle' });
    await expect.poll(async () => (await owner.client.call(listTokens, { query: {} })).items).toEqual([]);
    joining.confirm();
    expect(approved).toBeUndefined();
  });

  test('to a known host needs no confirmation, unless another account has approved', async () => {
    const { host } = await join();
    await joining.start(service.url, { id: host.id, username: 'eve' });
    await decide('approve');
    await until('approved');
    approved = undefined;
    await joining.start(service.url, host);
    await decide('approve');
    await until('joined');
    expect(approved).toMatchObject({ host: { username: 'ada' } });
  });

  test('says that it was denied', async () => {
    owner = await setUp(service);
    await joining.start(service.url);
    await decide('deny');
    await until('failed');
    expect(joining.state()).toMatchObject({ problem: 'denied' });
    expect(approved).toBeUndefined();
  });

  test('survives a restart of the host', async () => {
    owner = await setUp(service);
    await joining.start(service.url);
    const before = code();
    await service.restart();
    expect(code()).toBe(before);
    await decide('approve');
    await until('approved');
  });

  test('counts for nothing once it is cancelled', async () => {
    owner = await setUp(service);
    await joining.start(service.url);
    const user_code = code();
    joining.cancel();
    expect(joining.state()).toEqual({ state: 'idle' });
    await owner.client.call(decideDeviceRequest, { body: { user_code, decision: 'approve' } });
    clock.pass(60_000);
    expect(joining.state()).toEqual({ state: 'idle' });
    expect(approved).toBeUndefined();
  });

  test.each([
    ['not an address', 'address'],
    ['http://127.0.0.1:1', 'unreachable'],
  ])('to %s fails: %s', async (address, problem) => {
    await joining.start(address);
    expect(joining.state()).toMatchObject({ state: 'failed', problem });
  });

  test('to a Pixdock without accounts, and to another server, fails', async () => {
    await joining.start(service.url);
    expect(joining.state()).toMatchObject({ state: 'failed', problem: 'not_set_up' });
    const other = createServer((_request, response) => response.end('<h1>It works!</h1>')).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    await joining.start(`127.0.0.1:${(other.address() as { port: number }).port}`);
    expect(joining.state()).toMatchObject({ state: 'failed', problem: 'not_pixdock' });
  });
});

describe('the account on a joined host', () => {
  async function joinedAccount(): Promise<JoinedAccount> {
    const { host, token } = await join();
    const account = createJoinedAccount({ host, token, clock, revoke: revokeOnHost });
    await account.access();
    return account;
  }

  test('gives access with the token, under an id that doesn’t depend on the address', async () => {
    const account = await joinedAccount();
    expect(account.state()).toBe('ready');
    expect(account.id()).toMatch(/^host:[\w-]{22}$/);
    expect(await account.access()).toEqual({
      url: service.url,
      headers: { authorization: `Bearer ${approved?.token}` },
      linkAddress: service.url,
    });
  });

  test('waits while the host is away, and notices automatically that it is back', async () => {
    const account = await joinedAccount();
    const { port } = new URL(service.url);
    await service.stop();
    clock.pass(LOOK_AGAIN_AFTER_MS + 1);
    await expect(account.access()).rejects.toEqual(new Reason('hostUnreachable'));
    expect(account.condition()).toBe('waiting');
    const back = await startTestService({ dataDir: service.dataDir, port: Number(port) });
    onTestFinished(() => back.stop());
    const condition = () => {
      clock.pass(LOOK_AGAIN_AFTER_MS);
      return account.condition();
    };
    await expect.poll(condition).toBe('ready');
  });

  test('waits for a permission of macOS, and says so', async () => {
    const account = await joinedAccount();
    withoutLocalNetwork();
    clock.pass(LOOK_AGAIN_AFTER_MS + 1);
    await expect(account.access()).rejects.toEqual(new Reason('localNetworkBlocked'));
    expect([account.condition(), account.state()]).toEqual(['blocked', 'waiting']);
    vi.restoreAllMocks();
    await account.access();
    expect(account.condition()).toBe('ready');
  });

  test('is refused once its token is revoked, until it gets another one', async () => {
    const account = await joinedAccount();
    const [token] = (await owner.client.call(listTokens, { query: {} })).items;
    await owner.client.call(revokeToken, { params: { id: String(token?.id) } });
    await expect(account.renew()).rejects.toEqual(new Reason('tokenRevoked'));
    expect(account.condition()).toBe('revoked');
    expect(account.whyWaiting?.()).toEqual(new Reason('tokenRevoked'));
    account.connect(account.host(), await owner.token('upload'));
    await account.access();
    expect(account.state()).toBe('ready');
  });

  test('never sends its token to another Pixdock at the address, and names the reason', async () => {
    const { host, token } = await join();
    const seen: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: true, data: { instance_id: 'another', site_name: 'Pixdock', setup_required: false } }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const url = `http://127.0.0.1:${(other.address() as { port: number }).port}`;
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => log.mockRestore());

    const account = createJoinedAccount({ host: { ...host, url }, token, clock, revoke: revokeOnHost });
    await expect(account.access()).rejects.toEqual(new Reason('hostDiffers'));
    expect(account.condition()).toBe('waiting');
    expect(account.whyWaiting?.()).toEqual(new Reason('hostDiffers'));
    await account.leave();
    expect(log).toHaveBeenCalledOnce();
    await joining.start(url, host);
    expect(joining.state()).toMatchObject({ state: 'failed', problem: 'other_host' });
    expect(seen).toEqual([undefined, undefined, undefined]);
  });

  test('revokes its token when it is left, and fails silently where the host is away', async () => {
    const account = await joinedAccount();
    await account.leave();
    expect((await owner.client.call(listTokens, { query: {} })).items).toEqual([]);

    const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const other = createJoinedAccount({ host: account.host(), token: await owner.token('upload'), clock, revoke: revokeOnHost });
    await other.access();
    await service.stop();
    await other.leave();
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
  });

  test('without a readable token, it has to be connected again', async () => {
    const { host } = await join();
    const account = createJoinedAccount({ host, token: undefined, clock, revoke: revokeOnHost });
    expect(account.condition()).toBe('revoked');
    await expect(account.access()).rejects.toEqual(new Reason('tokenRevoked'));
  });
});
