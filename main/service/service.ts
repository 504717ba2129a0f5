import { createWriteStream, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, utilityProcess } from 'electron';
import { systemClock } from '#main/base/clock.ts';
import { type DesktopEnv, serviceEnv } from '#main/base/env.ts';
import type { AppPaths } from '#main/base/paths.ts';
import { type Launch, launchAsUtility, launchOnNode } from './server-launch.ts';
import { ServiceProcess } from './server-process.ts';

/** Bytes above which a new log file is started; the previous one is kept. */
const LOG_LIMIT = 5_000_000;

/** Starts the image service with this system's launcher. */
export function setupService(env: DesktopEnv, paths: AppPaths): ServiceProcess {
  const service = new ServiceProcess(
    chooseLaunch(paths),
    {
      host: env.host,
      port: env.port,
      dataDir: env.dataDir ?? join(app.getPath('userData'), 'data'),
      trustProxy: [],
      allowedHosts: [],
      webRoot: paths.webRoot,
      logLevel: 'info',
    },
    systemClock,
  );
  service.start();
  return service;
}

function chooseLaunch({ node, serviceEntry }: AppPaths): Launch {
  if (process.platform === 'linux')
    return launchOnNode({ node, entry: serviceEntry, output: app.isPackaged ? openLog() : 'inherit', env: serviceEnv() });
  return launchAsUtility({
    fork: utilityProcess.fork.bind(utilityProcess),
    entry: serviceEntry,
    log(child) {
      const output = app.isPackaged ? createWriteStream('', { fd: openLog() }) : process.stdout;
      child.stdout?.pipe(output, { end: false });
      child.stderr?.pipe(output, { end: false });
    },
  });
}

/** Opens the service's log for appending: a file, not a pipe, so that the service can still write after main has gone. */
function openLog(): number {
  const folder = app.getPath('logs');
  const file = join(folder, 'service.log');
  mkdirSync(folder, { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(file, join(folder, 'service.old.log'));
  return openSync(file, 'a', 0o600);
}
