import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Failure } from '#main/base/reasons.ts';
import { transaction } from './database.ts';
import type { EventDetail, Events } from './events.ts';
import { type Item, type ItemState, itemOf, type NewItem, type SentImage } from './item.ts';
import type { Outcome, SeenFiles } from './seen.ts';

const COLUMNS = `id, key, batch_id, lane, account, path, name, spooled, size, modified, sha256, fields, folder_id, rel_path, state, marks,
  attempts, not_before, failure, image, after_state, added_at, ended_at`;

/** Uploads that wait for something: everything but drafts and those that are over. */
const OPEN = `('queued', 'sending', 'paused')`;

/** Drafts, open uploads by state, and failed ones. */
export type Counts = Record<'draft' | 'queued' | 'sending' | 'paused' | 'failed', number>;

/** What {@link Items.next} may choose from. */
export interface NextFilter {
  /** Milliseconds since 1970. */
  now: number;
  /** The account that is uploaded to; uploads meant for another one wait. */
  account: string;
  /** The last lane that may be taken from; see {@link Item.lane}. */
  lane: number;
}

/** The uploads in the journal. Each change is one commit that survives a power cut. */
export interface Items {
  /** Adds a batch of uploads in order and returns their ids. */
  add(batchId: string, lane: number, items: readonly NewItem[]): string[];
  get(id: string): Item | undefined;
  /** The next upload to send. */
  next(filter: NextFilter): Item | undefined;
  /** When the next one that only waits for its time can be sent. Undefined: none does. */
  nextAt(account: string): number | undefined;
  begin(id: string, account: string): void;
  /** Puts an upload back whose attempt counts, since there was a response. */
  later(id: string, at: number, failure: Failure): void;
  /** Puts an upload back as if its last attempt hadn't been made. */
  putBack(id: string): void;
  /** Makes a recording a draft of this size in bytes. */
  endRecording(id: string, size: number): void;
  /** Keeps what is drawn on a draft; null: nothing. Does nothing once it is sent or discarded. */
  keepMarks(id: string, marks: string | null): void;
  /** Queues a draft as part of another batch, without its marks. `file`: what is sent in place of the draft's own. Returns the draft, if it still was one. */
  sendDraft(id: string, batchId: string, file?: Pick<NewItem, 'path' | 'name' | 'size'>): Item | undefined;
  /** Discards an upload, and forgets the watch folder's file that it is of, so that the file is looked at again. */
  changed(id: string): void;
  /** Marks an upload as done, and its watch folder's file as seen in the same commit. */
  finish(id: string, image: SentImage): void;
  fail(id: string, failure: Failure): void;
  /** Ends drafts and uploads that aren't wanted any more. Returns those that were drafts, were open or had failed. */
  discard(ids: readonly string[]): Item[];
  /** Takes uploads that are done off the list. Their batch's result still has their pictures. */
  forget(ids: readonly string[]): void;
  /** Queues failed uploads again, as part of another batch. Returns their ids. */
  retry(ids: readonly string[], batchId: string): string[];
  pause(ids: readonly string[]): void;
  resume(ids: readonly string[]): void;
  /** Lets a request for other bytes under the same id count as a new one. */
  renewKey(id: string): void;
  /** Moves open uploads from one account to another. */
  reassign(from: string, to: string): void;
  /** Queues again what was being sent when the app ended. */
  recover(): void;
  counts(): Counts;
  /** Open uploads that are meant for other accounts. */
  countForOthers(account: string): number;
  /** Uploads in these states: open ones in the order they are sent, ended ones latest first. */
  list(states: readonly ItemState[], limit: number, offset: number): Item[];
  ids(states: readonly ItemState[]): string[];
  /** Ids of the uploads of a watch folder in these states. */
  idsOfFolder(folder: string, states: readonly ('queued' | 'sending' | 'paused')[]): string[];
  /** The uploads of a batch that are done or have failed, in order. */
  endedOf(batchId: string): Item[];
  /** Whether any upload of a batch is still open, or a draft. */
  isBatchOpen(batchId: string): boolean;
  countDoneSince(time: number): number;
  /** What is still needed in the spool: paths of its files, and ids of uploads whose files are elsewhere. */
  spooled(): string[];
  /** Uploaded files of watch folders that are still to be moved or trashed. */
  postUploadPending(limit: number): Item[];
  postUploadDone(id: string): void;
  /** Forgets ended uploads older than a time. */
  prune(before: number): void;
}

