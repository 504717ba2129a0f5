import type { Command } from 'commander';
import { readSecret } from '../ask-secret.ts';
import { serviceEnvironment } from '../env.ts';
import { EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import type { Io } from '../io.ts';
import { wholeNumber } from '../options.ts';
import type { Invocation } from '../run.ts';

const SERVE_HELP = helpBelow(
  [
    ['pixdock serve', 'for this computer only'],
    ['pixdock serve --host 0.0.0.0 --port 8080', 'for the whole network'],
  ],
  [
    'Environment: PIXDOCK_HOST, PIXDOCK_PORT (0 for any free port), PIXDOCK_DATA_DIR, PIXDOCK_BASE_URL (link address: the start of all links), PIXDOCK_DATABASE_URL (PostgreSQL instead of SQLite in the data folder), PIXDOCK_TRUST_PROXY and PIXDOCK_ALLOWED_HOSTS (comma-separated), PIXDOCK_SECRETS (path or base64 of the secrets.json that several servers on one database share), PIXDOCK_DRAIN_SECONDS (how long to keep accepting requests after a stop signal, while /readyz responds with 503), PIXDOCK_LOG_LEVEL. Options take precedence.',
    'On Ctrl-C or SIGTERM, the server finishes requests in progress and exits with code 0.',
  ],
);

const RESET_HELP = helpBelow(
  [
    ['pixdock reset-password ada', 'prompt twice for the new password'],
    ['sudo -u pixdock pixdock reset-password ada --data-dir /var/lib/pixdock'],
  ],
  [
    'Run this as the system user that runs the service. The service can be running or stopped. The account is signed out everywhere, and its API tokens are revoked.',
  ],
);

export function serveCommands(program: Command, invocation: Invocation) {
  program
    .command('serve')
    .summary('run a server without the desktop app')
    .description('Runs the Pixdock service: the web application, the API and the links.')
    .option('--host <address>', 'address to listen on; 0.0.0.0 means the whole network')
    .option('--port <number>', 'port to listen on; 0 means any free port', wholeNumber(0, 65_535))
    .option('--data-dir <folder>', 'data folder: database, pictures and secrets')
    .addHelpText('after', SERVE_HELP)
    .action(async (options: ServeOptions) => invocation.finish(await serve(invocation, options)));
  program
    .command('reset-password')
    .summary('set a new password for an account on this server')
    .description('Sets a new password directly in the server’s data folder, for when you can’t sign in.')
    .argument('<account>', 'username or email address')
    .option('--data-dir <folder>', 'data folder of the server (environment: PIXDOCK_DATA_DIR)')
    .option('--keep-tokens', 'keep the API tokens of the account instead of revoking them')
    .option('--reset-two-factor', 'also turn off two-factor authentication and remove the passkeys')
    .addHelpText('after', RESET_HELP)
    .action(async (account: string, options: ResetOptions) => invocation.finish(await reset(invocation, account, options)));
}

interface ServeOptions {
  host?: string;
  port?: number;
  dataDir?: string;
}

interface ResetOptions {
  dataDir?: string;
  keepTokens?: boolean;
  resetTwoFactor?: boolean;
}

async function serve({ io }: Invocation, { host, port, dataDir }: ServeOptions): Promise<number> {
  const { ensureAllocator } = await import('#server/platform/config/allocator.ts');
  ensureAllocator();
  const env = serviceEnvironment(io.env, { PIXDOCK_HOST: host, PIXDOCK_PORT: port?.toString(), PIXDOCK_DATA_DIR: dataDir });
  const { keepCompiled } = await import('#server/platform/config/compile-cache.ts');
  keepCompiled(env);
  const { runHeadless } = await import('#server/headless.ts');
  await runHeadless(env);
  return Number(process.exitCode ?? EXIT.done);
}

async function reset({ io, terminal }: Invocation, account: string, options: ResetOptions): Promise<number> {
  const { configFromEnv } = await import('#server/platform/config/env.ts');
  const { resetPassword } = await import('#server/features/accounts/reset-password.ts');
  // Needs no web application.
  const config = configFromEnv('.', serviceEnvironment(io.env, { PIXDOCK_DATA_DIR: options.dataDir }));
  const { keepTokens, resetTwoFactor } = options;
  const username = await resetPassword(config, account, () => newPassword(io, account), { keepTokens, resetTwoFactor });
  const tokens = keepTokens ? 'Its API tokens still work.' : 'Its API tokens have been revoked.';
  const second = resetTwoFactor ? ' Two-factor authentication is off, and the account’s passkeys have been removed.' : '';
  terminal.note(`Password changed for ${username}. The account has been signed out everywhere. ${tokens}${second}`);
  return EXIT.done;
}

/** A typed password isn't shown, so it is asked for twice. */
async function newPassword(io: Io, account: string): Promise<string> {
  const password = await readSecret(io, `New password for ${account}: `);
  if (io.stdin.isTTY && (await readSecret(io, 'Repeat the password: ')) !== password)
    throw new UsageError('The passwords don’t match. Nothing was changed.');
  return password;
}
