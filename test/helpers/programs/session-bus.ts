import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { has } from './installed.ts';

/** A D-Bus session bus of a test's own. */
export interface SessionBus extends AsyncDisposable {
  address: string;
}

/** The daemon that desktops have, where it is installed; otherwise {@link startLibraryBus}. */
export async function startSessionBus(socket: string): Promise<SessionBus> {
  if (!has('dbus-daemon')) return startLibraryBus(socket);
  const options = ['--session', '--nofork', '--nopidfile', '--nosyslog', '--print-address', `--address=unix:path=${socket}`];
  const daemon = spawn('dbus-daemon', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = () => void daemon.kill();
  process.once('exit', kill);
  const [address] = (await once(createInterface({ input: daemon.stdout }), 'line')) as [string];
  return {
    address,
    async [Symbol.asyncDispose]() {
      const ended = once(daemon, 'exit');
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}

/** A bus in this process, with which it ends. */
export async function startLibraryBus(socket: string): Promise<SessionBus> {
  const { createBroker } = await import('dbus-native'); // loading it would slow every start of the double down
  const broker = createBroker();
  const address = await new Promise<string>((resolve, reject) => {
    broker.listen({ socket }, (error, busAddress) => (error ? reject(error) : resolve(busAddress)));
  });
  return { address, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => broker.close(resolve)) };
}
