import type { Command } from 'commander';
import { getLimits } from '#api/auth/user.ts';
import { readSecret } from '../ask-secret.ts';
import { configPath, readConfig, writeConfig } from '../config-file.ts';
import { connect, parseBaseUrl, parseToken } from '../connection.ts';
import { EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { formatBytes } from '../printable.ts';
import type { Invocation } from '../run.ts';

interface Options {
  token?: string;
}

const HELP = helpBelow(
  [
    ['pixdock login https://pics.example.org', 'prompt for the token, without echo'],
    ['pass show pixdock | pixdock login https://pics.example.org'],
  ],
  [
    'Create tokens in the web application under Settings → API tokens. “Upload only” is enough for uploading. The token is verified, then stored in a file that only you can read. Each server has its own token.',
  ],
);

export function loginCommands(program: Command, invocation: Invocation) {
  program
    .command('login')
    .summary('store the address of a server and your API token')
    .description('Prompts for an API token (or reads it from a pipe), verifies it and stores it for the other commands.')
    .argument('<url>', 'address of the server, such as https://pics.example.org')
    .option('--token <token>', 'API token; other users of this computer may briefly see it')
    .addHelpText('after', HELP)
    .action(async (url: string, options: Options) => invocation.finish(await login(invocation, url, options)));
  program
    .command('logout')
    .summary('remove a stored token')
    .description('Removes the stored token for a server from this computer. The token itself stays valid until you revoke it.')
    .argument('[url]', 'address of the server (default: the current one)')
    .action(async (url: string | undefined) => invocation.finish(await logout(invocation, url)));
}

async function login({ io, environment, terminal }: Invocation, url: string, options: Options): Promise<number> {
  const baseUrl = parseBaseUrl(url);
  const token = parseToken(options.token ?? (await readSecret(io, `API token for ${baseUrl}: `)));
  const { client } = await connect({ baseUrl, token }, environment);
  const limits = await client.call(getLimits, {});
  const stored = await readConfig(environment.configDir);
  await writeConfig(environment.configDir, { base_url: baseUrl, tokens: { ...stored.tokens, [baseUrl]: token } });
  const used = formatBytes(limits.storage_used_bytes);
  const quota = limits.storage_quota_bytes ? ` of ${formatBytes(limits.storage_quota_bytes)}` : '';
  terminal.note(`The token works (group ${limits.group}, ${used}${quota} used). Stored in ${configPath(environment.configDir)}.`);
  return EXIT.done;
}

async function logout({ environment, terminal }: Invocation, url: string | undefined): Promise<number> {
  const { base_url: current, tokens } = await readConfig(environment.configDir);
  const baseUrl = url === undefined ? current : parseBaseUrl(url);
  if (baseUrl === undefined || tokens[baseUrl] === undefined) {
    terminal.problem(undefined, baseUrl ? `No token is stored for ${baseUrl}.` : 'No token is stored.');
    return EXIT.failed;
  }
  const { [baseUrl]: _, ...others } = tokens;
  await writeConfig(environment.configDir, { ...(current !== undefined && { base_url: current }), tokens: others });
  terminal.note(`Removed the token for ${baseUrl} from this computer. To revoke it, go to Settings → API tokens.`);
  return EXIT.done;
}
