import { join } from 'node:path';
import { createClient } from 'dbus-native';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startSessionBus } from '#test/helpers/programs/session-bus.ts';

/** What a user does in the dialog: the code of the response and the address of the picture. */
interface Outcome {
  code: number;
  uri?: string;
}

const DESKTOP = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';

/** A session bus with a portal that has only the interface for shortcuts. */
export async function startBusWithShortcuts() {
  const bus = await startBus();
  const portal = createClient({ busAddress: bus.address });
  await portal.ownName(DESKTOP);
  portal.exportInterface({ version: 2 }, PATH, { name: 'org.freedesktop.portal.GlobalShortcuts', properties: { version: 'u' } });
  return {
    address: bus.address,
    async [Symbol.asyncDispose]() {
      await portal.close();
      await bus[Symbol.asyncDispose]();
    },
  };
}

/** A session bus, with a portal for screenshots when an outcome is given. `asked`: the options of each call. */
export async function startBus(outcome?: Outcome) {
  const { address: busAddress, ...sessionBus } = await startSessionBus(join(temporaryFolder(), 'bus'));
  const asked: Record<string, unknown>[] = [];
  const portal = outcome && (await startPortal(busAddress, outcome, asked));
  return {
    address: busAddress,
    asked,
    async [Symbol.asyncDispose]() {
      await portal?.close();
      await sessionBus[Symbol.asyncDispose]();
    },
  };
}

async function startPortal(busAddress: string, { code, uri }: Outcome, asked: Record<string, unknown>[]) {
  const bus = createClient({ busAddress });
  await bus.ownName(DESKTOP);
  bus.setMethodCallHandler(PATH, 'org.freedesktop.portal.Screenshot', 'Screenshot', [
    (_parent: string, options: Record<string, unknown>, message: { sender?: string }) => {
      asked.push(options);
      const sender = (message?.sender ?? '').slice(1).replaceAll('.', '_');
      const handle = `${PATH}/request/${sender}/${options.handle_token}`;
      setImmediate(() => {
        bus.sendSignal(handle, 'org.freedesktop.portal.Request', 'Response', 'ua{sv}', [code, uri === undefined ? {} : { uri }]);
      });
      return handle;
    },
    'o',
  ]);
  return bus;
}
