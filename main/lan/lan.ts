import { EventEmitter } from 'node:events';
import { isIPv4 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { LanAddressChoice, LanStatus } from '#api/desktop/lan.ts';
import { reachOf } from '#api/sharing/reach.ts';
import type { Clock } from '#main/base/clock.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { LanAddress } from '#server/network/lan-address.ts';
import { isWildcard } from '#server/network/listening.ts';
import type { announce } from './announce.ts';
import { type Announcing, createAnnouncing } from './announcing.ts';
import type { NetworkMemory } from './memory.ts';
import { announceableHosts } from './names.ts';

/** Between checks of the network adapters. */
export const LOOK_EVERY_MS = 10_000;
/** The time after which the lack of a visit becomes a problem. */
export const VISIT_LIMIT_MS = 60_000;

/** Between two tries to announce, where that failed. */
export const ANNOUNCE_AGAIN_MS = 60_000;
/** The time that withdrawing the announcement may take while the app quits. */
export const CLOSE_LIMIT_MS = 2_000;

export const EVERYWHERE = '0.0.0.0';
export const ONLY_HERE = '127.0.0.1';

interface Options {
  service: Pick<
    ServiceProcess,
    'status' | 'onStatus' | 'listenOn' | 'restartOnPort' | 'chooseAddress' | 'allowHosts' | 'awaitVisitor' | 'onVisit' | 'countImages'
  >;
  preferences: Pick<PreferenceStore, 'get' | 'set' | 'onChange'>;
  memory: NetworkMemory;
  /** What environment variables determine. */
  fixed: { host?: string | undefined; port?: number | undefined };
  /** The port while the service isn't running. */
  port: number;
  /** Its name for people on the network, such as “Pixdock on desk”. */
  name: string;
  clock: Clock;
  addresses(): Promise<LanAddress[]>;
  announce: typeof announce;
  /** The sentence that the user sees for an error. */
  describe(error: unknown): string;
}

/** Sharing on the local network: the switch, the addresses, the announcement, and whether another device has reached Pixdock. */
export class Lan {
  readonly #options: Options;
  readonly #events = new EventEmitter<{ change: [LanStatus] }>();
  readonly #announcing: Announcing;
  #addresses: LanAddress[] = [];
  #port: number;
  #problem: string | undefined;
  /** The place whose first visit is awaited, and since when. */
  #awaited: { place: string; since: number } | undefined;
  /** When the announcement was last found to have failed. */
  #announceFailed: number | undefined;
  #cancelLimit = (): void => undefined;
  #cancelLook = (): void => undefined;
  #last: LanStatus | undefined;
  /** The announced host name, which the service accepts. */
  #allowed: string | undefined;
  #switching = Promise.resolve();
  /** Settled once links start with an address of the network, where they can. */
  #naming = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#port = options.port;
    const { announce: start, describe } = options;
    this.#announcing = createAnnouncing({ start, describe, onChange: () => this.#changed() });
    const { service, preferences } = options;
    service.onStatus(() => this.#update());
    service.onVisit((from) => this.#visited(from));
    preferences.onChange(() => {
      // One after the other: each reads the preference when its turn comes, so the last choice wins.
      this.#switching = this.#switching.then(() => this.#switch());
    });
  }

  /** Begins to watch the network. Resolves after the first look. */
  async start(): Promise<void> {
    await this.refresh();
  }

  /** Looks at the network adapters now; `forced`: announces again even if they are the same, as after the computer slept. */
  async refresh(forced = false): Promise<void> {
    this.#cancelLook();
    const addresses = await this.#options.addresses();
    this.#cancelLook();
    this.#cancelLook = this.#options.clock.after(LOOK_EVERY_MS, () => void this.refresh());
    this.#addresses = addresses;
    this.#update(forced || this.#isTimeToAnnounceAgain());
  }

  /** The listener is called whenever the status differs. */
  onChange(listener: (status: LanStatus) => void): void {
    this.#events.on('change', listener);
  }

  status(): LanStatus {
    const { service, fixed } = this.#options;
    const now = service.status();
    const linkAddress = now.state === 'running' ? now.linkAddress : null;
    const own = linkAddress === null ? null : this.#ownHost(linkAddress);
    const announced = this.#announcing.host() ?? null;
    return {
      on: this.#isOn(),
      fixed: { host: fixed.host !== undefined, port: fixed.port !== undefined },
      port: this.#port,
      ...this.#reach(),
      linkAddress,
      choices: this.#choices(own, announced),
      elsewhere: linkAddress !== null && own === null,
      missing: own !== null && this.#isMissing(own, announced) ? own : null,
      announced,
      problem: this.#problem ?? null,
      announceProblem: this.#announcing.problem() ?? null,
    };
  }

  /** Makes links start with another host name or IPv4 address. A single name under `.local` is announced. */
  async chooseAddress(host: string): Promise<void> {
    const { service, memory } = this.#options;
    await service.chooseAddress(host);
    if (this.status().elsewhere) throw new Reason('linksStartElsewhere');
    const label = /^([a-z0-9-]{1,63})\.local$/.exec(host.toLowerCase())?.[1];
    if (label && host.toLowerCase() !== this.#announcing.host()) memory.set({ label });
    this.#update();
  }

  /**
   * Turns sharing on, and resolves to the link address, which other devices can open.
   * @throws Reason or Error with a sentence that says what is in the way
   */
  async share(): Promise<string> {
    const { preferences, fixed } = this.#options;
    if (!this.#isOn()) {
      if (fixed.host !== undefined) throw new Reason('hostIsFixed');
      preferences.set({ lan: true });
    }
    await this.#switching;
    if (this.#problem !== undefined) throw new Error(this.#problem);
    await this.refresh();
    await this.#naming;
    const { linkAddress, elsewhere } = this.status();
    if (linkAddress === null) throw new Reason('serviceUnreachable');
    if (reachOf(linkAddress) === 'computer') throw new Reason(elsewhere ? 'linksStartElsewhere' : 'noNetworkToShare');
    return linkAddress;
  }

  /** Moves the service to another port. */
  choosePort(port: number): void {
    const { service, memory } = this.#options;
    memory.set({ port });
    this.#port = port;
    service.restartOnPort(port);
  }

  /** Withdraws the announcement, within a time limit. Never rejects. */
  async close(): Promise<void> {
    this.#cancelLook();
    this.#cancelLimit();
    const limit = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(CLOSE_LIMIT_MS, limit.resolve);
    await Promise.race([this.#announcing.close(), limit.promise]);
    cancel();
  }

  #isOn() {
    const { fixed, preferences } = this.#options;
    return fixed.host === undefined ? preferences.get().lan : isWildcard(fixed.host);
  }

  /** Applies the preference; where the service can't, the switch goes back and the reason is shown. */
  async #switch() {
    const { service, preferences, fixed } = this.#options;
    if (fixed.host !== undefined) return;
    const isOn = preferences.get().lan;
    if (isOn) this.#problem = undefined;
    try {
      await service.listenOn(isOn ? EVERYWHERE : ONLY_HERE);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      if (preferences.get().lan === isOn) preferences.set({ lan: !isOn });
    }
    this.#update();
  }

  /** Brings announcement and confirmation up to date. */
  #update(forced = false) {
    const { service, memory, name } = this.#options;
    const now = service.status();
    if (now.state === 'running') this.#port = Number(new URL(now.url).port || 80);
    const isShared = this.#isOn() && now.state === 'running' && this.#addresses.length > 0;
    const { id, label } = memory.get();
    const adapters = [...new Set(this.#addresses.map(({ adapter }) => adapter))];
    this.#announcing.set(isShared ? { name, label, id, port: this.#port, adapters, addresses: this.#ips() } : undefined, forced);
    this.#await(isShared ? this.#place() : undefined);
    if (isShared) this.#nameLinks();
    this.#changed();
  }

  /** Without a network, links start with this computer's own address: now there is one that others can open. */
  #nameLinks() {
    const { service } = this.#options;
    const name = async () => {
      await this.#switching; // until then, the service listens only here, whatever the address is that it has kept
      const now = service.status();
      const [first] = this.#addresses;
      if (!first || !this.#isOn() || now.state !== 'running' || this.#ownHost(now.linkAddress) !== ONLY_HERE) return;
      await service.chooseAddress(first.address);
    };
    this.#naming = this.#naming
      .then(name)
      .catch((error: unknown) => console.error('Couldn’t make links start with the address on the network:', error));
  }

  /** The service accepts the announced name only: under any other, a page on the network could pose as Pixdock. */
  #allow(host: string | undefined) {
    if (host === this.#allowed) return;
    this.#allowed = host;
    this.#options.service.allowHosts(host === undefined ? [] : [host]);
  }

  /** Whether to announce again: a network that has just come up may refuse at first. */
  #isTimeToAnnounceAgain() {
    const now = this.#options.clock.now();
    const failed = this.#announcing.problem() === undefined ? undefined : (this.#announceFailed ?? now);
    const isTime = failed !== undefined && now - failed >= ANNOUNCE_AGAIN_MS;
    this.#announceFailed = isTime ? undefined : failed;
    return isTime;
  }

  /** Waits for the first visit at a place that no other device has reached yet. */
  #await(place: string | undefined) {
    const { service, memory, clock } = this.#options;
    if (place === undefined || memory.get().reached?.place === place) {
      this.#cancelLimit();
      this.#awaited = undefined;
      return;
    }
    service.awaitVisitor(); // again after each start of the service
    if (this.#awaited?.place === place) return;
    this.#cancelLimit();
    this.#awaited = { place, since: clock.now() };
    this.#cancelLimit = clock.after(VISIT_LIMIT_MS, () => this.#changed());
  }

  #visited(from: string) {
    if (!this.#awaited) return;
    this.#options.memory.set({ reached: { by: from, place: this.#awaited.place } });
    this.#update();
  }

  /** What a confirmation applies to, an address and a port: another network may have another firewall. */
  #place() {
    return `${this.#addresses[0]?.address}:${this.#port}`;
  }

  #ips() {
    return this.#addresses.map(({ address }) => address);
  }

  #reach(): Pick<LanStatus, 'reach' | 'reachedBy'> {
    const { service, memory, clock } = this.#options;
    const none = (reach: LanStatus['reach']) => ({ reach, reachedBy: null });
    if (!this.#isOn()) return none('off');
    if (service.status().state !== 'running') return none('starting');
    if (this.#addresses.length === 0) return none('noNetwork');
    const { reached } = memory.get();
    if (reached?.place === this.#place()) return { reach: 'reached', reachedBy: reached.by };
    return none(clock.now() - (this.#awaited?.since ?? clock.now()) < VISIT_LIMIT_MS ? 'unconfirmed' : 'unreached');
  }

  /** The host of links, or null when they start with a base URL that an admin has set. */
  #ownHost(linkAddress: string) {
    const { protocol, hostname, port } = new URL(linkAddress);
    return protocol === 'http:' && Number(port || 80) === this.#port ? hostname : null;
  }

  #choices(own: string | null, announced: string | null): LanAddressChoice[] {
    if (!this.#isOn()) return [];
    const choice = (host: string, kind: LanAddressChoice['kind']) => ({ host, kind, url: `http://${host}:${this.#port}` });
    const choices = [...(announced ? [choice(announced, 'announced')] : []), ...this.#ips().map((host) => choice(host, 'ip'))];
    const known = own === null || own === ONLY_HERE || choices.some(({ host }) => host === own);
    return known ? choices : [...choices, choice(own, 'other')];
  }

  /** Whether no adapter has an address, or another device now has an announced name. Other names are not looked up. */
  #isMissing(own: string, announced: string | null) {
    if (!this.#isOn() || own === ONLY_HERE) return false;
    if (isIPv4(own)) return this.#addresses.length > 0 && !this.#ips().includes(own);
    return announced !== null && announced !== own && announceableHosts(this.#options.memory.get().label).includes(own);
  }

  #changed() {
    this.#allow(this.#announcing.host());
    const status = this.status();
    if (isDeepStrictEqual(status, this.#last)) return;
    this.#last = status;
    this.#events.emit('change', status);
  }
}
