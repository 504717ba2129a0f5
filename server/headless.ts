import { join } from 'node:path';
import { ConfigError } from './config/config.ts';
import { configFromEnv } from './config/env.ts';
import { startService } from './server.ts';

/** The built web application, beside the built service. */
const WEB_ROOT = join(import.meta.dirname, '..', 'renderer');

/** Runs the service as a program: configured by the environment, told to stop by a signal. Says what is wrong and sets exit code 1 when it cannot start. */
export async function runHeadless(): Promise<void> {
  try {
    const service = await startService(configFromEnv(WEB_ROOT));
    console.log(`Pixdock is at ${service.linkAddress}`);
    if (service.setupCode) console.log(`Set it up there in a browser. From another computer, this code is asked for: ${service.setupCode}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.stop().then(() => process.exit(0)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`pixdock: ${error.message}`);
    process.exitCode = 1;
  }
}
