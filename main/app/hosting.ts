import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { app, safeStorage, session } from 'electron';
import { type Clock, systemClock } from '#main/base/clock.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { describeFailure, type Failure, Reason } from '#main/base/reasons.ts';
import { type HostRole, type Role, type RoleStore, setupRole } from '#main/base/role.ts';
import { askForPaths } from '#main/base/system/file-dialogs.ts';
import { relaunch } from '#main/base/system/relaunch.ts';
import { hasPortal } from '#main/capture/screen/portal.ts';
import { createShortcutTrial } from '#main/capture/shortcuts.ts';
import { applySiteName } from '#main/first-launch/apply-choices.ts';
import { checkDataFolder } from '#main/first-launch/data-folder.ts';
import { type Chosen, firstLaunch } from '#main/first-launch/first-launch.ts';
import type { Ipc } from '#main/ipc.ts';
import { type Joined, setupJoined } from '#main/joining/joined.ts';
import { type TokenFile, tokenFile } from '#main/joining/token-file.ts';
import { discover } from '#main/lan/discover.ts';
import { setupMemory } from '#main/lan/memory.ts';
import { listenOptions, setupLan } from '#main/lan/setup.ts';
import type { Account } from '#main/service/account.ts';
import { handleAccountCalls } from '#main/service/account-calls.ts';
import { findDataFolder } from '#main/service/data-folder.ts';
import { createLocalAccount, type LocalAccount } from '#main/service/local-account.ts';
import { ownerName } from '#main/service/owner-name.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import { setupService } from '#main/service/service.ts';
import { createWindowSession } from '#main/service/window-session.ts';
import type { Texts } from '#main/texts/en.ts';
import { screenshotsFolder } from '#main/watcher/screenshots.ts';
import { openOutside } from '#main/windows/navigation.ts';
import type { Basics } from './basics.ts';

export type Hosting = Awaited<ReturnType<typeof setupHosting>>;

/** Hosts the service here, or joins another Pixdock server: asks at the first start, and otherwise does what was chosen then. */
export async function setupHosting(
  { ipc, env, paths, preferences, texts, logs, notify, explain }: Basics,
  onJoinLink: (listener: (address: string) => void) => void,
) {
  const earlierDataDir = join(app.getPath('userData'), 'data');
  const roles = setupRole(env, earlierDataDir);
  const token = setupToken();
  const chosen = await chooseRole(
    { paths, preferences, roles, clock: systemClock, texts, program: env.launchFile, onJoinLink },
    token,
    env,
  );
  const hosting = chosen.role.kind === 'host' ? chosen.role : undefined;
  const data = findDataFolder({ chosen: hosting?.dataDir ?? env.dataDir, usual: env.usualDataDir, earlier: earlierDataDir });
  if (data.stays)
    notify({ title: texts().dataStaysTitle, body: texts().dataStays(data.path, env.usualDataDir), failure: true, hint: 'data-stays' });
  const network = { env, preferences, memory: setupMemory() };
  const service = setupService({ ipc, listen: listenOptions(network), dataDir: data.path, paths, logs });
  if (hosting) service.start();
  const username = ownerName(userInfo().username);
  const { account, local, joined } = setupAccount(chosen.role, { ipc, service, preferences, roles, token, username, clock: systemClock });
  if (hosting) handleOtherDataFolder({ ipc, roles, role: hosting, isFixed: env.dataDir !== undefined, texts, program: env.launchFile });
  if (hosting) applySiteName(hosting, roles, account);
  const windowSession = createWindowSession({ service, cookies: session.defaultSession.cookies, username });
  ipc.handle({ signInOwner: async () => void (await windowSession.signIn()) });
  return {
    /** The sentence that the user sees for a failed upload. */
    explainFailure: (failure: Failure) => describeFailure(failure, texts(), joined === undefined),
    chosen,
    service,
    lan: setupLan({ ...network, ipc, service, describe: explain }),
    windowSession,
    account,
    local,
    joined,
    dataFolder: data.path,
  };
}

interface OtherFolderParts {
  ipc: Ipc;
  roles: RoleStore;
  role: HostRole;
  /** PIXDOCK_DATA_DIR determines the folder. */
  isFixed: boolean;
  texts(): Texts;
  program: string | undefined;
}

/** Lets the user choose a folder in place of one whose database is damaged. */
function handleOtherDataFolder({ ipc, roles, role, isFixed, texts, program }: OtherFolderParts): void {
  const problems = {
    not_pixdock: 'dataFolderNotEmpty',
    not_empty: 'dataFolderNotEmpty',
    not_writable: 'dataFolderNotWritable',
    on_network: 'dataFolderOnNetwork',
  } as const;
  ipc.handle({
    async chooseOtherDataFolder() {
      if (isFixed) throw new Reason('dataFolderIsFixed');
      const title = texts().chooseNewDataFolder;
      const [chosen] = await askForPaths('dataFolder', undefined, { title, properties: ['openDirectory', 'createDirectory'] });
      if (chosen === undefined) return undefined;
      const { path, problem } = await checkDataFolder(chosen, 'new');
      if (problem) throw new Reason(problems[problem], { detail: path });
      roles.set({ ...role, dataDir: path });
      relaunch(program);
      app.quit();
      return undefined;
    },
  });
}

interface Parts {
  paths: AppPaths;
  preferences: PreferenceStore;
  roles: RoleStore;
  clock: Clock;
  texts(): Texts;
  /** The program to start again, if it isn't the running one. */
  program: string | undefined;
  onJoinLink(listener: (address: string) => void): void;
}

/** The token of a joined host. */
function setupToken(): TokenFile {
  return tokenFile(join(app.getPath('userData'), 'joined-token.json'), safeStorage);
}

/** What this computer does; a new user is asked. */
async function chooseRole(parts: Parts, token: TokenFile, { wayland, sessionBus }: Basics['env']): Promise<Chosen> {
  const role = parts.roles.get();
  if (role) return { role, open: 'gallery', close: () => undefined };
  return firstLaunch({
    ...parts,
    token,
    computer: hostname(),
    screenshots: screenshotsFolder,
    shortcuts: {
      ...createShortcutTrial({ portal: wayland ? hasPortal(sessionBus, 'GlobalShortcuts') : undefined, preferences: parts.preferences }),
      isPortal: wayland,
    },
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
function setupAccount(
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
