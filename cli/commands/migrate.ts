import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { newBucket } from '#api/admin/policies.ts';
import type { Destination } from '#server/features/migrate/storages.ts';
import { several } from '#server/platform/base/several.ts';
import { type Environment, serviceEnvironment } from '../env.ts';
import { CommandError, EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addJsonOption } from '../options.ts';
import { formatBytes, printable } from '../printable.ts';
import { type Invocation, interruptible } from '../run.ts';

interface Options {
  to: string;
  storage?: string;
  dataDir?: string;
  json?: boolean;
}

const HELP = helpBelow(
  [
    ['pixdock migrate --to postgres://pixdock@db.example.org/pixdock', 'pictures stay in the data folder'],
    ["pixdock migrate --to postgres://pixdock@db.example.org/pixdock --storage 's3://pictures/pixdock?endpoint=https://s3.example.org'"],
    ['pixdock migrate --to /var/lib/pixdock-new --storage /srv/pictures', 'from PIXDOCK_DATABASE_URL and a bucket to this computer'],
  ],
  [
    'Stop all services first, and run the command as the same system user, with the same PIXDOCK_DATA_DIR, PIXDOCK_DATABASE_URL and PIXDOCK_SECRETS. --to can’t contain a password: set PGPASSWORD, or list it in ~/.pgpass or the file named by PGPASSFILE.',
    '--storage s3://bucket/prefix takes endpoint, region and path_style as parameters, and the access key from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    'To resume an interrupted migration, run the same command again. The source stays as it is; everything in the target is compared with it at the end.',
    'Exit codes: 0 done; 1 failed, or picture files were already missing or damaged; 2 invalid usage; 130 interrupted.',
  ],
);

export function migrateCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('migrate')
    .summary('copy this server to another database or storage')
    .description(
      'Copies the database of a stopped server into an empty one, from SQLite to PostgreSQL or back, and pictures to other storage.',
    )
    .requiredOption('--to <target>', 'URL of a PostgreSQL database, or a data folder')
    .option(
      '--storage <place>',
      's3://bucket/prefix for local pictures; data-folder or an absolute path for those in a bucket (default: leave pictures where they are)',
    )
    .option('--data-dir <folder>', 'data folder of the server (environment: PIXDOCK_DATA_DIR)');
  addJsonOption(command)
    .addHelpText('after', HELP)
    .action(async (options: Options) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => run(invocation, options, signal))),
    );
}

async function run({ io, environment, terminal }: Invocation, options: Options, signal: AbortSignal): Promise<number> {
  const destination = destinationOf(options.storage, environment);
  const target = targetOf(options.to);
  const { configFromEnv } = await import('#server/platform/config/env.ts');
  const { migrate } = await import('#server/features/migrate/migrate.ts');
  // Needs no web application.
  const config = configFromEnv('.', serviceEnvironment(io.env, { PIXDOCK_DATA_DIR: options.dataDir }));
  const to = { dataDir: config.dataDir, ...target };
  const titles = { rows: 'Copying the database…', files: 'Copying pictures…', check: 'Comparing the copy with its source…' };
  const result = await migrate(config, to, destination, {
    signal,
    reporting: {
      onStart(step, { files, size }) {
        terminal.stopProgress();
        terminal.note(titles[step]);
        terminal.startProgress(files, size, step === 'files' ? formatBytes : formatRows);
      },
      onProgress: ({ files, size }) => terminal.advance({ ...(files && { files }), ...(size && { bytes: size }) }),
      onLost: (sentence) => terminal.line(options.json ? JSON.stringify({ lost: sentence }) : printable(sentence)),
    },
  })
    .catch(asSentence)
    .finally(() => terminal.stopProgress());
  const moved = result.files > 0 ? ` and ${several(result.files, 'file')}` : '';
  terminal.note(`Copied and verified ${several(result.rows, 'row')}${moved}: ${several(result.images, 'picture')}.`);
  if (options.json) terminal.line(JSON.stringify(result));
  terminal.note(
    to.databaseUrl
      ? 'Now set PIXDOCK_DATABASE_URL to the value of --to, with the password if there is one, and start Pixdock.'
      : `Now remove PIXDOCK_DATABASE_URL, set PIXDOCK_DATA_DIR to ${to.dataDir}, and start Pixdock.`,
  );
  return result.lost === 0 ? EXIT.done : EXIT.failed;
}

const formatRows = (rows: number) => several(Math.round(rows), 'row');

/** The folder, or the database in the place of the one in the source's folder. */
function targetOf(text: string): { dataDir?: string; databaseUrl?: string } {
  if (/^postgres(ql)?:\/\//i.test(text)) return { databaseUrl: withoutPassword(text) };
  if (!/^\w+:\/\//.test(text)) return { dataDir: resolve(text) };
  if (!text.startsWith('sqlite:///')) throw new UsageError('--to must be a folder, or a URL such as postgres://user@host/database.');
  const path = fileURLToPath(text.replace(/^sqlite:/, 'file:'));
  return { dataDir: resolve(basename(path) === 'pixdock.db' ? dirname(path) : path) };
}

/** Every user of a computer can read the arguments of its programs. */
function withoutPassword(url: string): string {
  if (!/^\w+:\/\/[^/?#@:]*:[^/?#]*@|[?&]password=/.test(url)) return url;
  throw new UsageError(
    '--to contains a password, which other users of this computer can see. Leave it out, and set PGPASSWORD or list it in ~/.pgpass.',
  );
}

function destinationOf(text: string | undefined, { accessKey }: Environment): Destination {
  if (text === undefined) return 'unchanged';
  if (text === 'data-folder') return text;
  if (isAbsolute(text)) return { folder: resolve(text) };
  const url = URL.parse(text);
  if (url?.protocol !== 's3:') throw new UsageError('--storage must be s3://bucket/prefix, data-folder or the absolute path of a folder.');
  if (!accessKey.id || !accessKey.secret)
    throw new UsageError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the access key of the bucket.');
  const { endpoint, region = 'us-east-1', path_style = 'true', ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown) throw new UsageError(`--storage has an unknown parameter: ${unknown}. It accepts endpoint, region and path_style.`);
  const parsed = newBucket.safeParse({
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket: url.host,
    prefix: url.pathname.replace(/^\/|\/$/g, ''),
    path_style: path_style === 'true',
    access_key_id: accessKey.id,
    secret_access_key: accessKey.secret,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`The ${issue?.path.join('.')} of --storage isn’t valid: ${issue?.message}.`);
}

/** Faults of databases and buckets, which the user can do something about. */
async function asSentence(error: unknown): Promise<never> {
  const { RequestError } = await import('#server/platform/base/errors.ts');
  const { databaseFault } = await import('#server/platform/db/dialect.ts');
  const { ConfigError } = await import('#server/platform/config/config.ts');
  const again = 'Run the same command again to resume.';
  if (error instanceof ConfigError) throw new CommandError(error.message.replace('Check PIXDOCK_DATABASE_URL.', 'Check the URL.'));
  if (error instanceof RequestError) throw new CommandError(`${error.message} ${again}`, { cause: error });
  const fault = databaseFault(error);
  if (fault === 'unavailable' || fault === 'full' || fault === 'busy')
    throw new CommandError(`${(error as Error).message}. ${again}`, { cause: error });
  throw error;
}
