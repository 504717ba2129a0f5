import { z } from 'zod';
import { type ImportProgress, type ImportState, importProgress } from '#api/admin/imports.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { tellProgress } from '#server/core/journal/changes.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { createAddressRules } from '#server/platform/fetching/addresses.ts';
import { CredentialsError } from '#transfer/sources/client.ts';
import { SOURCES } from '#transfer/sources/sources.ts';
import { type ImportParts, reasonOf, runImport } from './run.ts';

/** Not a setting that admins see: the import, without its token. */
const ROW = 'import';
const storedImport = importProgress.extend({
  state: z.enum(['running', 'paused', 'done', 'failed']),
  /** Another one for each start; the service that has the token for it does the work. */
  run: z.string(),
  /** When it was last saved, in milliseconds since 1970. */
  beat: z.number(),
});
type Stored = z.infer<typeof storedImport>;

const SAVE_MS = 1_000;
/** One of several services that hasn't saved for so long has stopped. */
const STALE_MS = 30_000;
/** What is counted again when an import continues. */
const RECOUNTED = { found: 0, listed: false, present: 0, failed: 0, gone: 0, videos: 0, other_files: 0, faults: [], fault: null };

export interface Started {
  product: ImportProgress['product'];
  address: string;
  token: string;
  userId: number;
}

export interface Imports {
  state(): Promise<ImportState>;
  /** @throws RequestError `conflict` */
  start(db: WritableDatabase, started: Started, origin: AuditOrigin): Promise<void>;
  /** Resolves once nothing is being uploaded any more. */
  pause(db: WritableDatabase): Promise<void>;
  /** @throws RequestError `conflict` while it runs, or without a token that is needed */
  continue(db: WritableDatabase, token: string | undefined): Promise<void>;
  stop(db: WritableDatabase, origin: AuditOrigin): Promise<void>;
  /** Does the work of an import that was started here; returns how many pictures it brought. */
  run(signal: AbortSignal): Promise<number>;
}

/** The import from another product that an admin follows. What is here already shows by the keys of uploads, so it can end at any point. */
export function createImports(context: Pick<Context, 'db' | 'staging' | 'settings' | 'log'>, parts: ImportParts): Imports {
  const db = context.db.as('job');
  /** In memory only. */
  let held: { run: string; token: string } | undefined;
  let current: { stop: AbortController; ended: Promise<void> } | undefined;

  const isRunning = ({ state, run, beat }: Stored) =>
    state === 'running' && (held?.run === run || (db.isShared && Date.now() - beat < STALE_MS));

  async function interrupt() {
    current?.stop.abort();
    await current?.ended;
  }

  /** Saves what an import has done, unless it was stopped or replaced. @returns whether it should continue */
  const save = (run: string, progress: ImportProgress, state: Stored['state'] = 'running') =>
    db.write(async (queries) => {
      const stored = await readImport(queries);
      if (stored?.run !== run) return false;
      const isOn = stored.state === 'running';
      await writeImport(queries, { ...progress, run, beat: Date.now(), state: isOn ? state : stored.state });
      return isOn;
    });

  async function perform({ run, token }: { run: string; token: string }, { state, beat, ...progress }: Stored, signal: AbortSignal) {
    const before = progress.imported;
    const stop = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    current = { stop, ended };
    const saveNow = () => save(run, progress).then((continues) => continues || stop.abort());
    const warn = (err: unknown) => context.log.warn({ err }, 'couldn’t save the progress of an import; it will be tried again');
    const timer = setInterval(() => void saveNow().catch(warn), SAVE_MS);
    const either = AbortSignal.any([signal, stop.signal]);
    const rules = createAddressRules(context.settings.current().fetch_allowed_hosts);
    let outcome: 'running' | 'done' | 'failed' = 'done';
    try {
      await runImport({ ...context, ...parts, rules }, progress, token, either);
    } catch (error) {
      if (!either.aborted) {
        outcome = 'failed';
        progress.fault = reasonOf(error, context.log);
        if (error instanceof CredentialsError && held?.run === run) held = undefined;
      }
    } finally {
      clearInterval(timer);
      if (either.aborted) outcome = 'running';
      else progress.finished_at = new Date().toISOString();
      await save(run, progress, outcome).finally(() => {
        current = undefined;
        resolve();
      });
    }
    return progress.imported - before;
  }

  return {
    async state() {
      const stored = await readImport(db.read);
      if (!stored) return null;
      const { run, beat, ...rest } = stored;
      const state = stored.state === 'running' && !isRunning(stored) ? 'paused' : stored.state;
      return { ...rest, state, needs_token: state !== 'running' && held?.run !== run, never_brought: SOURCES[stored.product].never };
    },

    async start(by, { product, address, token, userId }, origin) {
      const run = randomKey(12);
      await by.write(async (queries) => {
        const stored = await readImport(queries);
        if (stored?.state === 'running' || stored?.state === 'paused') throw alreadyRunning();
        const { title } = SOURCES[product];
        const begun = { product, address, user_id: userId, started_at: new Date().toISOString(), finished_at: null };
        await writeImport(queries, { ...begun, ...RECOUNTED, imported: 0, not_brought: {}, state: 'running', run, beat: Date.now() });
        await recordAudit(queries, origin, { action: 'import.started', target: `${title} ${address}` });
      });
      held = { run, token };
    },

    async pause(by) {
      await by.write(async (queries) => {
        const stored = await requireImport(queries);
        if (stored.state === 'running') await writeImport(queries, { ...stored, state: 'paused' });
      });
      await interrupt();
    },

    async continue(by, token) {
      const run = randomKey(12);
      const given = await by.write(async (queries) => {
        const stored = await requireImport(queries);
        if (isRunning(stored)) throw alreadyRunning();
        const known = token ?? (held?.run === stored.run ? held.token : undefined);
        if (known === undefined)
          throw new RequestError('conflict', 'The service doesn’t have the token any more. Enter it again.', { problem: 'token_needed' });
        await writeImport(queries, { ...stored, ...RECOUNTED, finished_at: null, state: 'running', run, beat: Date.now() });
        return known;
      });
      held = { run, token: given };
    },

    async stop(by, origin) {
      await by.write(async (queries) => {
        const stored = await readImport(queries);
        if (!stored) return;
        await queries.deleteFrom('settings').where('name', '=', ROW).execute();
        tellProgress(queries, 'import');
        const target = `${SOURCES[stored.product].title} ${stored.address}`;
        if (stored.state !== 'done') await recordAudit(queries, origin, { action: 'import.stopped', target });
      });
      held = undefined;
      await interrupt();
    },

    async run(signal) {
      if (!held) return 0;
      const mine = held;
      const stored = await readImport(db.read);
      if (stored?.run === mine.run && stored.state === 'running') return perform(mine, stored, signal);
      return 0;
    },
  };
}

const alreadyRunning = () => new RequestError('conflict', 'There’s already an import. Stop it first.', { problem: 'import_running' });

async function readImport(queries: Queries): Promise<Stored | undefined> {
  const row = await queries.selectFrom('settings').select('value').where('name', '=', ROW).executeTakeFirst();
  return row && storedImport.safeParse(JSON.parse(row.value)).data;
}

async function requireImport(queries: Queries): Promise<Stored> {
  const stored = await readImport(queries);
  if (!stored) throw new NotFoundError('There’s no import.');
  return stored;
}

async function writeImport(queries: Queries, stored: Stored): Promise<void> {
  const value = JSON.stringify(stored);
  await queries
    .insertInto('settings')
    .values({ name: ROW, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  tellProgress(queries, 'import');
}
