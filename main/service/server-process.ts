import { EventEmitter } from 'node:events';
import type { ServiceProblem, ServiceStatus } from '#api/desktop.ts';
import type { Clock } from '#main/base/clock.ts';
import type { Launch, ServiceChild } from './server-launch.ts';
import type { ChildConfig, FromService, SessionCookie } from './server-messages.ts';

/** Milliseconds before the first, second, … new start after a failure; the last one repeats. */
export const RESTART_DELAYS = [300, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** How long the service may take until it listens, and (longer than it lets requests finish) until it has ended, in milliseconds. */
export const READY_LIMIT = 30_000;
export const STOP_LIMIT = 12_000;
/** After this long without a failure, delays start small again. */
export const STABLE_AFTER = 60_000;

interface Waiting {
  resolve(cookie: SessionCookie): void;
  reject(error: Error): void;
}

/** The image service as a process of its own: started, started again after a failure with growing delays, and reported on. */
export class ServiceProcess {
  readonly #launch: Launch;
  readonly #clock: Clock;
  readonly #config: ChildConfig;
  readonly #events = new EventEmitter<{ status: [ServiceStatus] }>();
  readonly #sessions = new Map<number, Waiting>();
  #status: ServiceStatus = { state: 'stopped' };
  #child: ServiceChild | undefined;
  #failures = 0;
  #lastSession = 0;
  /** Why the process that is running now will have ended, where that is known beforehand. */
  #problem: ServiceProblem | undefined;
  /** It has said that it ends to be started again. */
  #restarting = false;
  #cancelTimer = (): void => undefined;
  #stopped: PromiseWithResolvers<void> | undefined;

  constructor(launch: Launch, config: ChildConfig, clock: Clock) {
    this.#launch = launch;
    this.#config = { ...config };
    this.#clock = clock;
  }

  status(): ServiceStatus {
    return this.#status;
  }

  /** Returns what ends the subscription. */
  onStatus(listener: (status: ServiceStatus) => void): () => void {
    this.#events.on('status', listener);
    return () => void this.#events.off('status', listener);
  }

  start(): void {
    if (this.#status.state === 'stopped' && !this.#stopped) this.#begin();
  }

  /** Starts at once when it is down, instead of at the end of the delay. */
  retry(): void {
    if (this.#status.state === 'down' && !this.#stopped) this.#begin();
  }

  /** Ends a service that answers wrongly; it is started again after a delay. */
  giveUp(problem: ServiceProblem): void {
    if (!this.#child || this.#status.state !== 'running') return;
    this.#problem = problem;
    this.#child.kill();
  }

  /** Creates the owner if there is none yet, and a session for them. Rejects when the service refuses or ends. */
  openSession(username: string): Promise<SessionCookie> {
    if (!this.#child || this.#status.state !== 'running') return Promise.reject(new Error('The service is not running.'));
    const { promise, resolve, reject } = Promise.withResolvers<SessionCookie>();
    this.#lastSession += 1;
    this.#sessions.set(this.#lastSession, { resolve, reject });
    this.#child.send({ type: 'open-session', id: this.#lastSession, username });
    return promise;
  }

  /** Lets it finish what it is doing, within a limit. Never rejects. */
  stop(): Promise<void> {
    if (this.#stopped) return this.#stopped.promise;
    this.#stopped = Promise.withResolvers<void>();
    this.#cancelTimer();
    const child = this.#child;
    if (child) {
      child.send({ type: 'stop' });
      this.#cancelTimer = this.#clock.after(STOP_LIMIT, () => child.kill());
    } else {
      this.#become({ state: 'stopped' });
      this.#stopped.resolve();
    }
    return this.#stopped.promise;
  }

  #become(status: ServiceStatus) {
    this.#status = status;
    this.#events.emit('status', status);
  }

  #begin() {
    this.#cancelTimer();
    this.#become({ state: 'starting' });
    this.#problem = undefined;
    this.#restarting = false;
    const child = this.#launch();
    this.#child = child;
    this.#cancelTimer = this.#clock.after(READY_LIMIT, () => {
      this.#problem = { code: 'no_answer', detail: `The service did not answer within ${READY_LIMIT / 1000} seconds.` };
      child.kill();
    });
    child.onMessage((message) => this.#receive(message));
    child.onExit((how) => this.#ended(this.#problem ?? { code: 'ended', detail: how }));
    child.send({ type: 'start', config: this.#config });
  }

  #receive(message: FromService) {
    if (message.type === 'failed') {
      this.#problem = message.problem;
      return;
    }
    if (message.type === 'restarting') return this.#awaitRestart();
    if (message.type === 'ready') return this.#ready(message.url, message.linkAddress);
    const waiting = this.#sessions.get(message.id);
    this.#sessions.delete(message.id);
    if (message.type === 'session') waiting?.resolve(message.cookie);
    else waiting?.reject(new Error(message.message));
  }

  #ready(url: string, linkAddress: string) {
    if (this.#stopped) return;
    this.#cancelTimer();
    // Links that were copied must keep working after a restart: a port that the system chose is kept.
    this.#config.port = Number(new URL(url).port);
    this.#cancelTimer = this.#clock.after(STABLE_AFTER, () => {
      this.#failures = 0;
    });
    this.#become({ state: 'running', url, linkAddress });
  }

  #awaitRestart() {
    if (this.#stopped) return;
    this.#restarting = true;
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(STOP_LIMIT, () => this.#child?.kill());
    this.#become({ state: 'starting' });
  }

  #ended(problem: ServiceProblem) {
    this.#cancelTimer();
    this.#child = undefined;
    for (const waiting of this.#sessions.values()) waiting.reject(new Error(problem.detail));
    this.#sessions.clear();
    if (this.#stopped) {
      this.#become({ state: 'stopped' });
      return this.#stopped.resolve();
    }
    if (this.#restarting) return this.#begin();
    const delay = RESTART_DELAYS[Math.min(this.#failures, RESTART_DELAYS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#cancelTimer = this.#clock.after(delay, () => this.#begin());
    this.#become({ state: 'down', problem, retryAt: this.#clock.now() + delay });
  }
}
