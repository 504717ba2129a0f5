import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import type { Service } from 'bonjour-service';
import { lanAddresses } from '#server/network/lan-address.ts';
import { GROUP, PORT } from './multicast.ts';
import { SERVICE_TYPE, TXT_APP } from './names.ts';

/** Another Pixdock on the local network. */
export interface FoundPixdock {
  /** Stays the same across restarts and changes of its address. */
  id: string;
  /** Its name for people, such as “Pixdock on desk”. */
  name: string;
  /** Its addresses, such as `http://192.168.1.5:7410`: IP addresses, which work everywhere, before names. */
  urls: readonly string[];
}

interface Options {
  /** The id of this computer's own Pixdock, which is left out. */
  ownId?: string;
  /** The addresses of the adapters to search on; default: all real ones. */
  addresses?: readonly string[];
  /** Called when a network can't be searched; the others still are. */
  onProblem?(error: Error): void;
}

type Listener = (found: readonly FoundPixdock[]) => void;

const EVENTS = ['up', 'down', 'srv-update', 'txt-update'] as const;

/** Between two searches: devices respond to each, so ones that have left without a word disappear. */
const REPEAT_MS = 15_000;

/**
 * Searches the local network for other Pixdock servers over mDNS, until the returned function is called.
 * @param listener called with the complete list, sorted by name, first empty and then after each change
 */
export function discover(listener: Listener, options: Options = {}): () => void {
  const browsing = browse(listener, options).catch((error: Error) => {
    options.onProblem?.(error);
    return () => undefined;
  });
  return () => void browsing.then((end) => end());
}

async function browse(listener: Listener, { ownId, addresses, onProblem }: Options): Promise<() => void> {
  const { Bonjour } = await import('bonjour-service');
  const searched = addresses ?? (await lanAddresses()).map(({ address }) => address);
  const sockets = await Promise.allSettled(searched.map(openSocket));
  const searches = sockets.flatMap((opened) => {
    if (opened.status === 'rejected') {
      onProblem?.(opened.reason as Error);
      return [];
    }
    // An open socket of ours, since the library throws where it can't open one. Its types lack the options of its own dependency.
    const options = { socket: opened.value, bind: false, multicast: false } as object;
    const bonjour = new Bonjour(options, (error: Error) => onProblem?.(error));
    return [{ bonjour, browser: bonjour.find({ type: SERVICE_TYPE }) }];
  });

  const report = () => listener(pixdocksAmong(searches.flatMap(({ browser }) => browser.services)).filter(({ id }) => id !== ownId));
  for (const { browser } of searches) for (const event of EVENTS) browser.on(event, report);
  report();
  const repeat = setInterval(() => {
    for (const { browser } of searches) {
      browser.expire();
      browser.update();
    }
  }, REPEAT_MS);
  return () => {
    clearInterval(repeat);
    for (const { bonjour, browser } of searches) {
      browser.stop();
      bonjour.destroy();
    }
  };
}

/** A socket for one adapter: each sends to one network only. Bound to no address, since Linux delivers multicast to such sockets only. */
async function openSocket(address: string): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    socket.bind(PORT);
    await once(socket, 'listening');
    socket.addMembership(GROUP, address);
    socket.setMulticastInterface(address);
    socket.setMulticastTTL(255);
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** Maximum number of services that are considered; any device on the network can announce more. */
const MAX_SERVICES = 50;
/** Maximum number of IP addresses per service. */
const MAX_ADDRESSES = 16;

/**
 * The Pixdock servers among HTTP services; one that was found through several adapters appears once, with all its addresses. Devices can
 * announce anything: what isn't an address is left out, and only services of one host are combined.
 */
export function pixdocksAmong(services: readonly Pick<Service, 'name' | 'host' | 'port' | 'addresses' | 'txt'>[]): FoundPixdock[] {
  const found = new Map<string, FoundPixdock>();
  const pixdocks = services.filter(({ txt }) => idOf(txt) !== undefined).slice(0, MAX_SERVICES);
  for (const { name, host: announced, port, addresses, txt } of pixdocks) {
    const host = announced.replace(/\.$/, '');
    const id = idOf(txt) ?? '';
    // Announcing another's id must not change its addresses.
    const key = `${id} ${host}:${port}`;
    const known = found.get(key);
    const hosts = [...(addresses ?? []).filter((address) => isIPv4(address)).slice(0, MAX_ADDRESSES), host];
    const urls = [...new Set([...(known?.urls ?? []), ...hosts.flatMap((each) => originOf(each, port) ?? [])])];
    if (urls.length > 0)
      found.set(key, { id, name: known?.name ?? name, urls: urls.sort((one, other) => Number(isNamed(one)) - Number(isNamed(other))) });
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name));
}

function idOf(txt: unknown): string | undefined {
  const { app, id } = (txt ?? {}) as Record<string, unknown>;
  return app === TXT_APP && typeof id === 'string' && id !== '' ? id : undefined;
}

const originOf = (host: string, port: number) => (/^[a-z0-9.-]+$/i.test(host) ? URL.parse(`http://${host}:${port}`)?.origin : undefined);

const isNamed = (url: string) => !isIPv4(URL.parse(url)?.hostname ?? '');
