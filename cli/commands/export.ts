import { copyFile, link, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import pMap from 'p-map';
import type { Album } from '#api/albums/albums.ts';
import { allAlbums } from '#api/albums/find-album.ts';
import { listAlbumImages } from '#api/albums/pictures.ts';
import { MAX_PAGE } from '#api/constants.ts';
import { fileNameOf } from '#api/file-name.ts';
import { type Image, listImages } from '#api/images/images.ts';
import { several } from '#server/platform/base/several.ts';
import { openFile } from '#transfer/open-file.ts';
import { download } from '../download.ts';
import { CommandError, describeError, EXIT } from '../errors.ts';
import { concernsAllFiles } from '../failures.ts';
import { hashFile } from '../hash-file.ts';
import { helpBelow } from '../help.ts';
import type { OwnAlbum, OwnData } from '../import/takeout/metadata.ts';
import { addServerOptions, type ServerOptions, wholeNumber } from '../options.ts';
import { formatBytes } from '../printable.ts';
import { writeAtomically } from '../replace-file.ts';
import { type Invocation, interruptible, LONG_MAX_WAIT, prepare, type Run } from '../run.ts';

interface ExportOptions extends ServerOptions {
  concurrency: number;
}

const HELP = helpBelow(
  [['pixdock export ~/pictures-of-pixdock'], ['pixdock import-dir ~/pictures-of-pixdock --takeout', 'into another Pixdock']],
  [
    'The folder is like one from Google Takeout: a folder for each album and each year, and beside each picture a JSON file with its name, description, date and whether it is a favourite, which import programs of Immich and Google Photos read. What only Pixdock knows is in the same files, and in pixdock.json for all.',
    'A second run downloads only what is missing or has changed.',
    'Exit codes: 0 all exported, 1 something failed, 2 invalid usage, 130 interrupted.',
  ],
);

export function exportCommand(program: Command, invocation: Invocation) {
  const command = program
    .command('export')
    .summary('write all your pictures and albums into a folder')
    .description('Writes all your pictures, with albums and all that is known of them, into a folder that other programs can import.')
    .argument('<dir>', 'folder to write to, created if missing')
    .option('--concurrency <number>', 'number of simultaneous downloads', wholeNumber(1, 32), 4);
  addServerOptions(command, 10)
    .addHelpText('after', HELP)
    .action(async (dir: string, options: ExportOptions) =>
      invocation.finish(await interruptible(invocation.io, 1, (signal) => exportAll(invocation, dir, options, signal))),
    );
}

/** An album with the folder that its pictures are in. */
interface Target {
  album: Album;
  folder: string;
  /** The names of the files of its pictures, by key. */
  files: Map<string, string>;
}

async function exportAll(invocation: Invocation, dir: string, options: ExportOptions, signal: AbortSignal): Promise<number> {
  const run = await prepare(invocation, options, LONG_MAX_WAIT);
  const { terminal, connection } = run;
  const repeated = <T>(work: () => Promise<T>) => run.withRetries(work, signal);
  const albums = await repeated(() => allAlbums(connection.client, { signal }));
  const names = new Names();
  const targets = new Map(
    albums.map((album): [string, Target] => [
      album.id,
      { album, folder: names.take('', fileNameOf(album.name, 'x').slice(0, -2)), files: new Map() },
    ]),
  );
  const images = await allImages(run, signal);
  terminal.startProgress(
    images.length,
    images.reduce((sum, { size }) => sum + size, 0),
  );
  let [failed, written] = [0, 0];
  let isOver = false;
  await pMap(
    images,
    async (image) => {
      if (isOver || signal.aborted) return;
      const places = placesOf(image, targets, names);
      try {
        await exportOne(run, dir, image, places, signal);
        written += image.size;
      } catch (error) {
        if (signal.aborted) return;
        failed++;
        isOver ||= concernsAllFiles(error);
        terminal.problem(image.name, describeError(error));
      }
      terminal.advance({ files: 1, bytes: image.size });
    },
    { concurrency: options.concurrency },
  );
  terminal.stopProgress();
  signal.throwIfAborted();
  for (const target of targets.values()) await exportAlbum(run, dir, target, signal);
  await writeJson(join(dir, 'pixdock.json'), {
    server: connection.baseUrl,
    exported_at: new Date().toISOString(),
    pictures: images,
    albums,
  });
  const done = `Exported ${several(images.length - failed, 'picture')} (${formatBytes(written)}) and ${several(albums.length, 'album')}`;
  terminal.note(`${done}${failed ? `; ${failed} failed. To retry, run the same command again` : ''}.`);
  return failed ? EXIT.failed : EXIT.done;
}

async function allImages(run: Run, signal: AbortSignal): Promise<Image[]> {
  const images: Image[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
    const query = { limit: MAX_PAGE, sort: 'uploaded_asc' as const, ...(cursor && { cursor }) };
    const { items, next_cursor } = await run.withRetries(() => run.connection.client.call(listImages, { query, signal }), signal);
    images.push(...items);
    cursor = next_cursor ?? undefined;
  }
  return images;
}

/** Gives each file of a folder a name of its own, also where case doesn't count. */
class Names {
  readonly #taken = new Set<string>();

  take(folder: string, name: string, ext = ''): string {
    for (let number = 0; ; number++) {
      const ending = number === 0 ? '' : `-${number + 1}`;
      const found = ext ? fileNameOf(name, ext, ending) : name + ending;
      const place = `${folder}/${found}`.normalize('NFC').toLowerCase();
      if (this.#taken.has(place)) continue;
      this.#taken.add(place);
      return found;
    }
  }
}

/** Where the file of a picture goes: into the folders of its albums, or into that of its year. */
function placesOf(image: Image, targets: ReadonlyMap<string, Target>, names: Names): string[] {
  const own = image.albums.flatMap((id) => targets.get(id) ?? []);
  // The JSON file beside it has a longer name.
  const base = image.name.slice(0, 120);
  if (own.length === 0) {
    const folder = `Photos from ${image.taken_at.slice(0, 4)}`;
    return [join(folder, names.take(folder, base, image.ext))];
  }
  return own.map(({ folder, files }) => {
    const name = names.take(folder, base, image.ext);
    files.set(image.key, name);
    return join(folder, name);
  });
}

async function exportOne(run: Run, dir: string, image: Image, places: string[], signal: AbortSignal) {
  const [first, ...others] = places.map((place) => join(dir, place)) as [string, ...string[]];
  await mkdir(join(first, '..'), { recursive: true });
  if (!(await isThere(first, image))) {
    await run.withRetries(() => download(run, { path: first, address: `/i/${image.key}.${image.ext}` }, signal), signal);
    if (!(await isThere(first, image))) throw new CommandError('other bytes arrived than the server says it has');
  }
  for (const path of others) {
    await mkdir(join(path, '..'), { recursive: true });
    // A file system may have no links.
    if (!(await isThere(path, image))) await link(first, path).catch(() => copyFile(first, path));
  }
  for (const path of [first, ...others]) await writeJson(`${path}.json`, sidecarOf(image));
}

async function isThere(path: string, { size, sha256 }: Image): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size !== size) return false;
  await using file = await openFile(path);
  return (await hashFile(file.handle)) === sha256;
}

