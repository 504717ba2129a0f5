import { EventEmitter } from 'node:events';
import { askOnce, type OpenedRequest, openRequest } from '#api/auth/device-flow.ts';
import { SLOW_DOWN_SECONDS } from '#api/auth/devices.ts';
import { ApiError, NetworkError } from '#api/client.ts';
import type { JoinProblem, JoinState } from '#api/desktop/joining.ts';
import type { Clock } from '#main/base/clock.ts';
import type { JoinedRole } from '#main/base/role.ts';
import { mayLackLocalNetwork } from '#main/base/system/local-network.ts';
import { type HostIdentity, hostAddress, hostClient, identify, revokeOnHost } from './host-client.ts';

/** Asks a host for a token, as RFC 8628 describes it (decision 062). */
export interface Joining {
  state(): JoinState;
  /**
   * Replaces an earlier request. Resolves once the code is there, or the request has failed.
   * @param known the only host that is asked, whose account needs no confirmation; default: any
   */
  start(address: string, known?: Pick<JoinedRole, 'id' | 'username'>): Promise<void>;
  /** Uses the host that has approved: any device on the network can claim a name and approve itself, so a person looks first. */
  confirm(): void;
  /** Gives up, and revokes a token that was approved, but not confirmed. */
  cancel(): void;
  /** Returns a function that ends the subscription. */
  onChange(listener: (state: JoinState) => void): () => void;
}

interface Options {
  /** This computer's name. */
  device: string;
  clock: Clock;
  /** Called once a user of the host has approved, and the user of this computer has confirmed. */
  onConfirmed(host: JoinedRole, token: string): void;
}

class JoinFailure extends Error {
  readonly problem: JoinProblem;

  constructor(problem: JoinProblem) {
    super(problem);
    this.problem = problem;
  }
}

export function createJoining({ device, clock, onConfirmed }: Options): Joining {
  const events = new EventEmitter<{ change: [JoinState] }>();
  let state: JoinState = { state: 'idle' };
  /** Numbers the requests, so that a late response of an earlier one counts for nothing. */
  let turn = 0;
  let cancelPoll = (): void => undefined;
  let approved: { host: JoinedRole; token: string } | undefined;

  function become(next: JoinState) {
    state = next;
    events.emit('change', next);
  }

  function fail(error: unknown) {
    const problem = problemOf(error);
    if (problem === 'failed') console.error('Couldn’t join the host:', error);
    become({ state: 'failed', problem, detail: error instanceof ApiError ? error.message : '' });
  }

  async function open(url: string, id: string | undefined): Promise<{ identity: HostIdentity; request: OpenedRequest }> {
    const identity = await identify(url);
    if (!identity) throw new JoinFailure('not_pixdock');
    if (id !== undefined && identity.instance_id !== id) throw new JoinFailure('other_host');
    if (identity.setup_required) throw new JoinFailure('not_set_up');
    const request = (scope: 'device' | 'upload') => openRequest(hostClient(url), { name: device, scope });
    // Hosts before 0.6 know no tokens for devices.
    const isUnknown = (error: unknown) => error instanceof ApiError && error.code === 'invalid_request' && error.details.field === 'scope';
    const opened = await request('device').catch((error: unknown) => (isUnknown(error) ? request('upload') : Promise.reject(error)));
    return { identity, request: opened };
  }

  function poll(url: string, { device_code, expires_in, interval }: OpenedRequest, identity: HostIdentity, username: string | undefined) {
    const mine = turn;
    const deadline = clock.now() + expires_in * 1000;

    const ask = async (seconds: number) => {
      const result = await askOnce(hostClient(url), device_code);
      if (mine !== turn) {
        if (result !== 'unreachable' && result.state === 'approved') giveBack(url, result.token);
        return;
      }
      if (result === 'unreachable' || result.state === 'pending' || result.state === 'slow_down') {
        if (clock.now() >= deadline) return fail(new JoinFailure('expired'));
        return plan(result !== 'unreachable' && result.state === 'slow_down' ? seconds + SLOW_DOWN_SECONDS : seconds);
      }
      if (result.state !== 'approved') return fail(new JoinFailure(result.state));
      turn += 1;
      const host: JoinedRole = { kind: 'joined', id: identity.instance_id, name: identity.site_name, url, username: result.username };
      approved = { host, token: result.token };
      if (host.username === username) confirm();
      else become({ state: 'approved', host: host.name, url, username: host.username });
    };
    const plan = (seconds: number) => {
      cancelPoll = clock.after(seconds * 1000, () => void ask(seconds).catch((error: unknown) => mine === turn && fail(error)));
    };
    plan(interval);
  }

  function confirm() {
    if (!approved) return;
    const { host, token } = approved;
    approved = undefined;
    onConfirmed(host, token);
    become({ state: 'joined' });
  }

  function cancel() {
    turn += 1;
    cancelPoll();
    if (approved) {
      const { host, token } = approved;
      approved = undefined;
      giveBack(host.url, token);
    }
    if (state.state !== 'joined') become({ state: 'idle' });
  }

  return {
    state: () => state,
    confirm,
    cancel,
    async start(address, known) {
      cancel();
      const mine = turn;
      const url = hostAddress(address);
      if (!url) return fail(new JoinFailure('address'));
      become({ state: 'asking' });
      try {
        const { identity, request } = await open(url, known?.id);
        if (mine !== turn) return;
        become({ state: 'waiting', host: identity.site_name, code: request.user_code, verifyUrl: request.verify_url });
        poll(url, request, identity, known?.username);
      } catch (error) {
        if (mine === turn) fail(error);
      }
    },
    onChange(listener) {
      events.on('change', listener);
      return () => void events.off('change', listener);
    },
  };
}

function giveBack(url: string, token: string) {
  revokeOnHost(url, token).catch((error: unknown) => console.error('Couldn’t revoke an unused token on the host:', error));
}

function problemOf(error: unknown): JoinProblem {
  if (error instanceof JoinFailure) return error.problem;
  if (error instanceof ApiError) return error.status === 404 ? 'not_pixdock' : error.status === 429 ? 'busy' : 'failed';
  if (mayLackLocalNetwork(error)) return 'local_network';
  if (error instanceof NetworkError) return error.status === undefined ? 'unreachable' : 'not_pixdock';
  return 'failed';
}
