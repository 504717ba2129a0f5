import type { CiaoService, Responder, ServiceEvent } from '@homebridge/ciao';
import { requireLocalNetwork } from './multicast.ts';
import { MAX_NAMES, nthName, SERVICE_TYPE, TXT_APP } from './names.ts';

/** The library's events; their enum can't be imported without loading it. */
const NAME_CHANGED = 'name-change' as ServiceEvent.NAME_CHANGED;
const HOSTNAME_CHANGED = 'hostname-change' as ServiceEvent.HOSTNAME_CHANGED;

/** What other devices learn over mDNS. */
export interface Announcement {
  /** The name for people, such as “Pixdock on desk”. */
  name: string;
  /** The requested host name, without `.local`. */
  label: string;
  id: string;
  port: number;
  /** The system's names of the network adapters. */
  adapters: readonly string[];
  /** Their addresses: when they change, the announcement must be made again. */
  addresses?: readonly string[];
  /** Called if another device claims the host name later: time to announce again. */
  onConflict?(): void;
}

export interface Announcer {
  /** The host name that it got, such as `pixdock-2.local` where another device has the requested one. */
  host: string;
  /** Withdraws everything; resolves once other devices have been told. */
  stop(): Promise<void>;
}

/**
 * Announces a Pixdock server as an HTTP service with a host name of its own (RFC 6762 and 6763). Probing takes about a second, and one
 * more for each name that another device has.
 * @throws Reason or Error if the network can't be used, or all names are taken
 */
export async function announce({ name, label, id, port, adapters, addresses = [], onConflict }: Announcement): Promise<Announcer> {
  await requireLocalNetwork(addresses);
  const { getResponder } = await import('@homebridge/ciao');
  const responder = getResponder({ interface: [...adapters], disableIpv6: true });
  try {
    for (let n = 1; n <= MAX_NAMES; n += 1) {
      const hostname = nthName(label, n);
      const service = responder.createService({
        name,
        hostname,
        type: SERVICE_TYPE,
        port,
        txt: { path: '/', id, app: TXT_APP },
        disabledIpv6: true,
      });
      if (await advertiseAs(service, hostname)) {
        service.on(HOSTNAME_CHANGED, () => onConflict?.());
        return { host: `${hostname}.local`, stop: () => withdraw(responder, service) };
      }
      await service.destroy();
    }
  } catch (error) {
    await responder.shutdown();
    throw error;
  }
  await responder.shutdown();
  throw new Error(`Other devices on the network already use all names from ${label}.local to ${nthName(label, MAX_NAMES)}.local.`);
}

/** Announces the service. False if another device has the host name: the library then takes one with parentheses, which browsers refuse. */
async function advertiseAs(service: CiaoService, hostname: string) {
  service.on(NAME_CHANGED, () => undefined); // the name for people may get a number; without a listener the library warns
  await service.advertise();
  return service.getHostname() === `${hostname}.local.`;
}

async function withdraw(responder: Responder, service: CiaoService) {
  await service.destroy();
  await responder.shutdown();
}
