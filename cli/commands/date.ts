import { type Command, Option } from 'commander';
import { MAX_BATCH, MAX_PAGE } from '#api/constants.ts';
import { batchImages } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { several } from '#server/platform/base/several.ts';
import { EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addJsonOption, addServerOptions, type ServerOptions, shift, takenTime } from '../options.ts';
import { keyOf, parseReference, requireOwnLinks } from '../picture-reference.ts';
import { type Invocation, interruptible, prepare, type Run } from '../run.ts';

interface DateOptions extends ServerOptions {
  set?: string;
  shift?: number;
  undo?: string;
  json?: boolean;
}

const HELP = helpBelow(
  [
    ['pixdock date b7Rk2mQx9LpT --set 2019-05-14T18:30', 'in the time zone of this computer'],
    ['pixdock date b7Rk2mQx9LpT Xw3nVb81TqLc --shift -1h30m', 'taken an hour and a half earlier'],
    ['pixdock date --undo 4TqLcXw3nVb81b7Rk2mQx9'],
  ],
  [
    'Prints each picture with its new date. Dates can be from 1826 to the end of next year; if a shift would take one picture out of this range, none is changed. You need a token with full access.',
    'A shift is never retried automatically: if the connection is lost, check the date of a picture before you run it again.',
    'Exit codes: 0 changed, 1 some or all failed, 2 invalid usage, 130 interrupted.',
  ],
);

export function dateCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('date')
    .summary('correct when pictures were taken')
    .description('Sets when pictures were taken, or shifts it, for a camera whose clock or time zone was wrong.')
    .argument('[pictures...]', `keys, custom addresses or links of uploaded pictures, up to ${MAX_BATCH}`)
    .addOption(
      new Option('--set <time>', 'when all of them were taken, such as 2019-05-14T18:30 or 2019-05-14T18:30+02:00').argParser(takenTime),
    )
    .addOption(new Option('--shift <time>', 'how much later they were taken, such as 2h, 1d12h or -30m').argParser(shift).conflicts('set'))
    .addOption(new Option('--undo <code>', 'undo an earlier change, with the code that it printed').conflicts(['set', 'shift']));
  addServerOptions(addJsonOption(command), DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (pictures: string[], options: DateOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => changeDates(invocation, pictures, options, signal))),
    );
}

async function changeDates(invocation: Invocation, pictures: string[], options: DateOptions, signal: AbortSignal): Promise<number> {
  const { set, shift: seconds, undo } = options;
  if (undo !== undefined && pictures.length > 0) throw new UsageError('Use --undo without pictures: it knows which ones.');
  if (undo === undefined && set === undefined && seconds === undefined) throw new UsageError('Use --set, --shift or --undo.');
  if (undo === undefined && (pictures.length === 0 || pictures.length > MAX_BATCH))
    throw new UsageError(`Name 1 to ${MAX_BATCH} pictures by their keys, custom addresses or links.`);
  const references = pictures.map(parseReference);
  const run = await prepare(invocation, options);
  if (undo !== undefined) return takeBack(run, undo, signal);
  const { client } = run.connection;
  const repeated = <T>(work: () => Promise<T>) => run.withRetries(work, signal);
  await repeated(() => requireOwnLinks(client, references, signal));
  const found = new Set<string>();
  for (const reference of references) found.add(await repeated(() => keyOf(client, reference, signal)));
  const keys = [...found];
  const change = set === undefined ? { shift_seconds: seconds } : { taken_at: set };
  const send = () => client.call(batchImages, { body: { action: 'date', keys, ...change }, signal });
  const outcome = set === undefined ? await send() : await repeated(send);
  for (const { key, ok } of outcome.results) if (!ok) run.terminal.problem(key, 'you have no such picture, or it’s in the trash');
  const changed = outcome.results.flatMap(({ key, ok }) => (ok ? [key] : []));
  await printDates(run, changed, options.json, signal);
  if (outcome.undo) run.terminal.note(`To undo this within a day: pixdock date --undo ${outcome.undo}`);
  return outcome.failed > 0 ? EXIT.failed : EXIT.done;
}

async function printDates(run: Run, keys: readonly string[], json: boolean | undefined, signal: AbortSignal): Promise<void> {
  for (let from = 0; from < keys.length; from += MAX_PAGE) {
    const some = keys.slice(from, from + MAX_PAGE);
    const read = () => run.connection.client.call(listImages, { query: { keys: some.join(','), limit: MAX_PAGE }, signal });
    const { items } = await run.withRetries(read, signal);
    const dates = new Map(items.map(({ key, taken_at }) => [key, taken_at]));
    for (const key of some) {
      const taken_at = dates.get(key);
      if (taken_at !== undefined) run.terminal.line(json ? JSON.stringify({ key, taken_at }) : `${key} ${taken_at}`);
    }
  }
}

async function takeBack(run: Run, undo: string, signal: AbortSignal): Promise<number> {
  const { processed, failed } = await run.connection.client.call(batchImages, { body: { action: 'undo', undo }, signal });
  run.terminal.note(`${several(processed, 'picture')} ${processed === 1 ? 'has' : 'have'} the former date again.`);
  if (failed > 0)
    run.terminal.problem(undefined, `${several(failed, 'picture')} ${failed === 1 ? 'was' : 'were'} changed or deleted since.`);
  return failed > 0 ? EXIT.failed : EXIT.done;
}
