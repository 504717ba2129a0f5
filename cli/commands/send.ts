import { type Command, Option } from 'commander';
import type { Client } from '#api/client.ts';
import { MAX_BATCH } from '#api/constants.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { removeSent, send } from '#api/sent.ts';
import { getTeam } from '#api/team.ts';
import { several } from '#server/platform/base/several.ts';
import { CommandError, EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addJsonOption, addServerOptions, collect, type ServerOptions } from '../options.ts';
import { keyOf, parseReference, requireOwnLinks } from '../picture-reference.ts';
import { type Invocation, interruptible, prepare, type Run } from '../run.ts';

interface SendOptions extends ServerOptions {
  to?: string[];
  toGroup?: string[];
  message?: string;
  undo?: string;
  json?: boolean;
}

const HELP = helpBelow(
  [
    ['pixdock send b7Rk2mQx9LpT --to carla'],
    ['pixdock send https://pics.example.org/i/b7Rk2mQx9LpT.png plan --to-group Writers --message "The new plan"'],
    ['pixdock send --undo b7Rk2mQx9LpT4TqLcXw3nV', 'takes it back from everyone'],
  ],
  [
    'The recipients need an account on the same server. They can open the pictures, private ones as well, and find them under “Sent and received” in the web application. A group means those who are in it now. Prints an ID with which you can take the pictures back. You need a token with full access.',
    'Sending is never retried automatically: if the connection is lost, check under “Sent and received” before you run it again.',
  ],
);

export function sendCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('send')
    .summary('send pictures to users of the server')
    .description('Sends pictures to other users of the same server.')
    .argument('[pictures...]', `keys, custom addresses or links of your pictures, up to ${MAX_BATCH}`)
    .option('--to <user>', 'the name of a user; repeatable', collect)
    .option('--to-group <name>', 'the name of a group that an administrator has listed; repeatable', collect)
    .option('--message <text>', 'a message to the recipients')
    .addOption(new Option('--undo <id>', 'take pictures back, with the ID that was printed').conflicts(['to', 'toGroup', 'message']));
  addServerOptions(addJsonOption(command), DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (pictures: string[], options: SendOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => sendPictures(invocation, pictures, options, signal))),
    );
}

async function sendPictures(invocation: Invocation, pictures: string[], options: SendOptions, signal: AbortSignal): Promise<number> {
  const { to = [], toGroup = [], message = '', undo, json } = options;
  if (undo !== undefined && pictures.length > 0) throw new UsageError('Use --undo without pictures: it knows which ones.');
  if (undo === undefined && to.length + toGroup.length === 0) throw new UsageError('Use --to or --to-group to say who gets the pictures.');
  if (undo === undefined && (pictures.length === 0 || pictures.length > MAX_BATCH))
    throw new UsageError(`Name 1 to ${MAX_BATCH} pictures by their keys, custom addresses or links.`);
  const references = pictures.map(parseReference);
  const run = await prepare(invocation, options);
  if (undo !== undefined) return takeBack(run, undo, json, signal);
  const { client } = run.connection;
  const repeated = <T>(work: () => Promise<T>) => run.withRetries(work, signal);
  await repeated(() => requireOwnLinks(client, references, signal));
  const groups = toGroup.length > 0 ? await repeated(() => findGroups(client, toGroup, signal)) : [];
  const keys = new Set<string>();
  for (const reference of references) keys.add(await repeated(() => keyOf(client, reference, signal)));
  const recipients = [...to.map((username) => ({ username })), ...groups.map((group_id) => ({ group_id }))];
  const sent = await client.call(send, { body: { keys: [...keys], to: recipients, message }, signal });
  const names = sent.recipients?.map(({ username }) => username) ?? [];
  run.terminal.line(json ? JSON.stringify({ id: sent.id, keys: sent.items.map(({ key }) => key), recipients: names }) : sent.id);
  const shown = names.length > 3 ? several(names.length, 'user') : names.join(', ');
  run.terminal.note(
    `Sent ${several(keys.size, 'picture')} to ${shown}. To take ${keys.size === 1 ? 'it' : 'them'} back: pixdock send --undo ${sent.id}`,
  );
  return EXIT.done;
}

/** The ids of listed groups by name, as they are written or but for case. @throws CommandError for one that there isn't, or several */
async function findGroups(client: Client, names: readonly string[], signal: AbortSignal): Promise<number[]> {
  const { groups } = await client.call(getTeam, { signal });
  return names.map((name) => {
    const same = groups.filter((group) => group.name === name);
    const [found, another] = same.length > 0 ? same : groups.filter((group) => group.name.toLowerCase() === name.toLowerCase());
    if (found && !another) return found.id;
    const problem = found ? `There are several groups called ${JSON.stringify(name)}.` : `There’s no group ${JSON.stringify(name)}.`;
    const listed = groups.map((group) => group.name).join(', ');
    throw new CommandError(`${problem} ${listed ? `An administrator has listed: ${listed}.` : 'An administrator has listed none.'}`);
  });
}

async function takeBack(run: Run, id: string, json: boolean | undefined, signal: AbortSignal): Promise<number> {
  await run.connection.client.call(removeSent, { params: { id }, signal });
  if (json) run.terminal.line(JSON.stringify({ id, removed: true }));
  run.terminal.note('Taken back from everyone.');
  return EXIT.done;
}
