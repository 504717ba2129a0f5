import { randomUUID } from 'node:crypto';
import Store from 'electron-store';
import { z } from 'zod';

const remembered = z.object({
  /** Identifies this Pixdock in announcements. */
  id: z.string().min(1).max(100),
  /** The port that the user chose; null: the default. */
  port: z.int().min(1).max(65_535).nullable(),
  /** The announced host name, without `.local`. */
  label: z.string().regex(/^[a-z0-9-]{1,63}$/),
  /** The device that reached Pixdock at the place (address and port) it had then. */
  reached: z.object({ by: z.string(), place: z.string() }).nullable(),
});
export type Remembered = z.infer<typeof remembered>;

/** What the LAN switch remembers between starts. */
export interface NetworkMemory {
  get(): Remembered;
  set(change: Partial<Remembered>): void;
}

/** Opens `network.json` in the app's folder. Invalid values count as absent. */
export function setupMemory(): NetworkMemory {
  const store = new Store<Record<string, unknown>>({ name: 'network', clearInvalidConfig: true });
  const read = <K extends keyof Remembered>(name: K, otherwise: Remembered[K]) =>
    (remembered.shape[name].safeParse(store.get(name)).data as Remembered[K] | undefined) ?? otherwise;
  let current: Remembered = {
    id: read('id', randomUUID()),
    port: read('port', null),
    label: read('label', 'pixdock'),
    reached: read('reached', null),
  };
  store.set(current);
  return {
    get: () => current,
    set(change) {
      current = { ...current, ...change };
      store.set(current);
    },
  };
}
