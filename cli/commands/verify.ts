import type { Command } from 'commander';
import { several } from '#server/platform/base/several.ts';
import { serviceEnvironment } from '../env.ts';
import { EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addJsonOption } from '../options.ts';
import { formatBytes, printable } from '../printable.ts';
import type { Invocation } from '../run.ts';

interface Options {
  dataDir?: string;
  repair?: boolean;
  json?: boolean;
}

const HELP = helpBelow(
  [['pixdock verify', 'report problems without changing anything'], ['pixdock verify --repair --data-dir /var/lib/pixdock']],
  [
    'Stop the service first, and run the command as the same system user. It reads every file, so it can take hours.',
    '--repair never deletes pictures: files that don’t belong to any picture are moved to the set-aside folder, and counters are recomputed. Lost or damaged pictures can only be restored from a backup.',
    'Exit codes: 0 no problems, or all repaired; 1 problems remain, or the check failed; 2 invalid usage.',
  ],
);

export function verifyCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('verify')
    .summary('check the data folder of this server')
    .description(
      'Checks the whole data folder and reports problems: the database, pictures (against their hashes), thumbnails and leftover files.',
    )
    .option('--data-dir <folder>', 'data folder of the server (environment: PIXDOCK_DATA_DIR)')
    .option('--repair', 'repair what can be repaired');
  addJsonOption(command)
    .addHelpText('after', HELP)
    .action(async (options: Options) => invocation.finish(await verify(invocation, options)));
}

async function verify({ io, terminal }: Invocation, { repair = false, dataDir, json = false }: Options): Promise<number> {
  const { configFromEnv } = await import('#server/platform/config/env.ts');
  const { verifyDataFolder } = await import('#server/features/verify/verify.ts');
  // Needs no web application.
  const config = configFromEnv('.', serviceEnvironment(io.env, { PIXDOCK_DATA_DIR: dataDir }));
  const { images, bytes, problems, repaired } = await verifyDataFolder(config, repair, {
    onStart: (checked) => terminal.startProgress(1, checked.bytes),
    onBytes: (read) => terminal.advance({ bytes: read }),
    onFinding: ({ problem, advice, repair: way }, isRepaired) => {
      const done = isRepaired ? way?.done : undefined;
      terminal.line(
        json ? JSON.stringify({ problem, repaired: isRepaired, advice: done ?? advice }) : printable(`${problem} ${done ?? advice}`),
      );
    },
  }).finally(() => terminal.stopProgress());
  const checked = `Checked ${several(images, 'picture')} (${formatBytes(bytes)})`;
  terminal.note(`${checked}: ${summarize(problems, repaired)}`);
  return problems === repaired ? EXIT.done : EXIT.failed;
}

function summarize(problems: number, repaired: number): string {
  if (problems === 0) return 'no problems.';
  const found = several(problems, 'problem');
  if (repaired === 0) return `${found}.`;
  if (repaired < problems) return `${found}, ${repaired} of them repaired.`;
  return problems === 1 ? `${found}, repaired.` : `${found}, all repaired.`;
}
