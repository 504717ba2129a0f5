import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type MessageBus, sessionBus } from 'dbus-native';
import { z } from 'zod';
import { within } from '#main/base/time-limit.ts';
import { type CaptureTool, ToolMissing } from './tool.ts';

const DESKTOP = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const REQUEST = 'org.freedesktop.portal.Request';
/** The time that the bus and the portal have for a call. */
const CALL_LIMIT_MS = 5_000;
/** The time that the user has to take the picture. */
const USER_LIMIT_MS = 5 * 60_000;
/** Codes of a response. */
const DONE = 0;
const CANCELLED = 1;

const response = z.tuple([z.int(), z.object({ uri: z.string().optional() })]);

/**
 * The desktop's own dialog for screenshots, in which the user selects, or all of the screen without it, through its portal: the only way on many Wayland desktops. The dialog ends with the connection that
 * asked for it, so a program such as gdbus can't be used. `address`: of the session bus.
 */
export function portalTool(address: string, interactive = true): CaptureTool {
  return {
    name: 'The desktop’s screenshot dialog',
    async capture() {
      const [code, { uri }] = await withBus(address, async (bus) => response.parse(await screenshot(bus, interactive)));
      if (code === CANCELLED) return undefined;
      if (code !== DONE || !uri) throw new Error('it closed without providing a picture.');
      // The desktop keeps its copy, usually among the user's screenshots.
      return { kind: 'file', path: fileURLToPath(uri) };
    },
  };
}

/** Whether the desktop offers an interface of the portal, such as `GlobalShortcuts`. */
export async function hasPortal(address: string | undefined, name: string): Promise<boolean> {
  if (address === undefined) return false;
  try {
    await withBus(address, (bus) =>
      call(bus, 'org.freedesktop.DBus.Properties', 'Get', 'ss', [`org.freedesktop.portal.${name}`, 'version']),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ToolMissing)) console.error('Couldn’t call the desktop’s portal:', error);
    return false;
  }
}

/** Uses a connection of its own; rejects when it fails in the meantime. */
async function withBus<T>(busAddress: string, use: (bus: MessageBus) => Promise<T>): Promise<T> {
  const bus = sessionBus({ busAddress });
  const failed = Promise.withResolvers<never>();
  bus.connection.on('error', failed.reject);
  try {
    return await Promise.race([use(bus), failed.promise]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'ECONNREFUSED' ? new ToolMissing('There is no session bus.', { cause: error }) : error;
  } finally {
    await bus.close();
  }
}

async function screenshot(bus: MessageBus, interactive: boolean): Promise<unknown> {
  // The bus has named this connection by the time it responds. With the name, the handle is known before the call, and no response is missed.
  await within(Promise.resolve(bus.getId()), CALL_LIMIT_MS, () => new Error('the session bus did not respond.'));
  const token = `pixdock_${randomUUID().replaceAll('-', '')}`;
  const handle = `${PATH}/request/${(bus.name ?? '').slice(1).replaceAll('.', '_')}/${token}`;
  await bus.addMatch(`type='signal',interface='${REQUEST}',member='Response',path='${handle}'`);
  const over = new AbortController();
  const responded = once(bus.signals, bus.mangle(handle, REQUEST, 'Response'), { signal: over.signal });
  try {
    const options = { handle_token: token, interactive };
    await call(bus, 'org.freedesktop.portal.Screenshot', 'Screenshot', 'sa{sv}', ['', options]);
    const [body] = await Promise.race([responded, tooLate(over.signal)]);
    return body;
  } finally {
    responded.catch(() => undefined); // aborted: the caller has stopped waiting
    over.abort();
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await delay(USER_LIMIT_MS, undefined, { signal, ref: false });
  throw new Error('it did not respond.');
}

/** @throws ToolMissing when there is no portal, or it doesn't have this interface */
async function call(bus: MessageBus, iface: string, member: string, signature: string, body: unknown[]) {
  try {
    return await bus.invoke({ destination: DESKTOP, path: PATH, interface: iface, member, signature, body }, { timeout: CALL_LIMIT_MS });
  } catch (error) {
    const { dbusName = '' } = error as { dbusName?: string };
    if (/Unknown(Method|Interface|Object|Property)|ServiceUnknown|NameHasNoOwner|InvalidArgs|Spawn/.test(dbusName))
      throw new ToolMissing(`The desktop has no portal for ${iface}.`, { cause: error });
    throw error;
  }
}