/** The JSON file of Google Photos, with what Pixdock knows beside. */
function sidecarOf(image: Image) {
  const {
    key,
    name,
    caption,
    title,
    alt,
    tags,
    visibility,
    slug,
    expires_at,
    views,
    views_left,
    taken_at,
    created_at,
    favourite,
    has_password,
    links,
  } = image;
  const own: OwnData & Record<string, unknown> = {
    ...{ key, link: links.url, title, alt, tags, visibility, slug, expires_at, views_left, taken_at },
    // What can't be set again.
    ...{ created_at, views, has_password },
  };
  return {
    title: escaped(name),
    description: escaped(caption),
    creationTime: { timestamp: seconds(created_at) },
    photoTakenTime: { timestamp: seconds(taken_at) },
    favorited: favourite,
    url: links.url,
    pixdock: own,
  };
}

const seconds = (time: string) => String(Math.floor(Date.parse(time) / 1000));
/** Programs read what looks like HTML as such, since Google escapes it. */
const escaped = (text: string) => text.replace(/&(?=#?\w{1,8};)/g, '&amp;');

async function exportAlbum(run: Run, dir: string, { album, folder, files }: Target, signal: AbortSignal) {
  const { name, description, visibility, allow_download, expires_at, cover_key, sorted, id } = album;
  const keys = sorted ? await orderOf(run, id, signal) : [];
  const own: OwnAlbum = {
    ...{ description, visibility, allow_download, expires_at },
    cover: files.get(cover_key ?? '') ?? null,
    pictures: keys.flatMap((key) => files.get(key) ?? []),
  };
  await mkdir(join(dir, folder), { recursive: true });
  await writeJson(join(dir, folder, 'metadata.json'), { title: escaped(name), description: escaped(description), pixdock: own });
}

async function orderOf(run: Run, id: string, signal: AbortSignal): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
    const query = { limit: MAX_PAGE, ...(cursor && { cursor }) };
    const list = () => run.connection.client.call(listAlbumImages, { params: { id }, query, signal });
    const { items, next_cursor } = await run.withRetries(list, signal);
    keys.push(...items.map(({ key }) => key));
    cursor = next_cursor ?? undefined;
  }
  return keys;
}

/** Writes a file only if it changes. */
async function writeJson(path: string, content: unknown) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) await writeAtomically(path, text, 0o644);
}
