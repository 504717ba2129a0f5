import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { pMapIterable } from 'p-map';
import { CAPTURE_DELAYS, CAPTURE_MODES, RECORDING_TARGETS } from '#api/desktop/capture.ts';
import { classify } from '#api/failures.ts';
import { albumFields } from '#api/images/album-fields.ts';
import type { FormFields, UploadResult } from '#api/images/upload.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { reachOf } from '#api/sharing/reach.ts';
import { several } from '#server/platform/base/several.ts';
import { AlbumFinder, describeOther } from '../albums.ts';
import { copyText } from '../clipboard.ts';
import { recordFromApp, uploadFromApp } from '../desktop-app.ts';
import { CommandError, describeError, EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { type ImageSource, openImage, spool } from '../image-source.ts';
import {
  addAlbumOption,
  addConvertOption,
  addDescriptionOptions,
  addFormatOptions,
  addImageOptions,
  addServerOptions,
  addSlugOptions,
  imageFields,
  type UploadOptions,
} from '../options.ts';
import { formatLink, whoCanOpen } from '../printable.ts';
import { type Invocation, interruptible, prepare, type Run } from '../run.ts';
import { uploadImage } from '../upload-image.ts';

type Success = { file: string; name: string; uploaded: UploadResult };
/** Without an error, the file wasn't sent. */
type Outcome = Success | { file: string; error?: unknown };

const MAX_PARALLEL = 3;
const STDIN = '-';
/** The desktop app uploads to its own service, with its own retries. */
const SERVER_OPTIONS = ['baseUrl', 'token', 'retries'];

const HELP = helpBelow(
  [
    ['pixdock upload photo.jpg', 'print the direct link'],
    ['pixdock upload *.png --format markdown', 'one line per picture, in order'],
    ["pixdock upload *.png --template '{name}: {url}'", 'your own text per picture'],
    ['cat photo.jpg | pixdock upload - --name cat.jpg', 'from standard input'],
    ['grim - | pixdock upload --copy', 'upload a screenshot and copy its link'],
    ['pixdock upload --clipboard', 'upload the copied picture; bind this to a key'],
    ['pixdock upload --capture', 'select part of the screen and upload it'],
    ['pixdock upload --capture window --delay 5', 'upload a window, five seconds from now'],
    ['pixdock upload --record', 'start recording the screen, or stop it'],
    ['pixdock upload plan.png --expires-in 7d --visibility private'],
    ['pixdock upload plan.png --convert webp --slug floor-plan --slug-or number'],
  ],
  [
    'Standard output contains only one line per uploaded picture. Errors go to standard error. For a picture with a view limit, url prints the share page, because the direct link would use up views.',
    'Exit codes: 0 all uploaded, 1 something failed, 2 invalid usage, 130 interrupted.',
  ],
);

export function uploadCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('upload')
    .summary('upload pictures and print their links')
    .description(
      'Uploads pictures and prints one link per picture. Reads standard input if the file is -, or if input is piped in and no file is given.',
    )
    .argument('[file...]', 'pictures, or - for standard input');
  addFormatOptions(command).option('--name <name>', 'name for the picture, if there is only one');
  addSlugOptions(addConvertOption(addAlbumOption(addDescriptionOptions(addImageOptions(command)))))
    .option('--copy', 'also copy the links to the clipboard')
    .addOption(
      new Option('--clipboard', 'have the running desktop app upload the picture on the clipboard and replace it with the link').conflicts(
        SERVER_OPTIONS,
      ),
    )
    .addOption(
      new Option('--capture [mode]', 'have the running desktop app capture and upload: a region that you select, or what the mode says')
        .choices(CAPTURE_MODES)
        .conflicts(['clipboard', ...SERVER_OPTIONS]),
    )
    .addOption(
      new Option('--record [target]', 'have the running desktop app start a recording of the screen, or stop the one that runs')
        .choices(RECORDING_TARGETS)
        .conflicts(['clipboard', 'capture', ...SERVER_OPTIONS]),
    );
  command.addOption(
    new Option('--delay <seconds>', 'wait before --capture, to open a menu, for example')
      .choices(CAPTURE_DELAYS.map(String))
      .conflicts('clipboard'),
  );
  addServerOptions(command, DEFAULT_RETRIES)
    .addHelpText('after', HELP)
    .action(async (files: string[], options: UploadOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => upload(invocation, files, options, signal))),
    );
}

async function upload(invocation: Invocation, files: string[], options: UploadOptions, signal: AbortSignal): Promise<number> {
  if (options.delay !== undefined && !options.capture) throw new UsageError('--delay works only with --capture.');
  if (options.record) return recordFromApp(invocation, files, options, signal);
  if (options.clipboard || options.capture) return uploadFromApp(invocation, files, options, signal);
  const names = namedFiles(invocation, files, options);
  const fields = await imageFields(options);
  const run = await prepare(invocation, options);
  Object.assign(fields, albumFields(await findAlbums(run, options.album, signal)));
  run.terminal.startProgress(names.length, 0);
  const lines: string[] = [];
  let opens: string | undefined;
  let failed = false;
  let skipped = 0;
  const uploadNext = untilBlocked((file) => uploadOne(run, file, options, fields, signal), signal);
  try {
    for await (const outcome of pMapIterable(names, uploadNext, { concurrency: MAX_PARALLEL })) {
      if ('uploaded' in outcome) {
        noteRepeat(run, outcome, options);
        lines.push(print(run, options, outcome));
        opens ??= localOpeners(run, outcome);
        continue;
      }
      failed = true;
      if (!('error' in outcome)) skipped++;
      else run.terminal.problem(outcome.file, describeError(outcome.error));
    }
  } finally {
    run.terminal.stopProgress();
  }
  if (skipped && !signal.aborted)
    run.terminal.problem(undefined, `Stopped early: ${several(skipped, 'file')} ${skipped === 1 ? 'was' : 'were'} not uploaded.`);
  if (opens) run.terminal.hint(`${opens} can open ${lines.length === 1 ? 'it' : 'them'}.`);
  const copied = !options.copy || lines.length === 0 || (await copyLines(run, lines));
  // Only now: whatever was stored has a link by which it can be found again.
  signal.throwIfAborted();
  return failed || !copied ? EXIT.failed : EXIT.done;
}

