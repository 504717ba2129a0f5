import { countLost, kindOf, sendableToken, sourceAddress } from '#transfer/sources/brought.ts';
import { SourceClient } from '#transfer/sources/client.ts';
import type { SourceItem, SourceKind } from '#transfer/sources/item.ts';
import { AlbumFinder } from '../albums.ts';
import { readSecret } from '../ask-secret.ts';
import { EXIT, UsageError } from '../errors.ts';
import { imageFields } from '../options.ts';
import { formatLink } from '../printable.ts';
import { type Invocation, LONG_MAX_WAIT, prepare, retriesOf } from '../run.ts';
import { compareResult } from './compare.ts';
import { Completion } from './completion.ts';
import { type Ending, importFiles } from './importer.ts';
import { type AnyJob, type CommonOptions, chosenFirst, conclude, forget, videosOf } from './job.ts';
import { openJournal, openJournalIfAny } from './journal.ts';
import { type MapOptions, OldAddresses } from './old-addresses.ts';
import type { Picture } from './picture.ts';
import { describePlan, planOf } from './plan.ts';
import { openReport } from './report.ts';
import { complete, type Fetching, idOf, pictureOf } from './source-pictures.ts';
import { emptySummary, type SourceSummary } from './summary.ts';

/** The options of `pixdock import`. */
export interface SourceOptions extends CommonOptions, MapOptions {
  sourceToken?: string;
  verify?: boolean;
}

interface Stops {
  stop: AbortSignal;
  abort: AbortSignal;
}

interface SourceJob extends AnyJob {
  options: SourceOptions;
  fetching: Fetching;
  source: SourceSummary;
  /** All pictures of the source that were listed. */
  listed: Picture[];
}

/**
 * Imports what another product has.
 * @returns the exit code
 */
export async function importSource(
  invocation: Invocation,
  kind: SourceKind,
  address: string,
  options: SourceOptions,
  { stop, abort }: Stops,
): Promise<number> {
  const base = sourceAddress(address);
  if (base === undefined) throw new UsageError(`${JSON.stringify(address)} isn’t an address. Use one such as https://pics.example.org.`);
  const fields = await imageFields(options);
  const secret = await secretOf(invocation, kind, base, options);
  const run = await prepare(invocation, options, LONG_MAX_WAIT);
  const retries = retriesOf(run.terminal, options.retries, LONG_MAX_WAIT);
  const repeat: Fetching['repeat'] = (attempt) => retries(attempt, stop);
  const client = new SourceClient({
    address: base,
    title: kind.title,
    credentials: kind.credentials(secret),
    repeat,
    signal: abort,
    timeout: options.timeout,
  });
  const identity = { baseUrl: run.connection.baseUrl, token: run.connection.token, folder: `${kind.title} ${base}` };
  using journal = options.dryRun ? openJournalIfAny(run.environment.stateDir, identity) : openJournal(run.environment.stateDir, identity);
  await using report = options.report === undefined ? undefined : await openReport(options.report);
  await using maps = options.dryRun ? undefined : await OldAddresses.open(options, base);
  const leftOut = { favourites: 0, in_albums: 0 };
  const source: SourceSummary = {
    ...{ title: kind.title, pictures: 0, videos: 0, other_files: 0, gone: 0, not_brought: {}, never_brought: kind.never },
    ...{ left_out: leftOut, requests: 0 },
  };
  const fetching = { client, tempDir: run.environment.tempDir, repeat, signal: abort };
  const job: SourceJob = { options, journal, run, report, summary: { ...emptySummary(), source }, fetching, source, listed: [] };
  const startedAt = new Date();
  if (options.again) forget(job);
  const listing = new Listing(kind, secret, job, maps);
  try {
    const ending =
      (options.dryRun ? await dryRun(job, listing, stop) : await upload(job, listing, { fields, maps, stop, abort })) ?? listing.failure;
    source.requests = client.requests;
    job.summary.seconds = (Date.now() - startedAt.getTime()) / 1000;
    // One that is complete isn't replaced by a part.
    if (!stop.aborted && ending === undefined) await maps?.finish();
    await conclude(job, { startedAt, ending, stop, from: { source: `${kind.title} ${base}` } });
    if (stop.aborted) return EXIT.interrupted;
    const differs = options.verify && ending === undefined && !options.dryRun && (await compareResult(job, job.listed, stop)) > 0;
    const isIncomplete = job.summary.failed || ending !== undefined || differs || leftOut.favourites + leftOut.in_albums > 0;
    return isIncomplete ? EXIT.failed : EXIT.done;
  } finally {
    run.terminal.stopProgress();
  }
}

async function secretOf({ io, environment }: Invocation, { title, secret }: SourceKind, address: string, { sourceToken }: SourceOptions) {
  const found = sendableToken(sourceToken ?? environment.sourceToken ?? (await readSecret(io, `${title}’s ${secret}\nfor ${address}: `)));
  if (found !== undefined) return found;
  throw new UsageError(`${title}’s ${secret} is missing. Type it when asked, pipe it in, or set PIXDOCK_SOURCE_TOKEN.`);
}

