import type { Clock } from '#main/base/clock.ts';
import type { ServiceProcess } from './server-process.ts';

/** Between two pings, and in which the service must respond. */
export const BEAT_EVERY_MS = 10_000;
const RESPONSE_LIMIT_MS = 10_000;
/** Questions without a response after which the service counts as hung. */
export const MAX_MISSED = 3;

interface Options {
  service: Pick<ServiceProcess, 'status' | 'onStatus' | 'giveUp'>;
  clock: Clock;
  /** Resolves when the service responds, whatever it says. */
  ask?(url: string): Promise<unknown>;
}

/** Kills a service that runs but no longer responds; it is then restarted like one that crashed. */
export function watchHeartbeat({ service, clock, ask = askHealth }: Options): void {
  let cancel = (): void => undefined;
  let missed = 0;

  function plan(url: string) {
    cancel();
    cancel = clock.after(BEAT_EVERY_MS, () => void beat(url));
  }

  async function beat(url: string) {
    const responded = await ask(url).then(
      () => true,
      () => false,
    );
    const status = service.status();
    if (status.state !== 'running' || status.url !== url) return;
    missed = responded ? 0 : missed + 1;
    if (missed < MAX_MISSED) return plan(url);
    missed = 0;
    service.giveUp({ code: 'hung', detail: 'The service stopped responding.' });
  }

  service.onStatus((status) => {
    cancel();
    missed = 0;
    if (status.state === 'running') plan(status.url);
  });
}

async function askHealth(url: string) {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(RESPONSE_LIMIT_MS) });
  await response.body?.cancel();
}
