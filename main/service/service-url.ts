import type { ServiceStatus } from '#api/desktop/service.ts';
import { Reason } from '#main/base/reasons.ts';
import { within } from '#main/base/time-limit.ts';
import type { ServiceProcess } from './server-process.ts';

/** The addresses of a running service. */
export type RunningService = Extract<ServiceStatus, { state: 'running' }>;

/** Resolves to the service's addresses once it runs. @throws Reason `serviceUnreachable` after `limitMs` */
export async function runningService(service: Pick<ServiceProcess, 'status' | 'onStatus'>, limitMs: number): Promise<RunningService> {
  const running = Promise.withResolvers<RunningService>();
  const look = (status: ServiceStatus) => {
    if (status.state === 'running') running.resolve(status);
  };
  const unsubscribe = service.onStatus(look);
  look(service.status());
  try {
    return await within(running.promise, limitMs, () => new Reason('serviceUnreachable'));
  } finally {
    unsubscribe();
  }
}

/** Resolves to the service's address on this computer once it runs. @throws Reason `serviceUnreachable` after `limitMs` */
export async function serviceUrl(service: Pick<ServiceProcess, 'status' | 'onStatus'>, limitMs: number): Promise<string> {
  return (await runningService(service, limitMs)).url;
}
