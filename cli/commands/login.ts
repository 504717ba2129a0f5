import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { askOnce, openRequest } from '#api/auth/device-flow.ts';
import { giveUpToken, SLOW_DOWN_SECONDS } from '#api/auth/devices.ts';
import type { TokenScope } from '#api/auth/tokens.ts';
import { getLimits } from '#api/auth/user.ts';
import { ApiError, type Client } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { readSecret } from '../ask-secret.ts';
import { configPath, readConfig, writeConfig } from '../config-file.ts';
import { connect, guestClient, parseBaseUrl, parseToken } from '../connection.ts';
import type { Environment } from '../env.ts';
import { CommandError, describeError, EXIT } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addJsonOption } from '../options.ts';
import { SCOPE_NAMES } from '../printable.ts';
import { systemClock } from '../retry.ts';
import { type Invocation, interruptible } from '../run.ts';
import type { Terminal } from '../terminal.ts';

interface LoginOptions {
  token?: string;
  withToken?: boolean;
  uploadOnly?: boolean;
  browser: boolean;
  json?: boolean;
}

const HELP = helpBelow(
  [
    ['pixdock login https://pics.example.org', 'approve in the browser'],
    ['pixdock login https://pics.example.org --upload-only', 'the token can upload, and nothing else'],
    ['pass show pixdock | pixdock login https://pics.example.org', 'with a token that you have'],
  ],
  [
    'The page in the browser shows the same code as this command. The browser can be on another device, such as your phone.',
    'The token is stored in a file that only you can read, and sent to this server only. Each server has its own token, listed under Settings → API tokens, where you can revoke it.',
  ],
);

export function loginCommands(program: Command, invocation: Invocation) {
  const command = program
    .command('login')
    .summary('sign in to a server')
    .description('Signs in to a server through the browser, or with an API token that is piped in, and stores its address and the token.')
    .argument('<url>', 'address of the server, such as https://pics.example.org')
    .option('--upload-only', 'ask for a token that can upload, and nothing else')
    .option('--with-token', 'prompt for an API token instead of opening the browser')
    .option('--token <token>', 'API token; other users of this computer may briefly see it')
    .option('--no-browser', 'only print the address of the page');
  addJsonOption(command)
    .addHelpText('after', HELP)
    .action(async (url: string, options: LoginOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => login(invocation, url, options, signal))),
    );
  program
    .command('logout')
    .summary('sign out of a server')
    .description(
      'Removes the stored token for a server from this computer. A token that you approved in the browser is revoked, too; one that you provided stays valid, since other programs may use it.',
    )
    .argument('[url]', 'address of the server (default: the current one)')
    .action(async (url: string | undefined) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => logout(invocation, url, signal))),
    );
}

async function login(invocation: Invocation, url: string, options: LoginOptions, signal: AbortSignal): Promise<number> {
  const { io, environment, terminal } = invocation;
  const baseUrl = parseBaseUrl(url);
  const guest = guestClient(baseUrl);
  // Before anybody types a token, or opens a page.
  const { site_name, setup_required } = await guest.call(getConfig, { signal });
  if (setup_required) throw new CommandError(`${baseUrl} isn’t set up yet. Open it in a browser, and create the first account there.`);
  const isTyped = options.withToken || !io.stdin.isTTY;
  const given = options.token ?? (isTyped ? await readSecret(io, `API token for ${baseUrl}: `) : undefined);
  const token = given === undefined ? await approveInBrowser(invocation, guest, options, signal) : parseToken(given);
  const { client } = await connect({ baseUrl, token }, environment);
  try {
    const { username, scope } = await client.call(getLimits, { signal });
    const stored = await readConfig(environment.configDir);
    const approved = [...without(stored.approved, baseUrl), ...(given === undefined ? [baseUrl] : [])];
    await writeConfig(environment.configDir, { base_url: baseUrl, tokens: { ...stored.tokens, [baseUrl]: token }, approved });
    if (options.json) terminal.line(JSON.stringify({ server: baseUrl, site_name, username, scope }));
    const path = configPath(environment.configDir);
    terminal.note(`Signed in to ${site_name} (${baseUrl}) as ${username}: ${SCOPE_NAMES[scope]}. Stored in ${path}.`);
    if (environment.token !== undefined) terminal.note('PIXDOCK_TOKEN is set, and takes precedence over this token.');
    return EXIT.done;
  } catch (error) {
    // Nobody else knows it.
    if (given === undefined) await client.call(giveUpToken, {}).catch(() => undefined);
    throw error;
  }
}

