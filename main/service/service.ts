import { utilityProcess } from 'electron';
import { systemClock } from '#main/base/clock.ts';
import { type DesktopEnv, serviceEnv } from '#main/base/env.ts';
import type { Logs } from '#main/base/logs.ts';
import type { AppPaths } from '#main/base/paths.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { type Launch, launchAsUtility, launchOnNode } from './server-launch.ts';
import { ServiceProcess } from './server-process.ts';

/** Starts the image service with this system's launcher. */
export function setupService(env: DesktopEnv, paths: AppPaths, dataDir: string, logs: Logs): ServiceProcess {
  const service = new ServiceProcess(
    chooseLaunch(paths, logs),
    {
      host: env.host,
      port: env.port,
      dataDir,
      trustProxy: [],
      allowedHosts: [],
      webRoot: paths.webRoot,
      logLevel: 'info',
    },
    systemClock,
  );
  watchHeartbeat({ service, clock: systemClock });
  service.start();
  return service;
}

function chooseLaunch({ node, serviceEntry }: AppPaths, { follow }: Logs): Launch {
  if (process.platform === 'linux') return launchOnNode({ node, entry: serviceEntry, follow, env: serviceEnv() });
  return launchAsUtility({ fork: utilityProcess.fork.bind(utilityProcess), entry: serviceEntry, follow });
}
