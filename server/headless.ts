import { join } from 'node:path';
import { reachOf } from '#api/sharing/reach.ts';
import { type Service, startService } from '#server/boot/server.ts';
import { ConfigError, type ServiceConfig } from '#server/platform/config/config.ts';
import { configFromEnv } from '#server/platform/config/env.ts';
import { opens } from '#texts/en/shell/common.ts';

/** The built web application, beside the built service. */
const WEB_ROOT = join(import.meta.dirname, '..', 'renderer');

/** Runs the service as a program, configured by the environment and stopped by a signal. Prints the reason and sets exit code 1 when it can't start. */
export async function runHeadless(env?: NodeJS.ProcessEnv): Promise<void> {
  try {
    await announce(runAndRestart(configFromEnv(WEB_ROOT, env)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`pixdock: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Starts the service, and restarts it when it requests that. A signal stops the current one. */
function runAndRestart(config: ServiceConfig): Promise<Service> {
  let current: Promise<Service>;
  // From the first moment: a signal during start-up stops the service as soon as it has started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stopOnce(current));

  function restart() {
    current = again(current);
    announce(current).catch((error: unknown) => {
      console.error('pixdock: The service couldn’t be restarted.', error);
      process.exit(1); // a supervisor, if any, restarts it
    });
  }

  async function again(running: Promise<Service>) {
    const { url, stop } = await running;
    await stop();
    return startService({ ...config, port: Number(new URL(url).port || 80) }, { restart });
  }

  current = startService(config, { restart });
  return current;
}

async function announce(starting: Promise<Service>): Promise<void> {
  const service = await starting;
  const { linkAddress, setupCode, restoreNotice } = service;
  const reach = reachOf(linkAddress);
  const lines = [
    `Pixdock is running at ${linkAddress}`,
    `Links: ${opens[reach]} can open them.${reach === 'computer' ? ' To share them on your network, start Pixdock with PIXDOCK_HOST=0.0.0.0.' : ''}`,
  ];
  if (setupCode) lines.push(`Create the first account: ${linkAddress}/setup#code=${setupCode}`, `Setup code: ${setupCode}`);
  if (restoreNotice) lines.push(restoreNotice);
  // In one piece, for programs that wait for the first line.
  console.log(lines.join('\n'));
}

async function stopOnce(starting: Promise<Service>): Promise<void> {
  const service = await starting.catch(() => undefined); // runHeadless reports why it couldn't start
  await service?.stop();
  process.exit(service ? 0 : 1);
}
