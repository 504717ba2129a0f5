import { type Command, Option } from 'commander';
import { allAlbums, findAlbum, isOfAnother, sharedAlbums } from '#api/albums/find-album.ts';
import { listAlbumImages, type SharedImage } from '#api/albums/pictures.ts';
import type { Client } from '#api/client.ts';
import { MAX_PAGE } from '#api/constants.ts';
import { IMAGE_SORTS, type Image, listImages } from '#api/images/images.ts';
import { DEFAULT_RETRIES } from '#api/retry.ts';
import { linkOf } from '#api/sharing/link-formats.ts';
import { CommandError, EXIT, UsageError } from '../errors.ts';
import { helpBelow } from '../help.ts';
import { addFormatOptions, addServerOptions, type ServerOptions, wholeNumber } from '../options.ts';
import { formatBytes, formatLink, type PrintedLink, printable } from '../printable.ts';
import { type Invocation, interruptible, prepare, type Run } from '../run.ts';

interface ListOptions extends ServerOptions, PrintedLink {
  album?: string;
  visibility?: 'public' | 'private';
  type?: string;
  sort?: (typeof IMAGE_SORTS)[number];
  limit: number;
}

type Listed = Image | SharedImage;

const DEFAULT_LIMIT = 50;

const LIST_HELP = helpBelow(
  [
    ['pixdock list', 'the newest 50 pictures'],
    ['pixdock list --album Holiday --limit 0 --format url', 'the links of all pictures in an album'],
    ['pixdock list --type png --sort size_desc --json'],
  ],
  [
    'Each line has the date of the upload, the size, who can open the links, the link and the name. --format, --template and --json print what other programs need. You need a token with full access.',
  ],
);

const SEARCH_HELP = helpBelow(
  [
    ['pixdock search harbour'],
    ['pixdock search May 2019 png', 'by date, type, …'],
    ["pixdock search '#work' last week", '… tag …'],
    ["pixdock search '> 5 MB' --json", '… or size'],
    ["pixdock search draft --template '{key}' | xargs pixdock delete", 'move what was found to the trash'],
  ],
  [
    'Finds words in names, titles, captions, alternative texts, tags and albums, and in the text in pictures if the server recognises it. All words must match. You need a token with full access.',
  ],
);

export function listCommands(program: Command, invocation: Invocation) {
  addListOptions(program.command('list').summary('list your pictures').description('Lists your pictures, the newest first.'))
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) => invocation.finish(await run(invocation, '', options)));
  addListOptions(
    program
      .command('search')
      .summary('find your pictures')
      .description('Finds your pictures by words, tags, dates, types and sizes.')
      .argument('<words...>', 'what to search for'),
  )
    .addHelpText('after', SEARCH_HELP)
    .action(async (words: string[], options: ListOptions) => {
      const query = words.join(' ').trim();
      if (query === '') throw new UsageError('There’s nothing to search for. To list all pictures, use `pixdock list`.');
      invocation.finish(await run(invocation, query, options));
    });
}

function addListOptions(command: Command): Command {
  command
    .option('--album <album>', 'only pictures in this album: its ID or name, another user’s as owner/name')
    .addOption(new Option('--visibility <who>', 'only pictures whose links these people can open').choices(['public', 'private']))
    .option('--type <ext>', 'only pictures of this type, such as png')
    .addOption(new Option('--sort <order>', 'order of the list').choices(IMAGE_SORTS))
    .option('--limit <number>', 'how many pictures to list at most; 0 means all', wholeNumber(0, Number.MAX_SAFE_INTEGER), DEFAULT_LIMIT);
  return addServerOptions(addFormatOptions(command), DEFAULT_RETRIES);
}

const run = (invocation: Invocation, query: string, options: ListOptions) =>
  interruptible(invocation.io, 1, (signal) => list(invocation, query, options, signal));

async function list(invocation: Invocation, query: string, options: ListOptions, signal: AbortSignal): Promise<number> {
  const prepared = await prepare(invocation, options);
  const { terminal } = prepared;
  const pages = await pagesOf(prepared, query, options, signal);
  const isForPrograms = options.format !== undefined || options.template !== undefined;
  let left = options.limit || Number.POSITIVE_INFINITY;
  let listed = 0;
  let cursor: string | undefined;
  do {
    const limit = Math.min(MAX_PAGE, left);
    const { items, next_cursor } = await prepared.withRetries(() => pages(limit, cursor), signal);
    for (const item of items) terminal.line(isForPrograms ? formatLink(options, item) : describe(item));
    listed += items.length;
    left -= items.length;
    cursor = next_cursor ?? undefined;
  } while (cursor && left > 0);
  // Whoever asks for a number, or for what programs read, knows.
  if (cursor && !isForPrograms && options.limit === DEFAULT_LIMIT) terminal.note('There are more. List them all with --limit 0.');
  else if (listed === 0)
    terminal.note(query || options.album || options.visibility || options.type ? 'No pictures match.' : 'There are no pictures.');
  return EXIT.done;
}

type Pages = (limit: number, cursor: string | undefined) => Promise<{ items: Listed[]; next_cursor: string | null }>;

async function pagesOf(run: Run, q: string, options: ListOptions, signal: AbortSignal): Promise<Pages> {
  const { client } = run.connection;
  const { visibility, type, sort } = options;
  const narrowed = { ...(q && { q }), ...(sort && { sort }) };
  const at = (limit: number, cursor: string | undefined) => ({ limit, ...(cursor && { cursor }) });
  const album =
    options.album === undefined ? undefined : await run.withRetries(() => albumOf(client, options.album as string, signal), signal);
  if (album && isOfAnother(album)) {
    if (visibility || type) throw new UsageError('--visibility and --type work for your own albums only.');
    return (limit, cursor) =>
      client.call(listAlbumImages, { params: { id: album.id }, query: { ...narrowed, ...at(limit, cursor) }, signal });
  }
  const filters = {
    ...narrowed,
    ...(album && { album_id: album.id }),
    ...(visibility && { visibility }),
    ...(type && { type: type.replace(/^\./, '').toLowerCase() }),
  };
  return (limit, cursor) => client.call(listImages, { query: { ...filters, ...at(limit, cursor) }, signal });
}

async function albumOf(client: Client, name: string, signal: AbortSignal) {
  const found = findAlbum(await allAlbums(client, { signal }), name) ?? findAlbum(await sharedAlbums(client, { signal }), name);
  if (!found) throw new CommandError(`There’s no album ${JSON.stringify(name)}.`);
  return found;
}

/** Date, size, visibility, link and name; the name is last, since it may contain anything. */
function describe(image: Listed): string {
  const access = 'visibility' in image ? image.visibility : `by ${image.owner.username}`;
  const columns = [localTime(image.created_at), formatBytes(image.size).padStart(9), printable(access).padEnd(7)];
  return [...columns, linkOf(image, 'url'), printable(image.name)].join('  ');
}

function localTime(instant: string): string {
  const time = new Date(instant);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