/** The ids of albums that were named. Whose they are is noted, before anything goes into them. */
export async function findAlbums(run: Run, names: readonly string[] = [], signal: AbortSignal): Promise<string[]> {
  const albums = new AlbumFinder(run.connection.client, (album) => run.terminal.note(describeOther(album)));
  const ids: string[] = [];
  for (const name of names) ids.push((await run.withRetries(() => albums.find(name), signal)).id);
  return ids;
}

/** Sends no more files after an interruption, or once one has failed as all would: the server has no room, or something else is at its address. */
function untilBlocked(send: (file: string) => Promise<Outcome>, signal: AbortSignal): (file: string) => Promise<Outcome> {
  let isBlocked = false;
  return async (file) => {
    if (isBlocked || signal.aborted) return { file };
    const outcome = await send(file);
    if (!('error' in outcome) || classify(outcome.error) !== 'wait') return outcome;
    // One message is enough for those that were under way together.
    if (isBlocked) return { file };
    isBlocked = true;
    return outcome;
  };
}

function namedFiles({ io }: Invocation, files: string[], { name, slug }: UploadOptions) {
  if (!files.length && io.stdin.isTTY) throw new UsageError('Specify a picture to upload, or pipe one in. See `pixdock upload --help`.');
  const names = files.length ? files : [STDIN];
  if (names.filter((file) => file === STDIN).length > 1) throw new UsageError('Standard input (-) can be read only once.');
  if (name !== undefined && names.length > 1) throw new UsageError('--name works with a single picture only.');
  if (slug !== undefined && names.length > 1) throw new UsageError('--slug works with a single picture only.');
  if (name !== undefined && !name.trim()) throw new UsageError('The name is empty.');
  return names;
}

async function uploadOne(run: Run, file: string, options: UploadOptions, fields: FormFields, signal: AbortSignal): Promise<Outcome> {
  let image: ImageSource | undefined;
  try {
    image = await openSource(run, file, options.name, signal);
    run.terminal.advance({ totalBytes: image.size });
    const uploaded = await send(run, image, fields, signal);
    return { file, name: image.name, uploaded };
  } catch (error) {
    // An interrupted upload hasn't failed.
    return signal.aborted ? { file } : { file, error };
  } finally {
    await image?.[Symbol.asyncDispose]();
    run.terminal.advance({ files: 1 });
  }
}

function send(run: Run, image: ImageSource, fields: FormFields, signal: AbortSignal) {
  const onBytes = (bytes: number) => run.terminal.advance({ bytes });
  const key = randomUUID();
  const attempt = (idempotencyKey: string = key) =>
    uploadImage(run.connection, image, fields, { timeout: run.timeout, signal, idempotencyKey, onBytes });
  return run.withRetries(attempt, signal);
}

/** Opens a file, or standard input for `-`. */
export async function openSource(
  { io, environment: { tempDir } }: Run,
  file: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<ImageSource> {
  if (file === STDIN) return spool(() => io.stdin, { name: name ?? 'stdin', tempDir, signal });
  const image = await openImage(file, tempDir, signal);
  return name === undefined ? image : { ...image, name };
}

/** The same picture is stored once, under its first name, which a token that may only upload isn't told. */
function noteRepeat({ terminal }: Run, { file, name, uploaded }: Success, options: UploadOptions) {
  if (!uploaded.reused) return;
  const other = uploaded.name !== undefined && uploaded.name !== name ? ` as “${uploaded.name}”` : '';
  const kept = uploaded.name === undefined && options.name !== undefined ? ' Its name wasn’t changed.' : '';
  terminal.note(`${file}: already uploaded${other}.${kept}`);
}

/** Who can open the link of a picture, where that isn't anyone. */
function localOpeners({ connection }: Run, { uploaded: { visibility, links } }: Success): string | undefined {
  return visibility === 'private' || reachOf(links.url) === 'internet' ? undefined : whoCanOpen(links.url, connection.baseUrl);
}

function print({ terminal }: Run, options: UploadOptions, { uploaded, name }: Success) {
  const line = formatLink(options, uploaded, name);
  terminal.line(line);
  return line;
}

/** Copies the printed lines; reports a clipboard that can't be written to, and returns false. */
export async function copyLines({ io, terminal, environment }: Run, lines: string[]): Promise<boolean> {
  try {
    await copyText(lines.join('\n'), environment, io);
    return true;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.problem(undefined, error.message);
    return false;
  }
}
