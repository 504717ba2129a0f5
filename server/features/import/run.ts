import { createHash, hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type ImportProgress, MAX_IMPORT_FAULTS } from '#api/admin/imports.ts';
import { NetworkError } from '#api/client.ts';
import { takenExts } from '#api/formats.ts';
import { withRetries } from '#api/retry.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { ForbiddenError, fileTooLarge, RequestError } from '#server/platform/base/errors.ts';
import type { Caller, Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { type AddressRules, resolveBySystem } from '#server/platform/fetching/addresses.ts';
import { guardedRequest } from '#server/platform/fetching/guarded-request.ts';
import { toRefusal } from '#server/platform/http/errors/envelope.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import type { Staging } from '#server/platform/storage/staging.ts';
import { broughtOf, countLost, identify, kindOf, wholeItem } from '#transfer/sources/brought.ts';
import { CredentialsError, ItemGone, SourceClient, SourceError } from '#transfer/sources/client.ts';
import type { SourceItem } from '#transfer/sources/item.ts';
import { SOURCES } from '#transfer/sources/sources.ts';

/** What the features of uploads and albums do for imports. */
export interface ImportParts {
  /** Whether the picture with this key has been imported, whatever has become of it. */
  isKnown(user: UserRow, key: string): Promise<boolean>;
  /** The largest file that a user may upload, in bytes; 0: unlimited. */
  maxBytes(user: UserRow): Promise<number>;
  upload(upload: {
    caller: Caller;
    user: UserRow;
    key: string;
    file: StagedFile & { name: string };
    fields: Record<string, unknown>;
    addition: { caption: string; favourite: boolean; takenAt: string | undefined };
  }): Promise<{ reused: boolean }>;
  createAlbum(
    db: WritableDatabase,
    ownerId: number,
    album: { name: string; visibility: 'private'; allow_download: boolean },
  ): Promise<string>;
}

interface Tools extends ImportParts {
  db: Database;
  staging: Staging;
  log: Logger;
  rules: AddressRules;
}

const AT_ONCE = 3;
const TIMEOUT_SECONDS = 60;
/** The longest wait that the other server may ask for. */
const MAX_WAIT_SECONDS = 15 * 60;
/** Pictures in a row that can't be fetched, after which the other server counts as unreachable. */
const MAX_UNREACHABLE = 5;
/** What would end every other upload in the same way. */
const ENDING: ReadonlySet<string> = new Set(['quota_exceeded', 'storage_full', 'unauthorized', 'forbidden']);

/**
 * Imports what isn't here yet, and counts it in `progress`.
 * @throws what ends the import, unless `signal` has
 */
export async function runImport(tools: Tools, progress: ImportProgress, token: string, signal: AbortSignal): Promise<void> {
  const kind = SOURCES[progress.product];
  const repeat = createRepeat(signal);
  const client = new SourceClient({
    address: progress.address,
    title: kind.title,
    credentials: kind.credentials(token),
    repeat,
    signal,
    timeout: TIMEOUT_SECONDS,
    fetchElsewhere: fetchWithin(tools.rules),
  });
  const user = await starterOf(tools.db.read, progress);
  const taken = takenExts((await groupById(tools.db.read, user.group_id)).allowed_exts);
  const items: SourceItem[] = [];
  const seen = new Set<string>();
  let failure: unknown;
  try {
    for await (const item of kind.items(client, token)) {
      signal.throwIfAborted();
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      const { kind: what, format } = kindOf(item);
      if (what === 'picture' || (format && taken.includes(format))) {
        items.push(item);
        progress.found++;
      } else if (what === 'video') progress.videos++;
      else progress.other_files++;
    }
    progress.listed = true;
  } catch (error) {
    failure = error; // what was listed is imported anyway
  }
  const ended = await importAll({ ...tools, client, repeat, user, progress, signal, albums: new Map(), unreachable: 0 }, items);
  if (ended ?? failure) throw ended ?? failure;
}

interface Run extends Tools {
  client: SourceClient;
  repeat: <T>(attempt: () => Promise<T>) => Promise<T>;
  user: UserRow;
  progress: ImportProgress;
  signal: AbortSignal;
  /** The ids of albums by their titles. */
  albums: Map<string, Promise<string>>;
  unreachable: number;
}

/** @returns what has ended it early */
async function importAll(run: Run, items: readonly SourceItem[]): Promise<unknown> {
  const { progress, signal } = run;
  const rest = items.values();
  let earlier = progress.imported;
  let ending: unknown;
  const work = async () => {
    for (const item of rest) {
      if (signal.aborted || ending) return;
      try {
        const outcome = await importOne(run, item);
        run.unreachable = 0;
        // Those that this import has brought before a pause.
        if (outcome === 'known' && earlier > 0) earlier--;
        else progress[outcome === 'known' ? 'present' : outcome]++;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = thrown instanceof NetworkError || thrown instanceof SourceError ? thrown : (toRefusal(thrown) ?? thrown);
        if (endsAll(run, error)) ending ??= error;
        else noteFailure(run, item, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ending;
}

function endsAll(run: Run, error: unknown): boolean {
  run.unreachable = error instanceof NetworkError ? run.unreachable + 1 : 0;
  if (error instanceof RequestError) return ENDING.has(error.code);
  return error instanceof CredentialsError || run.unreachable >= MAX_UNREACHABLE;
}

function noteFailure({ progress, log }: Run, item: SourceItem, error: unknown) {
  progress.failed++;
  progress.faults = [...progress.faults, { name: broughtOf(item).name, reason: reasonOf(error, log) }].slice(-MAX_IMPORT_FAULTS);
}

/** A sentence for the admin; what nobody expected is logged. */
export function reasonOf(error: unknown, log: Logger): string {
  const isTold = [SourceError, NetworkError, RequestError].some((kind) => error instanceof kind);
  if (isTold) return (error as Error).message;
  log.error({ err: error }, 'a picture couldn’t be imported');
  return 'Something went wrong. The service’s log has the details.';
}

async function importOne(run: Run, listed: SourceItem): Promise<'known' | 'imported' | 'present' | 'gone'> {
  const { progress, user } = run;
  const key = `import ${hash('sha256', [progress.product, progress.address, identify(listed)].join('\n'))}`;
  if (await run.isKnown(user, key)) return 'known';
  try {
    const item = await wholeItem(listed);
    const { name, takenAt, caption, expiresAt, tags, albums: titles } = broughtOf(item);
    await using file = await fetchFile(run, item);
    const albums = await Promise.all(titles.map((title) => albumOf(run, title)));
    const fields = {
      ...{ visibility: item.visibility, expires_at: expiresAt, taken_at: takenAt, max_views: item.viewsLeft },
      ...(tags.length > 0 && { tags }),
      ...(albums.length > 0 && { albums }),
    };
    const addition = { caption, favourite: item.favourite ?? false, takenAt: item.takenAt && takenAt };
    const { reused } = await run.upload({ caller: callerOf(progress), user, key, file: { ...file, name }, fields, addition });
    countLost(item, progress.not_brought);
    return reused ? 'present' : 'imported';
  } catch (error) {
    if (error instanceof RequestError && error.code === 'album_not_found') run.albums.clear(); // it has just been deleted
    if (error instanceof ItemGone) return 'gone';
    throw error;
  }
}

async function fetchFile({ client, repeat, staging, maxBytes, user }: Run, item: SourceItem): Promise<StagedFile & AsyncDisposable> {
  const limit = await maxBytes(user);
  const { size: announced = 0 } = item;
  return repeat(async () => {
    await using files = new AsyncDisposableStack();
    // What another server says may be anything.
    const writer = files.use(await staging.create(Number.isSafeInteger(announced) && announced > 0 ? announced : undefined));
    const sha1 = createHash('sha1');
    let size = 0;
    for await (const bytes of await client.open(item.url)) {
      size += bytes.length;
      if (limit > 0 && size > limit) throw fileTooLarge(limit);
      sha1.update(bytes);
      await writer.write(bytes);
    }
    if (size === 0) throw new SourceError('it has no bytes');
    if (item.sha1 !== undefined && sha1.digest('hex') !== item.sha1)
      throw new NetworkError(`${client.title} sent other bytes than it says it has`);
    const file = await writer.finish();
    const kept = files.move();
    return { ...file, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  });
}

/** The starter's own album with this title, created if missing. */
function albumOf({ albums, db, user, createAlbum, progress }: Run, title: string): Promise<string> {
  const find = async () => {
    const query = db.read.selectFrom('albums').select('id').where('owner_id', '=', user.id).where('name', '=', title);
    const found = await query.orderBy('position').limit(1).executeTakeFirst();
    if (found) return found.id;
    return createAlbum(db.as(callerOf(progress)), user.id, { name: title, visibility: 'private', allow_download: true });
  };
  const known = albums.get(title) ?? find();
  albums.set(title, known);
  known.catch(() => albums.delete(title));
  return known;
}

/** Who has started it. @throws ForbiddenError unless they are still an admin */
async function starterOf(queries: Queries, { user_id }: ImportProgress): Promise<UserRow> {
  const user = await queries.selectFrom('users').selectAll().where('id', '=', user_id).executeTakeFirst();
  if (user?.disabled_at === null && user.role === 'admin') return user;
  throw new ForbiddenError('The user who started this import is no longer an administrator. Stop it, and start a new one.');
}

/** An import outlasts the session that has started it, but not the rights of its user. */
const callerOf = (progress: ImportProgress): Caller => ({
  confirm: async (queries) => void (await starterOf(queries, progress)),
});

/** Repeats what can succeed later. A wait that the other server asks for holds back all requests. */
function createRepeat(signal: AbortSignal): Run['repeat'] {
  const batch = { settled: 0 };
  let heldUntil = 0;
  const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { signal });
  return (attempt) =>
    withRetries(
      async () => {
        if (heldUntil > Date.now()) await pause(heldUntil - Date.now());
        return attempt();
      },
      { maxWait: MAX_WAIT_SECONDS, batch },
      ({ seconds, requested }) => {
        if (requested) heldUntil = Math.max(heldUntil, Date.now() + seconds * 1000);
        return pause(seconds * 1000);
      },
    );
}

const WITHOUT_BODY = [204, 205, 304];

/** The address of an import is the admin's choice; where it leads from there isn't. */
function fetchWithin(rules: AddressRules) {
  return async (url: URL, options: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response> => {
    const response = await guardedRequest(url, rules, resolveBySystem, options).catch((error: unknown) => {
      throw error instanceof RequestError ? new SourceError(error.message) : error;
    });
    const headers = ['content-type', 'location', 'retry-after'].flatMap((name): [string, string][] => {
      const value = response.header(name);
      return value === undefined ? [] : [[name, value]];
    });
    const chunks = response.body[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const next = await chunks.next();
        if (!next.done) return controller.enqueue(next.value);
        controller.close();
        await response.close();
      },
      cancel: () => response.close(),
    });
    return new Response(WITHOUT_BODY.includes(response.status) ? null : body, { status: response.status, headers });
  };
}
