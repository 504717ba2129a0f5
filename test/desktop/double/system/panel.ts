import { join } from 'node:path';
import type { MessageBus } from 'dbus-native';
import { userDataFolder } from '#test/desktop/double/machine.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { startLibraryBus, startSessionBus } from '#test/helpers/programs/session-bus.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const PATH = '/StatusNotifierWatcher';
const DESCRIPTION = {
  name: WATCHER,
  properties: { RegisteredStatusNotifierItems: 'as', IsStatusNotifierHostRegistered: 'b' },
  signals: { StatusNotifierItemRegistered: ['s', 'item'], StatusNotifierHostRegistered: ['', ''] },
};

/** A session bus whose panel shows the icons of programs. Every connection belongs to this process. */
export interface Panel extends AsyncDisposable {
  address: string;
  isThere(): boolean;
  /** It starts, without icons; with `hasHost` false, nothing shows them yet. */
  come(hasHost?: boolean): Promise<void>;
  leave(): Promise<void>;
  /** Something shows icons from now on. */
  getHost(): void;
  /** Adds a program's icon, and returns whether it is shown. `item`: the name of its connection with the path. */
  add(item: string): boolean;
  items(): readonly string[];
  /** A connection's own name. */
  readonly ownName: string;
}

/** Starts it on a socket, with a panel that isn't there yet. */
export async function startPanel(socket: string, start = startSessionBus): Promise<Panel> {
  const { createClient } = await import('dbus-native'); // loading it would slow every start down
  const { address, ...sessionBus } = await start(socket);
  const program = createClient({ busAddress: address });
  await program.getId(); // it has its name by then
  const watcher = { RegisteredStatusNotifierItems: [] as string[], IsStatusNotifierHostRegistered: false };
  let bus: MessageBus | undefined;
  const signal = (name: string, signature?: string, args?: unknown[]) => bus?.sendSignal(PATH, WATCHER, name, signature, args);

  const panel: Panel = {
    address,
    ownName: program.name ?? '',
    isThere: () => bus !== undefined,
    async come(hasHost = true) {
      bus = createClient({ busAddress: address });
      Object.assign(watcher, { RegisteredStatusNotifierItems: [], IsStatusNotifierHostRegistered: hasHost });
      bus.exportInterface(watcher, PATH, DESCRIPTION);
      await bus.ownName(WATCHER);
    },
    async leave() {
      const leaving = bus;
      bus = undefined;
      await leaving?.close();
    },
    getHost() {
      watcher.IsStatusNotifierHostRegistered = true;
      signal('StatusNotifierHostRegistered');
    },
    add(item) {
      if (!bus || !watcher.IsStatusNotifierHostRegistered) return false;
      watcher.RegisteredStatusNotifierItems.push(item);
      signal('StatusNotifierItemRegistered', 's', [item]);
      return true;
    },
    items: () => (bus ? watcher.RegisteredStatusNotifierItems : []),
    async [Symbol.asyncDispose]() {
      await panel.leave();
      await program.close();
      await sessionBus[Symbol.asyncDispose]();
    },
  };
  return panel;
}

const running: { panel?: Panel } = {};

/** The panel of hostile icons. */
export const hostilePanel = () => running.panel;

/** Gives the app a session bus with a panel, when its icon is to have trouble there. */
export async function startPanelIfHostile() {
  if (!(['tray-late', 'tray-never', 'tray-missed', 'tray-restarts'] as const).some(isHostile)) return;
  // In this process: a daemon would outlive one that is killed.
  const panel = await startPanel(join(userDataFolder(), `bus-${process.pid}`), startLibraryBus);
  if (!isHostile('tray-missed')) await panel.come();
  running.panel = panel;
  process.env.DBUS_SESSION_BUS_ADDRESS = panel.address;
}