/** Walks through what the source has. */
class Listing {
  /** Why the source couldn't be listed to its end. */
  failure: Ending;
  readonly #kind: SourceKind;
  readonly #secret: string;
  readonly #job: SourceJob;
  readonly #maps: OldAddresses | undefined;
  readonly #takesVideo: (ext: string) => Promise<boolean>;

  constructor(kind: SourceKind, secret: string, job: SourceJob, maps: OldAddresses | undefined) {
    this.#kind = kind;
    this.#secret = secret;
    this.#job = job;
    this.#maps = maps;
    this.#takesVideo = videosOf(job.run);
  }

  /** The pictures that no earlier run has uploaded, each once. */
  async *until(isOver: () => boolean): AsyncGenerator<Picture> {
    const { fetching, source, summary, journal, options, listed, run } = this.#job;
    const seen = new Set<string>();
    try {
      for await (const item of this.#kind.items(fetching.client, this.#secret)) {
        if (isOver()) return;
        if (seen.has(item.id)) continue;
        seen.add(item.id);
        if (!(await this.#isTaken(item))) continue;
        source.pictures++;
        const picture = pictureOf(item);
        if (options.verify) listed.push(picture);
        if (journal.has(picture.file)) {
          summary.imported_before++;
          await this.#maps?.add(item, journal.broughtOf(picture.file)?.url);
          continue;
        }
        run.terminal.advance({ totalFiles: 1, totalBytes: picture.file.size });
        yield picture;
      }
    } catch (error) {
      // What has begun is finished first.
      if (!isOver()) this.failure = error as Error;
    }
  }

  async #isTaken(item: SourceItem): Promise<boolean> {
    const { source, report } = this.#job;
    const { id, name } = item;
    const { kind, format } = kindOf(item);
    if (kind === 'picture' || (format && (await this.#takesVideo(format)))) return true;
    if (kind === 'video') source.videos++;
    else source.other_files++;
    await report?.add({ path: Buffer.from(id), relative: name, id }, { status: 'other_type' });
    return false;
  }
}

interface Upload extends Stops {
  fields: Awaited<ReturnType<typeof imageFields>>;
  maps: OldAddresses | undefined;
}

async function upload(job: SourceJob, listing: Listing, { fields, maps, stop, abort }: Upload): Promise<Ending> {
  const { run, options, report, summary, source } = job;
  const completion = await Completion.start(run, source.left_out, stop);
  run.terminal.startProgress(0, 0);
  stop.addEventListener('abort', () => run.terminal.note('Finishing uploads in progress. Press Ctrl-C again to cancel them.'), {
    once: true,
  });
  const albums = new AlbumFinder(run.connection.client);
  const prints = options.format ?? options.template ?? !run.io.stdout.isTTY;
  const pictures = new Map<Picture['file'], Picture>();
  return importFiles(
    {
      picturesUntil: (isOver) => listing.until(isOver),
      complete: async (picture) => {
        const whole = await complete(picture, job.fetching);
        pictures.set(picture.file, whole);
        return whole;
      },
      run,
      journal: job.journal,
      fields,
      concurrency: options.concurrency,
      summary,
      completion,
      fieldsOf: (picture, ids) => chosenFirst(fields, completion.fieldsOf(picture, ids)),
      albumsOf: async (picture) => {
        if (!completion.mayChange) return [];
        const ids: string[] = [];
        for (const name of picture.albums) ids.push(await albums.findOrCreate(name));
        return ids;
      },
      onUploaded: (file, uploaded) => {
        if (prints) run.terminal.line(formatLink(options, uploaded, file.relative));
      },
      onResult: async (file, result) => {
        const picture = pictures.get(file);
        pictures.delete(file);
        if (picture && (result.status === 'uploaded' || result.status === 'reused')) {
          if (picture.remote) {
            countLost(picture.remote.item, source.not_brought);
            await maps?.add(picture.remote.item, result.url);
          }
        }
        await report?.add({ ...file, id: idOf(file) }, result);
      },
    },
    stop,
    abort,
  );
}

/** Prints what an import would do; downloads no picture. */
async function dryRun({ run, summary, source, options, report }: SourceJob, listing: Listing, stop: AbortSignal): Promise<Ending> {
  for await (const picture of listing.until(() => stop.aborted)) {
    const { file, remote } = picture;
    if (remote?.item.locked !== undefined) {
      summary.failed++;
      run.terminal.problem(file.relative, remote.item.locked);
      await report?.add({ ...file, id: remote.item.id }, { status: 'failed', error: remote.item.locked });
      continue;
    }
    summary.uploaded++;
    summary.uploaded_bytes += file.size;
    if (remote) countLost(remote.item, source.not_brought);
    await report?.add({ ...file, id: idOf(file) }, { status: 'would_upload' });
    run.terminal.line(options.format === 'json' ? JSON.stringify(planOf(picture)) : describePlan(picture));
  }
  return undefined;
}
