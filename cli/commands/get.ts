import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { fileNameOf } from '#api/file-name.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { getShare, type OpenShare } from '#api/sharing/shares.ts';
import type { Connection } from '../connection.ts';
import { download, withBytes } from '../download.ts';
import { CommandError, describeError, EXIT, UsageError } from '../errors.ts';
import { concernsAllFiles } from '../failures.ts';
import { helpBelow } from '../help.ts';
import type { Output } from '../io.ts';
import { addJsonOption, addPasswordOptions, addServerOptions, passwordOf, type ServerOptions } from '../options.ts';
import { type PictureReference, parseReference, requireOwnLinks } from '../picture-reference.ts';
import { formatFields, printable } from '../printable.ts';
import { type Invocation, interruptible, prepare } from '../run.ts';

interface GetOptions extends ServerOptions {
  out?: string;
  force?: boolean;
  info?: boolean;
  json?: boolean;
  password?: string;
  passwordFile?: string;
}

const STDOUT = '-';

const HELP = helpBelow(
  [
    ['pixdock get b7Rk2mQx9LpT', 'into this folder, under its name'],
    ['pixdock get https://pics.example.org/s/release-notes --out notes.png'],
    ['pixdock get b7Rk2mQx9LpT --out - | magick - -resize 50% small.png', 'to standard output'],
    ['pixdock get b7Rk2mQx9LpT --info --json', 'what it is, without downloading it'],
  ],
  [
    'Prints the path of each downloaded file. Existing files are kept, unless you add --force. Others’ pictures work, too, if you may open their links; downloading one with a view limit uses up a view.',
  ],
);

export function getCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('get')
    .summary('download pictures')
    .description('Downloads pictures, or shows what they are.')
    .argument('<picture...>', 'keys, custom addresses or links of pictures')
    .option('--out <path>', 'file or folder to write to, or - for standard output (default: this folder)')
    .option('--force', 'replace existing files')
    .option('--info', 'show what a picture is, and download nothing');
  addServerOptions(addPasswordOptions(addJsonOption(command), 'password of a protected picture'), DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (pictures: string[], options: GetOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => get(invocation, pictures, options, signal))),
    );
}

async function get(invocation: Invocation, pictures: string[], options: GetOptions, signal: AbortSignal): Promise<number> {
  const references = pictures.map(parseReference);
  const isFolder = options.out === undefined || options.out.endsWith('/') || (await isFolderAt(options.out));
  if (references.length > 1 && !isFolder && !options.info)
    throw new UsageError(`--out ${options.out} isn’t a folder, and there are ${references.length} pictures.`);
  if (options.json && options.out === STDOUT && !options.info) throw new UsageError('--json and --out - both write to standard output.');
  const password = await passwordOf(options);
  const run = await prepare(invocation, options);
  const { terminal, connection } = run;
  const repeated = <T>(work: () => Promise<T>) => run.withRetries(work, signal);
  // All of them, before the first is downloaded.
  await repeated(() => requireOwnLinks(connection.client, references, signal));
  // The bytes of UTF-8, as the interface says: a header's characters are bytes.
  const headers: Record<string, string> = password === undefined ? {} : { 'x-image-password': Buffer.from(password).toString('latin1') };
  let failed = false;
  for (const reference of references) {
    try {
      const share = await repeated(() => openShare(connection, reference, headers, signal));
      if (options.info) {
        terminal.line(options.json ? JSON.stringify(share) : describe(share));
        continue;
      }
      const path =
        options.out === STDOUT ? STDOUT : isFolder ? join(options.out ?? '.', fileNameOf(share.name, share.ext)) : (options.out as string);
      if (path !== STDOUT && !options.force) await requireFree(path);
      const from = { address: `/i/${reference.place}.${share.ext}`, headers };
      await repeated(() =>
        path === STDOUT
          ? withBytes(run, from, signal, (bytes) => printBytes(bytes, invocation.io.stdout, signal))
          : download(run, { path, ...from }, signal),
      );
      if (path !== STDOUT) terminal.line(options.json ? JSON.stringify({ ...share, path }) : printable(path));
    } catch (error) {
      signal.throwIfAborted();
      failed = true;
      terminal.problem(reference.text, describeError(error));
      if (concernsAllFiles(error)) break;
    }
  }
  return failed ? EXIT.failed : EXIT.done;
}

const isFolderAt = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

async function requireFree(path: string) {
  const found = await stat(path).catch(() => undefined);
  if (found) throw new CommandError(`${path} exists already. Add --force to replace it, or choose another name with --out.`);
}

async function openShare(
  { client }: Connection,
  { place }: PictureReference,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<OpenShare> {
  const share = await client.call(getShare, { params: { key: place }, headers, signal });
  if (!share.password_required) return share;
  throw new CommandError('it’s protected by a password. Add --password-file with a file that contains the password.');
}

/** Once a byte has been printed, a failure is final: another attempt would print it again. */
async function printBytes(bytes: AsyncIterable<Uint8Array>, stdout: Output, signal: AbortSignal) {
  let isStarted = false;
  const noted = async function* () {
    for await (const chunk of bytes) {
      isStarted = true;
      yield chunk;
    }
  };
  try {
    await pipeline(noted, stdout, { signal, end: false });
  } catch (error) {
    throw isStarted && !signal.aborted ? new CommandError(describeError(error), { cause: error }) : error;
  }
}

function describe({ key, name, width, height, size, mime, created_at, expires_at, views_left, links }: OpenShare): string {
  return formatFields([
    ['Name', name],
    ['Key', key],
    ['Type', `${mime}, ${width} × ${height}, ${size} bytes`],
    ['Uploaded', created_at],
    ...(expires_at === null ? [] : [['Expires', expires_at] satisfies [string, string]]),
    ...(views_left === null ? [] : [['Views', `${views_left} left`] satisfies [string, string]]),
    ['Link', links.url],
    ['Share', links.share_url],
    ['Thumb', links.thumbnail_url],
  ]);
}
