import { app, utilityProcess } from 'electron';
import { systemClock } from '#main/base/clock.ts';
import type { Logs } from '#main/base/files/logs.ts';
import type { AppPaths } from '#main/base/files/paths.ts';
import { serviceEnv } from '#main/base/system/env.ts';
import type { Ipc } from '#main/ipc.ts';
import { connectService } from './calls.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { type Launch, launchAsUtility, launchOnNode } from './server-launch.ts';
import type { ChildConfig } from './server-messages.ts';
import { ServiceProcess } from './server-process.ts';

/** Where the service listens, and the host names that it accepts besides those of links and of this computer. */
export type ListenOptions = Pick<ChildConfig, 'host' | 'port' | 'allowedHosts'>;

interface Options {
  ipc: Ipc;
  listen: ListenOptions;
  /** Absolute path. */
  dataDir: string;
  paths: AppPaths;
  logs: Logs;
}

/** The image service with this system's launcher. It isn't started yet: while another Pixdock server is joined, it never is. */
export function setupService({ ipc, listen, dataDir, paths, logs }: Options): ServiceProcess {
  const service = new ServiceProcess(
    chooseLaunch(paths, logs),
    {
      ...listen,
      dataDir,
      trustProxy: [],
      webRoot: paths.webRoot,
      logLevel: 'info',
    },
    systemClock,
  );
  connectService(ipc, { logs, service });
  watchHeartbeat({ service, clock: systemClock });
  return service;
}

function chooseLaunch({ node, serviceEntry, decoderEntry }: AppPaths, { follow }: Logs): Launch {
  if (process.platform === 'linux') return launchOnNode({ node, entry: serviceEntry, follow, env: serviceEnv() });
  const cpuSecondsOf = (pid: number) => app.getAppMetrics().find((metric) => metric.pid === pid)?.cpu.cumulativeCPUUsage;
  return launchAsUtility({ fork: utilityProcess.fork.bind(utilityProcess), cpuSecondsOf, entry: serviceEntry, decoderEntry, follow });
}
