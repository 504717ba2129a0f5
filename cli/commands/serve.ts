import type { Command } from 'commander';
import { readSecret } from '../ask-secret.ts';
import { processEnvironment } from '../env.ts';
import { EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { wholeNumber } from '../options.ts';
import { prepareHere } from '../run.ts';

type Finish = (exitCode: number) => void;

const SERVE_HELP = helpBelow(
  [
    ['pixdock serve', 'for this computer only'],
    ['pixdock serve --host 0.0.0.0 --port 8080', 'for the whole network'],
  ],
  [
    'Environment: PIXDOCK_HOST, PIXDOCK_PORT (0 is any free one), PIXDOCK_DATA_DIR, PIXDOCK_BASE_URL (what links begin with), PIXDOCK_TRUST_PROXY and PIXDOCK_ALLOWED_HOSTS (separated by commas), PIXDOCK_LOG_LEVEL. Options go before the environment.',
    'Ctrl-C and SIGTERM let running requests finish and end with exit code 0.',
  ],
);

const RESET_HELP = helpBelow(
  [
    ['pixdock reset-password ada', 'asks for the new password twice'],
    ['sudo -u pixdock pixdock reset-password ada --data-dir /var/lib/pixdock'],
  ],
  ['Run it as the user that the service runs as. All sessions of the account end. It works while the service runs and while it does not.'],
);

export function serveCommands(program: Command, finish: Finish) {
  program
    .command('serve')
    .summary('run a server without a desktop')
    .description('Runs the Pixdock service: web application, interface and links.')
    .option('--host <address>', 'listen on this address; 0.0.0.0 is the whole network')
    .option('--port <number>', 'listen on this port; 0 is any free one', wholeNumber(0, 65_535))
    .option('--data-dir <folder>', 'where everything is kept')
    .addHelpText('after', SERVE_HELP)
    .action(async (options: ServeOptions) => finish(await serve(options)));
  program
    .command('reset-password')
    .summary('give an account of a server on this computer a new password')
    .description("Sets a new password from the server's data folder, for when nobody can sign in any more.")
    .argument('<account>', 'user name or e-mail address')
    .option('--data-dir <folder>', 'where the server keeps everything (environment: PIXDOCK_DATA_DIR)')
    .option('--no-color', 'no colours (environment: NO_COLOR)')
    .addHelpText('after', RESET_HELP)
    .action(async (account: string, options: ResetOptions) => finish(await reset(account, options)));
}

interface ServeOptions {
  host?: string;
  port?: number;
  dataDir?: string;
}

interface ResetOptions {
  dataDir?: string;
  color: boolean;
}

async function serve({ host, port, dataDir }: ServeOptions): Promise<number> {
  const { ensureAllocator } = await import('#server/platform/config/allocator.ts');
  ensureAllocator();
  const { runHeadless } = await import('#server/headless.ts');
  await runHeadless(processEnvironment({ PIXDOCK_HOST: host, PIXDOCK_PORT: port?.toString(), PIXDOCK_DATA_DIR: dataDir }));
  return Number(process.exitCode ?? EXIT.done);
}

async function reset(account: string, options: ResetOptions): Promise<number> {
  const { terminal } = prepareHere(options);
  const { configFromEnv } = await import('#server/platform/config/env.ts');
  const { resetPassword } = await import('#server/features/accounts/reset-password.ts');
  // The web application is not needed for this.
  const { dataDir } = configFromEnv('.', processEnvironment({ PIXDOCK_DATA_DIR: options.dataDir }));
  const username = await resetPassword(dataDir, account, () => newPassword(account));
  terminal.note(`${username} has the new password, and all sessions of this account are ended.`);
  return EXIT.done;
}

/** A typed password is asked for twice, since nobody sees it. */
async function newPassword(account: string): Promise<string> {
  const password = await readSecret(`New password for ${account}: `);
  if (process.stdin.isTTY && (await readSecret('Once more: ')) !== password)
    throw new UsageError('The two passwords differ. Nothing is changed.');
  return password;
}
