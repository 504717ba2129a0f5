import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { run } from '#main/lan/run.ts';

/** A connection over IPv4's loopback, seen from the program at its other end. */
export interface Connection {
  from: Endpoint;
  to: Endpoint;
}
interface Endpoint {
  address: string;
  port: number;
}

/** Whether the program at the other end of a connection runs as this app's user. False when the system doesn't report it. */
export async function isOwnUser(socket: Socket): Promise<boolean> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (!remoteAddress || !remotePort || !localAddress || !localPort) return false; // closed meanwhile
  const connection = { from: { address: remoteAddress, port: remotePort }, to: { address: localAddress, port: localPort } };
  return OWNS[process.platform]?.(connection) ?? false;
}

const OWNS: Partial<Record<NodeJS.Platform, (connection: Connection) => Promise<boolean>>> = {
  linux: async (connection) => {
    const tables = await Promise.all([readFile('/proc/net/tcp', 'latin1'), readFile('/proc/net/tcp6', 'latin1').catch(() => '')]);
    return uidInTables(tables.join('\n'), connection) === process.getuid?.();
  },
  darwin: ownsByLsof,
  win32: async (connection) => {
    const pid = pidInNetstat((await run('netstat', ['-ano', '-p', 'TCP'])) ?? '', connection);
    return pid !== undefined && isOwnProcess(pid);
  },
};

/**
 * The user in Linux's tables of connections. Undefined for a socket that its program has closed: the tables then list it as root's.
 * @param tables as in `/proc/net/tcp` and `tcp6`, where programs that prefer IPv6 appear
 */
export function uidInTables(tables: string, { from, to }: Connection): number | undefined {
  for (const line of tables.split('\n')) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(hexOf(from)) && remote?.endsWith(hexOf(to)) && inode !== '0') return Number(uid);
  }
  return undefined;
}

/** An endpoint as in Linux's tables: bytes in the processors' order, little-endian on all that Pixdock runs on. */
function hexOf({ address, port }: Endpoint) {
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');
  return `${address
    .split('.')
    .reverse()
    .map((byte) => hex(Number(byte), 2))
    .join('')}:${hex(port, 4)}`;
}

/** Without root, lsof sees the user's own processes only; with it, `-u` selects them. */
export async function ownsByLsof({ from, to }: Connection): Promise<boolean> {
  const names = await run('lsof', ['-nP', '-a', '-u', `${process.getuid?.()}`, `-iTCP:${from.port}`, '-Fn']);
  return names?.split('\n').includes(`n${from.address}:${from.port}->${to.address}:${to.port}`) ?? false;
}

/** The process in the output of Windows' netstat, whose words differ by language. Undefined when none has the socket open. */
export function pidInNetstat(output: string, { from, to }: Connection): number | undefined {
  for (const line of output.split('\n')) {
    const [, local, remote, ...more] = line.trim().split(/\s+/);
    if (local !== `${from.address}:${from.port}` || remote !== `${to.address}:${to.port}`) continue;
    return Number(more.at(-1)) || undefined;
  }
  return undefined;
}

/** Windows lets a program open the processes of its own user only. */
function isOwnProcess(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
