import { EventEmitter } from 'node:events';
import type { ServiceProblem, ServiceStatus } from '#api/desktop.ts';
import type { Clock } from './clock.ts';
import type { Launch, ServiceChild } from './server-launch.ts';
import type { ChildConfig, FromService, SessionCookie } from './server-messages.ts';

/** Milliseconds before the first, second, … new start after a failure; the last one repeats. */
export const RESTART_DELAYS = [300, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** How long the service may take until it listens, and (longer than it lets requests finish) until it has ended, in milliseconds. */
export const READY_LIMIT = 30_000;
export const STOP_LIMIT = 12_000;
/** After this long without a failure, delays start small again. */
export const STABLE_AFTER = 60_000;

/** The image service as main sees it. */
export interface ServiceProcess {
  status(): ServiceStatus;
  /** The process id, for diagnosis; undefined while there is none. */
  pid(): number | undefined;
  /** Returns what ends the subscription. */
  onStatus(listener: (status: ServiceStatus) => void): () => void;
  start(): void;
  /** Starts at once when it is down, instead of at the end of the delay. */
  retry(): void;
  /** Ends a service that answers wrongly; it is started again after a delay. */
  giveUp(problem: ServiceProblem): void;
  /** Creates the owner if there is none yet, and a session for them. Rejects when the service refuses or ends. */
  openSession(username: string): Promise<SessionCookie>;
  /** Lets it finish what it is doing, within a limit. Never rejects. */
  stop(): Promise<void>;
}

interface Waiting {
  resolve(cookie: SessionCookie): void;
  reject(error: Error): void;
}

/** Runs the service as a process of its own: starts it, starts it again after a failure with growing delays, and says so. */
export function createServiceProcess(launch: Launch, initial: ChildConfig, clock: Clock): ServiceProcess {
  const events = new EventEmitter<{ status: [ServiceStatus] }>();
  const sessions = new Map<number, Waiting>();
  const config = { ...initial };
  let status: ServiceStatus = { state: 'stopped' };
  let child: ServiceChild | undefined;
  let failures = 0;
  let lastSession = 0;
  /** Why the process that is running now will have ended, where that is known beforehand. */
  let problem: ServiceProblem | undefined;
  let cancelTimer = (): void => undefined;
  let stopped: PromiseWithResolvers<void> | undefined;

  function become(next: ServiceStatus) {
    status = next;
    events.emit('status', next);
  }

  function begin() {
    cancelTimer();
    become({ state: 'starting' });
    const started = launch();
    child = started;
    problem = undefined;
    cancelTimer = clock.after(READY_LIMIT, () => {
      problem = { code: 'no_answer', detail: `The service did not answer within ${READY_LIMIT / 1000} seconds.` };
      started.kill();
    });
    started.onMessage((message) => {
      if (message.type === 'failed') problem = message.problem;
      else receive(message);
    });
    started.onExit((how) => ended(problem ?? { code: 'ended', detail: how }));
    started.send({ type: 'start', config });
  }

  function receive(message: Exclude<FromService, { type: 'failed' }>) {
    if (message.type === 'ready') return ready(message.url, message.linkAddress);
    const waiting = sessions.get(message.id);
    sessions.delete(message.id);
    if (message.type === 'session') waiting?.resolve(message.cookie);
    else waiting?.reject(new Error(message.message));
  }

  function ready(url: string, linkAddress: string) {
    if (stopped) return;
    cancelTimer();
    // Links that were copied must keep working after a restart: a port that the system chose is kept.
    config.port = Number(new URL(url).port);
    cancelTimer = clock.after(STABLE_AFTER, () => {
      failures = 0;
    });
    become({ state: 'running', url, linkAddress });
  }

  function ended(problem: ServiceProblem) {
    cancelTimer();
    child = undefined;
    for (const waiting of sessions.values()) waiting.reject(new Error(problem.detail));
    sessions.clear();
    if (stopped) {
      become({ state: 'stopped' });
      return stopped.resolve();
    }
    const delay = RESTART_DELAYS[Math.min(failures, RESTART_DELAYS.length - 1)] ?? 0;
    failures += 1;
    cancelTimer = clock.after(delay, begin);
    become({ state: 'down', problem, retryAt: clock.now() + delay });
  }

  return {
    status: () => status,
    pid: () => child?.pid,
    onStatus(listener) {
      events.on('status', listener);
      return () => void events.off('status', listener);
    },
    start() {
      if (status.state === 'stopped' && !stopped) begin();
    },
    retry() {
      if (status.state === 'down') begin();
    },
    giveUp(reason) {
      if (!child || status.state !== 'running') return;
      problem = reason;
      child.kill();
    },
    openSession(username) {
      const { promise, resolve, reject } = Promise.withResolvers<SessionCookie>();
      if (!child || status.state !== 'running') return Promise.reject(new Error('The service is not running.'));
      lastSession += 1;
      sessions.set(lastSession, { resolve, reject });
      child.send({ type: 'open-session', id: lastSession, username });
      return promise;
    },
    stop() {
      if (stopped) return stopped.promise;
      stopped = Promise.withResolvers<void>();
      cancelTimer();
      if (!child) {
        become({ state: 'stopped' });
        stopped.resolve();
        return stopped.promise;
      }
      const ending = child;
      ending.send({ type: 'stop' });
      cancelTimer = clock.after(STOP_LIMIT, () => ending.kill());
      return stopped.promise;
    },
  };
}
