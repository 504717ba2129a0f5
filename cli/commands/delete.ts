import type { Command } from 'commander';
import { TRASH_DAYS } from '#api/constants.ts';
import { trashImage } from '#api/images/images.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { several } from '#server/platform/base/several.ts';
import { describeError, EXIT } from '../errors.ts';
import { concernsAllFiles } from '../failures.ts';
import { helpBelow } from '../help.ts';
import { addJsonOption, addServerOptions, type ServerOptions } from '../options.ts';
import { keyOf, parseReference, requireOwnLinks } from '../picture-reference.ts';
import { type Invocation, interruptible, prepare } from '../run.ts';

interface DeleteOptions extends ServerOptions {
  json?: boolean;
}

const HELP = helpBelow(
  [
    ['pixdock delete b7Rk2mQx9LpT'],
    ['pixdock delete https://pics.example.org/i/b7Rk2mQx9LpT.png release-notes', 'links and custom addresses work, too'],
  ],
  [
    `The links stop working at once. The pictures stay in the trash for ${TRASH_DAYS} days, unless an administrator has chosen otherwise, and can be restored from there in the web application. You need a token with full access.`,
  ],
);

export function deleteCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('delete')
    .summary('move pictures to the trash')
    .description('Moves pictures to the trash.')
    .argument('<picture...>', 'keys, custom addresses or links of your pictures');
  addServerOptions(addJsonOption(command), DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (pictures: string[], options: DeleteOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => moveToTrash(invocation, pictures, options, signal))),
    );
}

async function moveToTrash(invocation: Invocation, pictures: string[], options: DeleteOptions, signal: AbortSignal): Promise<number> {
  const references = pictures.map(parseReference);
  const run = await prepare(invocation, options);
  const { client } = run.connection;
  const repeated = <T>(work: () => Promise<T>) => run.withRetries(work, signal);
  // All of them, before the first is deleted.
  await repeated(() => requireOwnLinks(client, references, signal));
  const deleted = new Set<string>();
  let failed = false;
  try {
    for (const reference of references) {
      signal.throwIfAborted();
      try {
        const key = await repeated(() => keyOf(client, reference, signal));
        if (deleted.has(key)) continue;
        await repeated(() => client.call(trashImage, { params: { key }, signal }));
        deleted.add(key);
        if (options.json) run.terminal.line(JSON.stringify({ key, deleted: true }));
      } catch (error) {
        signal.throwIfAborted();
        failed = true;
        run.terminal.problem(reference.text, describeError(error));
        if (concernsAllFiles(error)) break;
      }
    }
  } finally {
    if (deleted.size) run.terminal.note(`Moved ${several(deleted.size, 'picture')} to the trash.`);
  }
  return failed ? EXIT.failed : EXIT.done;
}
