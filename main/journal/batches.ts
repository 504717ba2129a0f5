import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { linkFormat, linkTemplate } from '#api/desktop/preferences.ts';

export const ORIGINS = ['chosen', 'clipboard', 'capture', 'dropped', 'window', 'editor', 'command', 'folder', 'retried'] as const;
/** How a batch was asked for. */
export type Origin = (typeof ORIGINS)[number];

const delivery = z.object({
  /** Default: the preference. */
  format: linkFormat.optional(),
  /** The text of each link, in place of a format. */
  template: linkTemplate.optional(),
  /** The clipboard as it was: links replace only that. Default: they replace anything. */
  mark: z.string().optional(),
  /** The user then chooses to whom on the server the picture is sent. */
  sendsOn: z.boolean().optional(),
});
/** How the links of a batch are delivered. */
export type DeliveryOptions = z.infer<typeof delivery>;

/** Uploads whose links are delivered together. */
export interface Batch {
  id: string;
  origin: Origin;
  /** Undefined: the links aren't copied. */
  links: DeliveryOptions | undefined;
}

const row = z.object({ id: z.string(), origin: z.enum(ORIGINS), links: z.string().nullable() });

const batchOf = (value: unknown): Batch => {
  const { id, origin, links } = row.parse(value);
  return { id, origin, links: links === null ? undefined : delivery.parse(JSON.parse(links)) };
};

export interface Batches {
  add(origin: Origin, links: DeliveryOptions | undefined): string;
  /** A batch whose result hasn't been delivered. */
  getUndelivered(id: string): Batch | undefined;
  /** Those whose result hasn't been delivered, oldest first. */
  undelivered(): Batch[];
  delivered(id: string): void;
  /** Forgets batches older than a time that have no uploads any more. */
  prune(before: number): void;
}

export function createBatches(db: DatabaseSync, now: () => number): Batches {
  return {
    add(origin, links) {
      const id = randomUUID();
      db.prepare('INSERT INTO batches (id, origin, links, added_at) VALUES (?, ?, ?, ?)').run(
        id,
        origin,
        links ? JSON.stringify(links) : null,
        now(),
      );
      return id;
    },
    getUndelivered(id) {
      const found = db.prepare('SELECT id, origin, links FROM batches WHERE id = ? AND delivered_at IS NULL').get(id);
      return found && batchOf(found);
    },
    undelivered: () => db.prepare('SELECT id, origin, links FROM batches WHERE delivered_at IS NULL ORDER BY added_at').all().map(batchOf),
    delivered: (id) => void db.prepare('UPDATE batches SET delivered_at = ? WHERE id = ?').run(now(), id),
    prune: (before) =>
      void db
        .prepare('DELETE FROM batches WHERE added_at < ? AND NOT EXISTS (SELECT 1 FROM items WHERE batch_id = batches.id)')
        .run(before),
  };
}
