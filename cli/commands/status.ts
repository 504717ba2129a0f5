import type { Command } from 'commander';
import { getLimits } from '#api/auth/user.ts';
import { getConfig } from '#api/config.ts';
import { type Connection, connect, guestClient, type TokenSource } from '../connection.ts';
import { describeError, EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addConnectionOptions, addJsonOption } from '../options.ts';
import { formatBytes, formatFields, SCOPE_NAMES, whoCanOpen } from '../printable.ts';
import type { Invocation } from '../run.ts';

interface StatusOptions {
  baseUrl?: string;
  token?: string;
  timeout: number;
  json?: boolean;
}

const SOURCES: Record<TokenSource, string> = {
  option: 'the token in --token',
  environment: 'the token in PIXDOCK_TOKEN',
  stored: 'the token from `pixdock login`',
};

const HELP = helpBelow(
  [['pixdock status'], ['pixdock status --json | jq -r .username']],
  ['Exit codes: 0 the server responds, and accepts the token if there is one; 1 it doesn’t; 2 invalid usage.'],
);

export function statusCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('status')
    .summary('show the server, your account, and what the token may do')
    .description('Shows which server the other commands use, as whom, and what they may do there.');
  addConnectionOptions(addJsonOption(command))
    .addHelpText('after', HELP)
    .action(async (options: StatusOptions) => invocation.finish(await status(invocation, options)));
}

async function status({ environment, terminal }: Invocation, options: StatusOptions): Promise<number> {
  const connection = await connect(options, environment);
  if (connection.warning) terminal.note(connection.warning);
  const { baseUrl, tokenSource } = connection;
  // Without the token: the server refuses every request with a wrong one.
  const { site_name, version, base_url, guest_upload_enabled } = await guestClient(baseUrl, options.timeout).call(getConfig, {});
  const account = await accountOf(connection);
  const isRefused = account !== undefined && 'error' in account;
  if (options.json) {
    const server = { server: baseUrl, site_name, version, link_address: base_url, token: tokenSource ?? null };
    terminal.line(JSON.stringify({ ...server, ...(isRefused ? { error: describeError(account.error) } : account) }));
  } else {
    const lines: [string, string][] = [['Server', `${site_name} at ${baseUrl} (Pixdock ${version})`]];
    const opens = whoCanOpen(base_url, baseUrl);
    lines.push(['Links', `start with ${base_url}: ${opens} can open them`]);
    if (account === undefined || tokenSource === undefined)
      lines.push(['Account', guest_upload_enabled ? 'none: you upload as a guest' : `none: run \`pixdock login ${baseUrl}\``]);
    else if ('username' in account) lines.push(...describeAccount(account, tokenSource));
    terminal.line(formatFields(lines));
  }
  if (isRefused) terminal.problem(undefined, describeError(account.error));
  return isRefused ? EXIT.failed : EXIT.done;
}

type Account = Awaited<ReturnType<typeof limitsOf>>;

const limitsOf = (client: Connection['client']) => client.call(getLimits, {});

/** Undefined without a token. */
async function accountOf({ client, token }: Connection): Promise<Account | { error: unknown } | undefined> {
  if (token === undefined) return undefined;
  return limitsOf(client).catch((error: unknown) => ({ error }));
}

function describeAccount(account: Account, source: TokenSource): [string, string][] {
  const { username, group, scope, storage_used_bytes: used, storage_quota_bytes: quota, image_count } = account;
  return [
    ['Account', `${username} (group ${group})`],
    ['Access', `${SCOPE_NAMES[scope]}, with ${SOURCES[source]}`],
    ['Pictures', String(image_count)],
    ['Storage', `${formatBytes(used)} used${quota ? ` of ${formatBytes(quota)}` : ', unlimited'}`],
  ];
}