/** A token that a user approves on the server's page, which shows the same code. @throws CommandError if they deny it, or the code expires */
async function approveInBrowser({ io, environment, terminal }: Invocation, guest: Client, options: LoginOptions, signal: AbortSignal) {
  const scope = options.uploadOnly ? 'upload' : 'full';
  const wanted = { name: `pixdock (${hostname().slice(0, 80)})`, scope } as const;
  const { device_code, user_code, verify_url, interval, expires_in } = await openRequest(guest, wanted, signal);
  showRequest(terminal, user_code, verify_url, scope);
  if (options.browser && hasBrowser(environment)) openPage(verify_url, environment.platform, io.env);
  const deadline = systemClock.now() + expires_in * 1000;
  for (let wait = interval; systemClock.now() < deadline; ) {
    await systemClock.sleep(wait * 1000, signal);
    const answer = await askOnce(guest, device_code, signal);
    if (answer === 'unreachable') continue;
    if (answer.state === 'approved') return answer.token;
    if (answer.state === 'denied') throw new CommandError('The request was denied.');
    if (answer.state === 'expired') break;
    if (answer.state === 'slow_down') wait += SLOW_DOWN_SECONDS;
  }
  throw new CommandError('The code has expired. Run the command again for a new one.');
}

function showRequest(terminal: Terminal, code: string, page: string, scope: TokenScope) {
  const rights = scope === 'full' ? 'full access to your pictures' : 'uploading only';
  terminal.note(`Approve ${rights} on this page, if it shows the code ${code}:`);
  terminal.note(page);
  terminal.note('Waiting for your approval. Press Ctrl-C to cancel.');
}

/** Whether a browser that this computer opens is in front of the user. */
const hasBrowser = ({ platform, wayland, x11, ssh }: Environment) => !ssh && (platform !== 'linux' || wayland || x11);

/** Opens a page in the user's browser. If that fails, its printed address is enough. */
function openPage(address: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv) {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return;
  const [command, ...args] =
    platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : [platform === 'darwin' ? 'open' : 'xdg-open'];
  spawn(command as string, [...args, url.href], { env, stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

/** Seconds for revoking a token: the user is waiting. */
const REVOKE_TIMEOUT = 10;

async function logout({ environment, terminal }: Invocation, url: string | undefined, signal: AbortSignal): Promise<number> {
  const { base_url: current, tokens, approved } = await readConfig(environment.configDir);
  const baseUrl = url === undefined ? current : parseBaseUrl(url);
  const token = baseUrl === undefined ? undefined : tokens[baseUrl];
  if (baseUrl === undefined || token === undefined) {
    terminal.problem(undefined, baseUrl ? `No token is stored for ${baseUrl}.` : 'No token is stored.');
    return EXIT.failed;
  }
  const isOwn = approved?.includes(baseUrl) ?? false;
  const fault = isOwn ? await revoke(baseUrl, token, environment, signal) : undefined;
  const { [baseUrl]: _, ...others } = tokens;
  const left = { tokens: others, approved: without(approved, baseUrl) };
  await writeConfig(environment.configDir, { ...(current !== undefined && { base_url: current }), ...left });
  const removed = `Removed the token for ${baseUrl} from this computer`;
  const where = 'under Settings → API tokens';
  if (fault === undefined)
    terminal.note(
      isOwn ? `${removed}, and revoked it.` : `${removed}. It stays valid, since other programs may use it. You can revoke it ${where}.`,
    );
  else if (fault instanceof ApiError && fault.code === 'unauthorized') terminal.note(`${removed}. It was no longer valid.`);
  else {
    terminal.note(`${removed}.`);
    terminal.problem(undefined, `The token stays valid until you revoke it ${where}. ${describeError(fault)}`);
    return EXIT.failed;
  }
  return EXIT.done;
}

/** @returns why it failed */
async function revoke(baseUrl: string, token: string, environment: Environment, signal: AbortSignal): Promise<unknown> {
  const { client } = await connect({ baseUrl, token, timeout: REVOKE_TIMEOUT }, environment);
  try {
    await client.call(giveUpToken, { signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error;
  }
}

const without = (servers: readonly string[] = [], server: string) => servers.filter((other) => other !== server);
