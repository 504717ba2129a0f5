import { hostname } from 'node:os';
import { join } from 'node:path';
import { app, safeStorage } from 'electron';
import type { Clock } from '#main/base/clock.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Role, RoleStore } from '#main/base/role.ts';
import { type Chosen, firstLaunch } from '#main/first-launch/first-launch.ts';
import type { Ipc } from '#main/ipc.ts';
import { type Joined, setupJoined } from '#main/joining/joined.ts';
import { type TokenFile, tokenFile } from '#main/joining/token-file.ts';
import { discover } from '#main/lan/discover.ts';
import type { Account } from '#main/service/account.ts';
import { handleAccountCalls } from '#main/service/account-calls.ts';
import { createLocalAccount, type LocalAccount } from '#main/service/local-account.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { Texts } from '#main/texts/en.ts';
import { screenshotsFolder } from '#main/watcher/screenshots.ts';
import { openOutside } from '#main/windows/navigation.ts';

interface Parts {
  paths: AppPaths;
  preferences: PreferenceStore;
  roles: RoleStore;
  clock: Clock;
  texts(): Texts;
  /** The program to start again, if it isn't the running one. */
  program: string | undefined;
}

/** The token of a joined host. */
export function setupToken(): TokenFile {
  return tokenFile(join(app.getPath('userData'), 'joined-token.json'), safeStorage);
}

/** What this computer does; a new user is asked. */
export async function chooseRole(parts: Parts, token: TokenFile): Promise<Chosen> {
  const role = parts.roles.get();
  if (role) return { role, open: 'gallery', close: () => undefined };
  return firstLaunch({
    ...parts,
    token,
    computer: hostname(),
    screenshots: screenshotsFolder,
    discover: (listener) =>
      discover((found) => listener(found.flatMap(({ id, name, urls: [url] }) => (url === undefined ? [] : [{ id, name, url }]))), {
        onProblem: (error) => console.error('Couldn’t search a network:', error),
      }),
  });
}

interface AccountParts extends Pick<Parts, 'preferences' | 'roles' | 'clock'> {
  ipc: Ipc;
  service: ServiceProcess;
  token: TokenFile;
  /** The owner's name, in case the service has none yet. */
  username: string;
}

/** The account that main uploads with: on the service it hosts, or on the joined host. */
export function setupAccount(
  role: Role,
  { ipc, service, token, username, ...parts }: AccountParts,
): { account: Account; local?: LocalAccount; joined?: Joined } {
  if (role.kind === 'joined') {
    const joined = setupJoined({ ...parts, ipc, role, token, device: hostname(), openOutside });
    handleAccountCalls(ipc, joined.account, undefined);
    return { account: joined.account, joined };
  }
  const local = createLocalAccount({ ...parts, service, username });
  handleAccountCalls(ipc, local, local);
  return { account: local, local };
}