export function createItems(db: DatabaseSync, now: () => number, seen: SeenFiles, events: Events): Items {
  const one = (where: string, ...values: SQLInputValue[]) => {
    const row = db.prepare(`SELECT ${COLUMNS} FROM items WHERE ${where}`).get(...values);
    return row && itemOf(row);
  };
  const many = (rest: string, ...values: SQLInputValue[]) =>
    db
      .prepare(`SELECT ${COLUMNS} FROM items ${rest}`)
      .all(...values)
      .map(itemOf);
  const run = (statement: string, ...values: SQLInputValue[]) => db.prepare(statement).run(...values);

  const insert = db.prepare(`INSERT INTO items (id, key, batch_id, lane, account, path, name, spooled, size, modified, sha256, fields,
    folder_id, rel_path, state, after_state, added_at)
    VALUES ($id, $id, $batch, $lane, $account, $path, $name, $spooled, $size, $modified, $sha256, $fields, $folder, $rel, $state, $after, $at)`);

  function note({ id, folder, size = 0, modified = 0, sha256 }: Item, outcome: Outcome, detail: EventDetail = {}) {
    if (folder) seen.note(folder.id, { relPath: folder.relPath, size, modified, sha256 }, { outcome, itemId: id, ...detail });
  }

  const each = <T>(ids: readonly string[], work: (id: string) => T | undefined): T[] =>
    transaction(db, () => ids.map(work).filter((result) => result !== undefined));

  return {
    add: (batchId, lane, items) =>
      transaction(db, () =>
        items.map((item) => {
          const id = item.id ?? randomUUID();
          insert.run({
            id,
            batch: batchId,
            lane,
            account: item.account ?? null,
            path: item.path,
            name: item.name,
            spooled: Number(item.spooled),
            size: item.size ?? null,
            modified: item.modified ?? null,
            sha256: item.sha256 ?? null,
            fields: JSON.stringify(item.fields ?? {}),
            folder: item.folder?.id ?? null,
            rel: item.folder?.relPath ?? null,
            state: item.isRecording ? 'recording' : item.isDraft ? 'draft' : 'queued',
            after: item.postUpload ? 'wanted' : 'none',
            at: now(),
          });
          return id;
        }),
      ),
    get: (id) => one('id = ?', id),
    next: ({ now: time, account, lane }) =>
      one(
        `state = 'queued' AND lane <= ? AND not_before <= ? AND (account IS NULL OR account = ?) ORDER BY lane, seq LIMIT 1`,
        lane,
        time,
        account,
      ),
    nextAt(account) {
      const row = db
        .prepare(`SELECT MIN(not_before) AS at FROM items WHERE state = 'queued' AND not_before > 0 AND (account IS NULL OR account = ?)`)
        .get(account);
      return typeof row?.at === 'number' ? row.at : undefined;
    },
    begin: (id, account) => void run(`UPDATE items SET state = 'sending', account = ? WHERE id = ?`, account, id),
    later: (id, at, why) =>
      void run(
        `UPDATE items SET state = 'queued', not_before = ?, failure = ?, attempts = attempts + 1 WHERE id = ? AND state = 'sending'`,
        at,
        JSON.stringify(why),
        id,
      ),
    putBack: (id) => void run(`UPDATE items SET state = 'queued' WHERE id = ? AND state = 'sending'`, id),
    endRecording: (id, size) => void run(`UPDATE items SET state = 'draft', size = ? WHERE id = ? AND state = 'recording'`, size, id),
    keepMarks: (id, marks) => void run(`UPDATE items SET marks = ? WHERE id = ? AND state = 'draft'`, marks, id),
    sendDraft: (id, batchId, file) =>
      transaction(db, () => {
        const draft = one(`id = ? AND state = 'draft'`, id);
        if (!draft) return undefined;
        run(`UPDATE items SET state = 'queued', batch_id = ?, marks = NULL WHERE id = ?`, batchId, id);
        if (file)
          run(`UPDATE items SET path = ?, name = ?, spooled = 1, size = ? WHERE id = ?`, file.path, file.name, file.size ?? null, id);
        return draft;
      }),
    changed: (id) =>
      transaction(db, () => {
        const item = one('id = ?', id);
        if (!item) return;
        run(`UPDATE items SET state = 'discarded', ended_at = ?, marks = NULL WHERE id = ?`, now(), id);
        if (!item.folder) return;
        events.add(item.folder.id, item.folder.relPath, 'changed');
        seen.forget(item.folder.id, item.folder.relPath);
      }),
    finish: (id, image) =>
      transaction(db, () => {
        const item = one('id = ?', id);
        if (!item) return;
        // The secret that deletes the image goes to the caller that waits for it, not onto the disk.
        const kept = { ...image, links: { ...image.links, delete_url: undefined } };
        run(
          `UPDATE items SET state = 'done', image = ?, failure = NULL, ended_at = ?, fields = json_remove(fields, '$.access_password'),
            after_state = CASE after_state WHEN 'wanted' THEN 'pending' ELSE after_state END WHERE id = ?`,
          JSON.stringify(kept),
          now(),
          id,
        );
        note(item, 'uploaded', { imageKey: image.key });
      }),
    fail: (id, why) =>
      transaction(db, () => {
        const item = one('id = ?', id);
        if (!item) return;
        run(
          `UPDATE items SET state = 'failed', failure = ?, attempts = attempts + 1, ended_at = ? WHERE id = ?`,
          JSON.stringify(why),
          now(),
          id,
        );
        note(item, 'rejected', { failure: why });
      }),
    discard: (ids) =>
      each(ids, (id) => {
        const item = one(`id = ? AND state IN ('draft', 'queued', 'sending', 'paused', 'failed')`, id);
        if (!item) return undefined;
        run(
          `UPDATE items SET state = 'discarded', marks = NULL, ended_at = ?, fields = json_remove(fields, '$.access_password') WHERE id = ?`,
          now(),
          id,
        );
        if (item.state !== 'failed') note(item, 'discarded');
        return item;
      }),
    forget: (ids) => void each(ids, (id) => run(`UPDATE items SET state = 'discarded' WHERE id = ? AND state = 'done'`, id)),
    retry: (ids, batchId) =>
      each(ids, (id) => {
        const { changes } = run(
          `UPDATE items SET state = 'queued', batch_id = ?, attempts = 0, not_before = 0, failure = NULL, ended_at = NULL
            WHERE id = ? AND state = 'failed'`,
          batchId,
          id,
        );
        return changes ? id : undefined;
      }),
    pause: (ids) => void each(ids, (id) => run(`UPDATE items SET state = 'paused' WHERE id = ? AND state IN ('queued', 'sending')`, id)),
    resume: (ids) => void each(ids, (id) => run(`UPDATE items SET state = 'queued', not_before = 0 WHERE id = ? AND state = 'paused'`, id)),
    renewKey: (id) => void run('UPDATE items SET key = ? WHERE id = ?', randomUUID(), id),
    reassign: (from, to) =>
      void run(`UPDATE items SET account = ?, key = id || ':' || ? WHERE account = ? AND state IN ${OPEN}`, to, to, from),
    recover: () => void run(`UPDATE items SET state = 'queued' WHERE state = 'sending'`),
    counts() {
      const counts: Counts = { draft: 0, queued: 0, sending: 0, paused: 0, failed: 0 };
      const rows = db
        .prepare(
          `SELECT state, COUNT(*) AS count FROM items WHERE state IN ('queued', 'sending', 'paused', 'failed') GROUP BY state
            UNION ALL SELECT 'draft', COUNT(*) FROM items WHERE state = 'draft'`,
        )
        .all();
      for (const { state, count } of rows) counts[state as keyof Counts] = Number(count);
      return counts;
    },
    countForOthers: (account) =>
      Number(db.prepare(`SELECT COUNT(*) AS count FROM items WHERE state IN ${OPEN} AND account <> ?`).get(account)?.count),
    list(states, limit, offset) {
      const ended = states.every((state) => state === 'done' || state === 'discarded');
      const order = ended ? 'ended_at DESC' : `CASE state WHEN 'sending' THEN 0 ELSE 1 END, lane, seq`;
      return many(`WHERE state IN (${states.map(() => '?')}) ORDER BY ${order} LIMIT ? OFFSET ?`, ...states, limit, offset);
    },
    ids: (states) =>
      db
        .prepare(`SELECT id FROM items WHERE state IN (${states.map(() => '?')}) ORDER BY lane, seq`)
        .all(...states)
        .map(({ id }) => String(id)),
    idsOfFolder: (folder, states) =>
      db
        // The first list of states is that of the index.
        .prepare(
          `SELECT id FROM items WHERE folder_id = ? AND state IN ('queued', 'sending', 'paused', 'failed')
            AND state IN (${states.map(() => '?')})`,
        )
        .all(folder, ...states)
        .map(({ id }) => String(id)),
    endedOf: (batchId) => many(`WHERE batch_id = ? AND (state IN ('done', 'failed') OR image IS NOT NULL) ORDER BY seq`, batchId),
    isBatchOpen: (batchId) =>
      db
        .prepare(`SELECT 1 FROM items WHERE batch_id = ? AND (state IN ${OPEN} OR state IN ('draft', 'recording')) LIMIT 1`)
        .get(batchId) !== undefined,
    countDoneSince: (time) =>
      Number(db.prepare(`SELECT COUNT(*) AS count FROM items WHERE state = 'done' AND ended_at >= ?`).get(time)?.count),
    spooled: () =>
      db
        .prepare(`SELECT CASE spooled WHEN 1 THEN path ELSE id END AS needed FROM items WHERE state NOT IN ('done', 'discarded')`)
        .all()
        .map(({ needed }) => String(needed)),
    postUploadPending: (limit) => many(`WHERE after_state = 'pending' ORDER BY seq LIMIT ?`, limit),
    postUploadDone: (id) => void run(`UPDATE items SET after_state = 'done' WHERE id = ?`, id),
    prune: (before) =>
      void run(`DELETE FROM items WHERE state IN ('done', 'discarded') AND after_state <> 'pending' AND ended_at < ?`, before),
  };
}
