import type { ServiceStatus } from '#api/desktop/service.ts';
import { Reason } from '#main/base/reasons.ts';
import { within } from '#main/base/time-limit.ts';
import type { ServiceProcess } from './server-process.ts';

/** Resolves to the service's address once it runs; throws a {@link Reason} after `limit` milliseconds. */
export async function serviceUrl(service: Pick<ServiceProcess, 'status' | 'onStatus'>, limit: number): Promise<string> {
  const running = Promise.withResolvers<string>();
  const look = (status: ServiceStatus) => {
    if (status.state === 'running') running.resolve(status.url);
  };
  const unsubscribe = service.onStatus(look);
  look(service.status());
  try {
    return await within(running.promise, limit, () => new Reason('serviceUnreachable'));
  } finally {
    unsubscribe();
  }
}
