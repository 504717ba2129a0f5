import Store from 'electron-store';
import { z } from 'zod';
import { holdsPixdock } from '#main/base/files/holds-pixdock.ts';
import type { DesktopEnv } from '#main/base/system/env.ts';

const hosting = z.object({
  kind: z.literal('host'),
  /** Absolute path; absent: the usual one. */
  dataDir: z.string().min(1).optional(),
  /** Requested when the user chose to host; applied once the service runs. */
  siteName: z.string().optional(),
});

const joined = z.object({
  kind: z.literal('joined'),
  /** Identifies the host, whatever its address. */
  id: z.string().min(1),
  name: z.string(),
  /** The host's address, without a trailing slash. */
  url: z.url({ protocol: /^https?$/ }),
  /** The account on the host. */
  username: z.string(),
});

/** The purpose of this installation: hosting pictures itself, or uploading to a joined host. */
const role = z.discriminatedUnion('kind', [hosting, joined]);
export type Role = z.infer<typeof role>;
export type HostRole = z.infer<typeof hosting>;
export type JoinedRole = z.infer<typeof joined>;

/** The role, kept between starts. */
export interface RoleStore {
  /** Undefined until the user has chosen, and after leaving a host. */
  get(): Role | undefined;
  /** Undefined: the next start asks. */
  set(role: Role | undefined): void;
  /** The absolute path of the usual data folder. */
  usualDataDir: string;
  /** Whether this computer holds pictures in a usual place. */
  hasData(): boolean;
}

/**
 * Opens `role.json` in the app's folder. Without a choice, an environment that names the data folder and existing data mean
 * hosting: only a new user is asked.
 * @param earlierDataDir where earlier versions of the app kept the data
 */
export function setupRole({ dataDir, usualDataDir }: Pick<DesktopEnv, 'dataDir' | 'usualDataDir'>, earlierDataDir: string): RoleStore {
  const store = new Store<Record<string, unknown>>({ name: 'role', clearInvalidConfig: true });
  const hasData = () => [usualDataDir, earlierDataDir].some(holdsPixdock);

  function implied(): Role | undefined {
    // The user who has left a host chooses again, also where this computer has hosted before.
    return store.get('ask') !== true && hasData() ? { kind: 'host' } : undefined;
  }

  return {
    get: () => (dataDir === undefined ? (role.safeParse(store.get('role')).data ?? implied()) : { kind: 'host', dataDir }),
    set(next) {
      store.set(next ? { role: next, ask: false } : { role: null, ask: true });
    },
    usualDataDir,
    hasData,
  };
}
