import { EventEmitter } from 'node:events';
import { type MessageBus, sessionBus } from 'dbus-native';
import { z } from 'zod';
import type { Clock } from '#main/base/clock.ts';

/** The program that keeps the list of icons; panels show those on it. */
const WATCHER = 'org.kde.StatusNotifierWatcher';
const PATH = '/StatusNotifierWatcher';
const BUS = 'org.freedesktop.DBus';
/** The session bus responds at once or not at all. */
const CALL_LIMIT_MS = 2_000;
/** The time that our icon has to appear: at login, the app and the panel start at the same time. */
export const APPEAR_LIMIT_MS = 10_000;
/** The time that icons have to be added to a panel that has just started. */
export const SETTLE_TIME_MS = 1_000;

const itemList = z.array(z.string());

/** Whether the desktop shows our icon. Where that can't be asked, it is assumed. */
export interface TraySupport {
  isShown(): Promise<boolean>;
  /** The same, but waits a while for an icon that isn't there yet. */
  appears(): Promise<boolean>;
  /** Calls back when a panel has started without our icon, which Electron offers only once: it must be made again. */
  onMissing(listener: () => void): void;
}

const ASSUMED: TraySupport = { isShown: async () => true, appears: async () => true, onMissing: () => undefined };

interface Options {
  /** The address of the D-Bus session bus; undefined: there is none. */
  address: string | undefined;
  /** Whether this desktop may show no icons. GNOME without an extension and many Wayland desktops show none. */
  mayLackTray: boolean;
  clock: Clock;
}

/** Watches the list of icons on Linux. Other systems always show them. */
export function setupTraySupport({ address, mayLackTray, clock }: Options, platform = process.platform): TraySupport {
  if (platform !== 'linux' || address === undefined) return ASSUMED;
  const list = new IconList(address);
  const { events } = list;
  let cancel: () => void = () => undefined;
  events.on('panel', () => {
    cancel();
    cancel = clock.after(SETTLE_TIME_MS, () => {
      void list.hasOurs().then((isThere) => isThere === false && events.emit('missing'));
    });
  });
  const isShown = async () => (await list.hasOurs()) ?? true;

  async function appears() {
    const found = Promise.withResolvers<boolean>();
    const check = () => void list.hasOurs().then((isThere) => isThere && found.resolve(true));
    const cancelLimit = clock.after(APPEAR_LIMIT_MS, () => found.resolve(isShown()));
    events.on('icon', check);
    check();
    try {
      return await found.promise;
    } finally {
      events.off('icon', check);
      cancelLimit();
    }
  }

  return {
    ...(mayLackTray ? { isShown, appears } : ASSUMED),
    onMissing: (listener) => void events.on('missing', listener),
  };
}

/** The watcher's list, on a connection that stays open for its signals. */
class IconList {
  readonly events = new EventEmitter<{ panel: []; icon: []; missing: [] }>();
  readonly #bus: MessageBus;

  constructor(busAddress: string) {
    this.#bus = sessionBus({ busAddress, timeout: CALL_LIMIT_MS });
    this.#bus.connection.on('error', explain);
    this.#follow().catch(explain);
  }

  /** Undefined when the list can't be read. */
  async hasOurs(): Promise<boolean | undefined> {
    try {
      return await this.#includesOurs();
    } catch (error) {
      explain(error);
      return undefined;
    }
  }

  async #follow() {
    const bus = this.#bus;
    bus.signals.on(bus.mangle('/org/freedesktop/DBus', BUS, 'NameOwnerChanged'), ([name, , owner]: string[]) => {
      if (name === WATCHER && owner !== '') this.events.emit('panel');
    });
    // A panel may start after the program that keeps its list.
    bus.signals.on(bus.mangle(PATH, WATCHER, 'StatusNotifierHostRegistered'), () => this.events.emit('panel'));
    bus.signals.on(bus.mangle(PATH, WATCHER, 'StatusNotifierItemRegistered'), () => this.events.emit('icon'));
    await Promise.all([
      bus.addMatch(`type='signal',sender='${BUS}',interface='${BUS}',member='NameOwnerChanged',arg0='${WATCHER}'`),
      bus.addMatch(`type='signal',interface='${WATCHER}',path='${PATH}'`),
    ]);
  }

  async #includesOurs() {
    // Asking the watcher itself could start it.
    if (!(await this.#bus.invokeDbus<boolean>({ member: 'NameHasOwner', signature: 's', body: [WATCHER] }))) return false;
    const items = itemList.parse(
      await this.#bus.invoke({
        destination: WATCHER,
        path: PATH,
        interface: 'org.freedesktop.DBus.Properties',
        member: 'Get',
        signature: 'ss',
        body: [WATCHER, 'RegisteredStatusNotifierItems'],
      }),
    );
    const owners = await Promise.all(items.map((item) => this.#processOf(item)));
    return owners.includes(process.pid);
  }

  /** The process of an icon such as `:1.42/StatusNotifierItem`, or `:1.42@/StatusNotifierItem` in GNOME's extension. */
  async #processOf(item: string): Promise<number | undefined> {
    const [name = ''] = item.split(/[/@]/, 1);
    try {
      return await this.#bus.invokeDbus<number>({ member: 'GetConnectionUnixProcessID', signature: 's', body: [name] });
    } catch {
      return undefined; // it has just gone, or lives on another computer
    }
  }
}

function explain(error: unknown) {
  console.error('Couldn’t determine whether this desktop shows tray icons:', error);
}
