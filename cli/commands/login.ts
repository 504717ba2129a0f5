import type { Command } from 'commander';
import { getLimits } from '#api/limits.ts';
import { readSecret } from '../ask-secret.ts';
import { configPath, readConfig, writeConfig } from '../config-file.ts';
import { connect, parseBaseUrl, parseToken } from '../connection.ts';
import { EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { formatBytes } from '../printable.ts';
import { prepareHere } from '../run.ts';

interface Options {
  token?: string;
  color: boolean;
}

type Finish = (exitCode: number) => void;

const HELP = helpBelow(
  [
    ['pixdock login https://pics.example.org', 'asks for the token without showing it'],
    ['pass show pixdock | pixdock login https://pics.example.org'],
  ],
  [
    'Tokens are made in the web application: Settings → API Token. One of scope «upload» is enough for uploading. The token is checked, then stored in a file that only you can read. Each server keeps its own.',
  ],
);

export function loginCommands(program: Command, finish: Finish) {
  program
    .command('login')
    .summary('store the address of a server and your token for it')
    .description('Asks for an API token (or reads it from a pipe), checks it and stores it for the other commands.')
    .argument('<url>', 'address of the server, such as https://pics.example.org')
    .option('--token <token>', 'the token; others on this computer may see it while you type it here')
    .option('--no-color', 'no colours (environment: NO_COLOR)')
    .addHelpText('after', HELP)
    .action(async (url: string, options: Options) => finish(await login(url, options)));
  program
    .command('logout')
    .summary('forget a stored token')
    .description('Removes the stored token of a server from this computer. The token itself stays valid until it is revoked.')
    .argument('[url]', 'address of the server; without one, the current one')
    .option('--no-color', 'no colours (environment: NO_COLOR)')
    .action(async (url: string | undefined, options: Options) => finish(await logout(url, options)));
}

async function login(url: string, options: Options): Promise<number> {
  const { environment, terminal } = prepareHere(options);
  const baseUrl = parseBaseUrl(url);
  const token = parseToken(options.token ?? (await readSecret(`API token for ${baseUrl}: `)));
  const { client } = await connect({ baseUrl, token }, environment);
  const limits = await client.call(getLimits, {});
  const stored = await readConfig(environment.configDir);
  await writeConfig(environment.configDir, { base_url: baseUrl, tokens: { ...stored.tokens, [baseUrl]: token } });
  const used = formatBytes(limits.storage_used_bytes);
  const quota = limits.storage_quota_bytes ? ` of ${formatBytes(limits.storage_quota_bytes)}` : '';
  terminal.note(`The token works (group ${limits.group}, ${used}${quota} used). It is stored in ${configPath(environment.configDir)}.`);
  return EXIT.done;
}

async function logout(url: string | undefined, options: Options): Promise<number> {
  const { environment, terminal } = prepareHere(options);
  const { base_url: current, tokens } = await readConfig(environment.configDir);
  const baseUrl = url === undefined ? current : parseBaseUrl(url);
  if (baseUrl === undefined || tokens[baseUrl] === undefined) {
    terminal.problem(undefined, baseUrl ? `There is no stored token for ${baseUrl}.` : 'There is no stored token.');
    return EXIT.failed;
  }
  const { [baseUrl]: _, ...others } = tokens;
  await writeConfig(environment.configDir, { ...(current !== undefined && { base_url: current }), tokens: others });
  terminal.note(`The token for ${baseUrl} is forgotten here. To end it everywhere, revoke it under Settings → API Token.`);
  return EXIT.done;
}
