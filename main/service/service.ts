import { utilityProcess } from 'electron';
import { systemClock } from '#main/base/clock.ts';
import { serviceEnv } from '#main/base/env.ts';
import type { Logs } from '#main/base/logs.ts';
import type { AppPaths } from '#main/base/paths.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { type Launch, launchAsUtility, launchOnNode } from './server-launch.ts';
import type { ChildConfig } from './server-messages.ts';
import { ServiceProcess } from './server-process.ts';

/** Where the service listens, and the host names that it accepts besides those of links and of this computer. */
export type ListenOptions = Pick<ChildConfig, 'host' | 'port' | 'allowedHosts'>;

/** The image service with this system's launcher. It isn't started yet: while another Pixdock server is joined, it never is. */
export function setupService(options: ListenOptions & { dataDir: string }, paths: AppPaths, logs: Logs): ServiceProcess {
  const service = new ServiceProcess(
    chooseLaunch(paths, logs),
    {
      ...options,
      trustProxy: [],
      webRoot: paths.webRoot,
      logLevel: 'info',
    },
    systemClock,
  );
  watchHeartbeat({ service, clock: systemClock });
  return service;
}

function chooseLaunch({ node, serviceEntry, decoderEntry }: AppPaths, { follow }: Logs): Launch {
  if (process.platform === 'linux') return launchOnNode({ node, entry: serviceEntry, follow, env: serviceEnv() });
  return launchAsUtility({ fork: utilityProcess.fork.bind(utilityProcess), entry: serviceEntry, decoderEntry, follow });
}
