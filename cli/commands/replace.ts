import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { CommandError, describeError, EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addFormatOptions, addServerOptions, type ServerOptions } from '../options.ts';
import { findKey, parseReference } from '../picture-reference.ts';
import { formatLink, type PrintedLink } from '../printable.ts';
import { type Invocation, interruptible, prepare } from '../run.ts';
import { uploadImage } from '../upload-image.ts';
import { copyLines, openSource } from './upload.ts';

interface ReplaceOptions extends ServerOptions, PrintedLink {
  copy?: boolean;
}

const HELP = helpBelow(
  [
    ['pixdock replace b7Rk2mQx9LpT corrected.png'],
    ['pixdock replace https://pics.example.org/i/b7Rk2mQx9LpT.png corrected.png', 'links and custom addresses work, too'],
    ['grim - | pixdock replace b7Rk2mQx9LpT -', 'from standard input'],
  ],
  [
    'The links stay the same and show the new picture immediately. The previous version moves to the trash. You need a token with full access.',
    'Exit codes: 0 replaced, 1 failed, 2 invalid usage, 130 interrupted.',
  ],
);

export function replaceCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('replace')
    .summary('replace a picture and keep its links')
    .description('Replaces an uploaded picture with another file and prints its link.')
    .argument('<picture>', 'key, custom address or link of the uploaded picture')
    .argument('<file>', 'the new picture, or - for standard input');
  addFormatOptions(command).option('--copy', 'also copy the link to the clipboard');
  addServerOptions(command, DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (picture: string, file: string, options: ReplaceOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => replace(invocation, { picture, file }, options, signal))),
    );
}

async function replace(
  invocation: Invocation,
  { picture, file }: { picture: string; file: string },
  options: ReplaceOptions,
  signal: AbortSignal,
): Promise<number> {
  const reference = parseReference(picture);
  const run = await prepare(invocation, options);
  await using image = await openSource(run, file, undefined, signal).catch((error: unknown) => {
    throw new CommandError(`${file}: ${describeError(error)}`, { cause: error });
  });
  const replaces = await run.withRetries(() => findKey(run.connection.client, reference, signal), signal);
  const key = randomUUID();
  const attempt = (idempotencyKey: string = key) =>
    uploadImage(run.connection, image, {}, { timeout: run.timeout, signal, idempotencyKey, replaces });
  const replaced = await run.withRetries(attempt, signal);
  const line = formatLink(options, replaced);
  run.terminal.line(line);
  if (replaced.reused) run.terminal.note(`${file}: identical to the uploaded picture; nothing was replaced.`);
  return options.copy && !(await copyLines(run, [line])) ? EXIT.failed : EXIT.done;
}
