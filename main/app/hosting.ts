import { userInfo } from 'node:os';
import { join } from 'node:path';
import { app, session } from 'electron';
import { systemClock } from '#main/base/clock.ts';
import { describeFailure, type Failure } from '#main/base/reasons.ts';
import { setupRole } from '#main/base/role.ts';
import { applySiteName } from '#main/first-launch/apply-choices.ts';
import { setupMemory } from '#main/lan/memory.ts';
import { listenOptions, setupLan } from '#main/lan/setup.ts';
import { findDataFolder } from '#main/service/data-folder.ts';
import { ownerName } from '#main/service/owner-name.ts';
import { setupService } from '#main/service/service.ts';
import { createWindowSession } from '#main/service/window-session.ts';
import type { Basics } from './basics.ts';
import { chooseRole, setupAccount, setupToken } from './role-parts.ts';

export type Hosting = Awaited<ReturnType<typeof setupHosting>>;

/** Hosts the service here, or joins another Pixdock server: asks at the first start, and otherwise does what was chosen then. */
export async function setupHosting({ ipc, env, paths, preferences, texts, logs, notify, explain }: Basics) {
  const earlierDataDir = join(app.getPath('userData'), 'data');
  const roles = setupRole(env, earlierDataDir);
  const token = setupToken();
  const chosen = await chooseRole({ paths, preferences, roles, clock: systemClock, texts, program: env.launchFile }, token);
  const hosting = chosen.role.kind === 'host' ? chosen.role : undefined;
  const data = findDataFolder({ chosen: hosting?.dataDir ?? env.dataDir, usual: env.usualDataDir, earlier: earlierDataDir });
  if (data.stays)
    notify({ title: texts().dataStaysTitle, body: texts().dataStays(data.path, env.usualDataDir), failure: true, hint: 'data-stays' });
  const network = { env, preferences, memory: setupMemory() };
  const service = setupService({ ipc, listen: listenOptions(network), dataDir: data.path, paths, logs });
  if (hosting) service.start();
  const username = ownerName(userInfo().username);
  const { account, local, joined } = setupAccount(chosen.role, { ipc, service, preferences, roles, token, username, clock: systemClock });
  if (hosting) applySiteName(hosting, roles, account);
  return {
    /** The sentence that the user sees for a failed upload. */
    explainFailure: (failure: Failure) => describeFailure(failure, texts(), joined === undefined),
    chosen,
    service,
    lan: setupLan({ ...network, ipc, service, describe: explain }),
    windowSession: createWindowSession({ service, cookies: session.defaultSession.cookies, username }),
    account,
    local,
    joined,
    dataFolder: data.path,
  };
}
