import { app } from 'electron';
import type { JoinedHost } from '#api/desktop/joining.ts';
import type { Clock } from '#main/base/clock.ts';
import type { JoinedRole, RoleStore } from '#main/base/role.ts';
import { messageBox } from '#main/base/system/message-box.ts';
import { relaunch } from '#main/base/system/relaunch.ts';
import type { Ipc } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { connectJoining } from './calls.ts';
import { revokeOnHost } from './host-client.ts';
import { createJoining } from './join.ts';
import { createJoinedAccount, type JoinedAccount, serverName } from './joined-account.ts';
import type { TokenFile } from './token-file.ts';

/** A joined host: what the app needs in place of its own service. */
export interface Joined {
  account: JoinedAccount;
  present(): JoinedHost;
  /** Opens the host's gallery, or another of its pages, in the user's browser: never in the window, whose pages have the bridge. */
  openHost(page?: string): void;
  /** Handles the call that disconnects from the host. */
  handleLeaving(options: LeavingOptions): void;
}

interface Options {
  ipc: Ipc;
  role: JoinedRole;
  roles: RoleStore;
  token: TokenFile;
  clock: Clock;
  /** This computer's name. */
  device: string;
  /** Opens a page in the user's browser. */
  openOutside(url: string): void;
}

interface LeavingOptions {
  texts(): Texts;
  /** The program to start again, if it isn't the running one. */
  program: string | undefined;
  /** The uploads that have not arrived. */
  pending: { count(): number; discard(): void };
}

export function setupJoined({ ipc, role, roles, token, clock, device, openOutside }: Options): Joined {
  const account = createJoinedAccount({ host: role, token: token.read(), clock, revoke: revokeOnHost });
  const joining = createJoining({
    device,
    clock,
    onConfirmed(host, secret) {
      token.write(secret);
      roles.set(host);
      account.connect(host, secret);
    },
  });

  const present = (): JoinedHost => {
    const { name, url, username } = account.host();
    return { name, url, username, state: account.condition(), encrypted: token.isEncrypted(), limits: account.limits() };
  };

  account.onChange(() => ipc.tell('joinedHost', present()));
  connectJoining(ipc, { joining, openOutside });
  ipc.handle({
    getJoinedHost: present,
    connectAgain: () => joining.start(account.host().url, account.host()).then(() => undefined),
  });
  return {
    account,
    present,
    openHost: (page = '') => openOutside(account.host().url + page),
    handleLeaving: ({ texts, program, pending }) =>
      ipc.handle({
        async leaveHost() {
          if (!(await confirmed(texts(), serverName(account.host()), pending.count()))) return false;
          pending.discard();
          await account.leave();
          token.remove();
          roles.set(undefined);
          relaunch(program);
          // After the response to the page.
          setImmediate(() => app.quit());
          return true;
        },
      }),
  };
}

async function confirmed(texts: Texts, name: string, uploads: number): Promise<boolean> {
  const button = await messageBox({
    type: 'question',
    message: texts.leaveQuestion(name),
    detail: [...(uploads > 0 ? [texts.leaveUploads(uploads)] : []), texts.leaveHint].join('\n\n'),
    buttons: [texts.stay, texts.leave],
    defaultId: 0,
    cancelId: 0,
  });
  return button === 1;
}
