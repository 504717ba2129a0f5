import { EventEmitter } from 'node:events';
import type { AccountChoice } from '#api/desktop/account.ts';
import type { ServiceProblem, ServiceStatus } from '#api/desktop/service.ts';
import type { TextLine } from '#api/images/text.ts';
import type { Clock } from '#main/base/clock.ts';
import type { Launch, ServiceChild } from './server-launch.ts';
import type { AccountSession, ChildConfig, FromService, Reply, SessionCookie, ToService } from './server-messages.ts';

/** Milliseconds before the first, second, … restart after a failure; the last one repeats. */
export const RESTART_DELAYS = [300, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** Milliseconds that the service has to start listening, and to stop (longer than it drains requests). */
export const READY_LIMIT = 30_000;
export const STOP_LIMIT = 12_000;
/** After this long without a failure, delays start over. */
export const STABLE_AFTER = 60_000;
/** After this many failures within this many milliseconds, the service is not restarted automatically. */
export const LOOP_FAILURES = 5;
export const LOOP_WITHIN = 120_000;
/** Problems that may disappear without the user's help in Pixdock, so that trying again never stops. */
const PASSING: readonly ServiceProblem['code'][] = ['port_in_use', 'port_forbidden', 'data_folder'];

type Waiting = Pick<PromiseWithResolvers<Reply>, 'resolve' | 'reject'>;

/** Runs the image service in its own process, restarts it after failures with increasing delays, and reports its state. */
export class ServiceProcess {
  readonly #launch: Launch;
  readonly #clock: Clock;
  readonly #config: ChildConfig;
  readonly #events = new EventEmitter<{ status: [ServiceStatus]; visit: [string]; fault: [string] }>();
  readonly #waiting = new Map<number, Waiting>();
  #status: ServiceStatus = { state: 'stopped' };
  /** The address with which the running service was started or moved to. */
  #listensOn = '';
  #child: ServiceChild | undefined;
  #failures = 0;
  /** When it failed lately, for the detection of crash loops. */
  #crashes: number[] = [];
  #lastRequest = 0;
  /** The reason for the coming exit, where it is known in advance. */
  #problem: ServiceProblem | undefined;
  /** It has announced that it exits for a restart. */
  #restarting = false;
  #onBattery = false;
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

  /** Returns a function that ends the subscription. */
  onStatus(listener: (status: ServiceStatus) => void): () => void {
    this.#events.on('status', listener);
    return () => void this.#events.off('status', listener);
  }

  start(): void {
    if (this.#status.state === 'stopped' && !this.#stopped) this.#begin();
  }

  /** Starts a stopped service immediately instead of after the delay. */
  retry(): void {
    if (this.#status.state !== 'down' || this.#stopped) return;
    if (this.#status.retryAt === null) this.#crashes = [];
    this.#begin();
  }

  /** Kills a service that responds wrongly; it restarts after a delay. */
  giveUp(problem: ServiceProblem): void {
    if (!this.#child || this.#status.state !== 'running') return;
    this.#problem = problem;
    this.#child.kill();
  }

  /** Opens a session of the owner, who is created if there is none yet. Rejects when the service refuses or exits. */
  async openSession(username: string): Promise<SessionCookie> {
    const reply = await this.#ask((id) => ({ type: 'open-session', id, username }));
    return expected(reply, 'session').cookie;
  }

  /**
   * The session with which main uploads, in place of its last one; null when the account doesn't exist or is disabled.
   * `userId` null: the owner. Rejects when the service refuses or exits.
   */
  async openAccount(userId: number | null, username: string): Promise<AccountSession | null> {
    const reply = await this.#ask((id) => ({ type: 'open-account', id, userId, username }));
    return expected(reply, 'account').session;
  }

  /** The accounts that main can upload with. Rejects when the service refuses or exits. */
  async listAccounts(): Promise<AccountChoice[]> {
    return expected(await this.#ask((id) => ({ type: 'list-accounts', id })), 'accounts').accounts;
  }

  /** Listens on another address of this computer; rejects when that isn't possible. A service that isn't running does so when it starts. */
  async listenOn(host: string): Promise<void> {
    const before = this.#config.host;
    this.#config.host = host;
    if (this.#status.state !== 'running' || this.#listensOn === host) return;
    try {
      this.#addressed(await this.#ask((id) => ({ type: 'listen', id, host })));
      this.#listensOn = host;
    } catch (error) {
      this.#config.host = before;
      throw error;
    }
  }

  /** Restarts it on another port, and stops trying the present one. */
  restartOnPort(port: number): void {
    this.#config.port = port;
    if (this.#stopped || this.#restarting || this.#status.state === 'stopped') return;
    if (this.#child) this.#stopForRestart();
    else this.#begin();
  }

  /** Changes the host name or IPv4 address of links on the network. Rejects when the service refuses or exits. */
  async chooseAddress(host: string): Promise<void> {
    this.#addressed(await this.#ask((id) => ({ type: 'choose-address', id, host })));
  }

  /** Accepts these host names besides those of links and of this computer, even after restarts. */
  allowHosts(hosts: readonly string[]): void {
    this.#config.allowedHosts = [...hosts];
    this.#child?.send({ type: 'allow-hosts', hosts: [...hosts] });
  }

  /** The number of pictures outside the trash. Rejects when the service refuses or exits. */
  async countImages(): Promise<number> {
    return expected(await this.#ask((id) => ({ type: 'count-images', id })), 'images').count;
  }

  /** The lines of text in a picture of this computer. Rejects when it can't be read, and when the service refuses or exits. */
  async readText(path: string): Promise<TextLine[]> {
    return expected(await this.#ask((id) => ({ type: 'read-text', id, path })), 'text').lines;
  }

  /** Tells it, even after restarts, whether the computer runs on battery. */
  setOnBattery(onBattery: boolean): void {
    this.#onBattery = onBattery;
    this.#child?.send({ type: 'power', onBattery });
  }

  /** Reports the next request from another device to {@link onVisit}. Does nothing while the service isn't running. */
  awaitVisitor(): void {
    if (this.#status.state === 'running') this.#child?.send({ type: 'await-visitor' });
  }

  /** The listener gets the IP address of another device. */
  onVisit(listener: (from: string) => void): void {
    this.#events.on('visit', listener);
  }

  /** The listener gets a sentence about an automatic backup that can't be restored. */
  onBackupFault(listener: (reason: string) => void): void {
    this.#events.on('fault', listener);
  }

  /** Drains it within a time limit. Never rejects. */
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

  async #ask(request: (id: number) => ToService): Promise<Reply> {
    if (!this.#child || this.#status.state !== 'running') throw new Error('The service is not running.');
    const { promise, ...waiting } = Promise.withResolvers<Reply>();
    this.#lastRequest += 1;
    this.#waiting.set(this.#lastRequest, waiting);
    this.#child.send(request(this.#lastRequest));
    return promise;
  }

  #addressed(reply: Reply) {
    const { linkAddress } = expected(reply, 'addressed');
    if (this.#status.state === 'running') this.#become({ ...this.#status, linkAddress });
  }

  /** Whether it keeps failing, so that restarting it again is pointless. */
  #loops({ code }: ServiceProblem) {
    if (PASSING.includes(code)) return false;
    if (code === 'damaged_database') return true; // trying again doesn't repair it
    const now = this.#clock.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < LOOP_WITHIN), now];
    return this.#crashes.length >= LOOP_FAILURES;
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
      this.#problem = { code: 'no_answer', detail: `The service didn’t respond within ${READY_LIMIT / 1000} seconds.` };
      child.kill();
    });
    child.onMessage((message) => this.#receive(message));
    child.onExit((how) => this.#ended(this.#problem ?? { code: 'ended', detail: how }));
    this.#listensOn = this.#config.host;
    child.send({ type: 'start', config: { ...this.#config } });
  }

  #receive(message: FromService) {
    if (message.type === 'failed') {
      this.#problem = message.problem;
      return this.#child?.kill();
    }
    if (message.type === 'restarting') return this.#stopForRestart();
    if (message.type === 'ready') return this.#ready(message.url, message.linkAddress);
    if (message.type === 'backup-fault') return void this.#events.emit('fault', message.reason);
    if (message.type === 'visited') return void this.#events.emit('visit', message.from);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'refused') waiting?.reject(new Error(message.message));
    else waiting?.resolve(message);
  }

  #ready(url: string, linkAddress: string) {
    if (this.#stopped || this.#restarting) return;
    this.#cancelTimer();
    // Copied links must keep working after a restart, so a port that the system chose is kept.
    this.#config.port = Number(new URL(url).port);
    this.#child?.send({ type: 'power', onBattery: this.#onBattery });
    this.#cancelTimer = this.#clock.after(STABLE_AFTER, () => {
      this.#failures = 0;
    });
    this.#become({ state: 'running', url, linkAddress });
    if (this.#config.host === this.#listensOn) return;
    // It was changed while the service started.
    this.listenOn(this.#config.host).catch((error: unknown) => console.error('Couldn’t move the service to another address:', error));
  }

  #stopForRestart() {
    if (this.#stopped) return;
    this.#child?.send({ type: 'stop' });
    this.#restarting = true;
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(STOP_LIMIT, () => this.#child?.kill());
    this.#become({ state: 'starting' });
  }

  #ended(problem: ServiceProblem) {
    this.#cancelTimer();
    this.#child = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(problem.detail));
    this.#waiting.clear();
    if (this.#stopped) {
      this.#become({ state: 'stopped' });
      return this.#stopped.resolve();
    }
    if (this.#restarting) return this.#begin();
    if (this.#loops(problem)) return this.#become({ state: 'down', problem, retryAt: null });
    const delay = RESTART_DELAYS[Math.min(this.#failures, RESTART_DELAYS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#cancelTimer = this.#clock.after(delay, () => this.#begin());
    this.#become({ state: 'down', problem, retryAt: this.#clock.now() + delay });
  }
}

function expected<T extends Reply['type']>(reply: Reply, type: T): Extract<Reply, { type: T }> {
  if (reply.type !== type) throw new Error(`The service replied with ${reply.type} instead of ${type}.`);
  return reply as Extract<Reply, { type: T }>;
}
