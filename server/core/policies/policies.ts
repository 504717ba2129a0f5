import { type Author, announce, type Database, type Queries } from '#server/platform/db/database.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';

/** The storage policies, cached: every direct link needs one (decision 056). */
export interface PolicyStore {
  /** @throws when there is none with that id, which an image's reference rules out */
  find(id: number): Promise<PolicyRow>;
  /** The policy, if it is in memory. */
  peek(id: number): PolicyRow | undefined;
  /** Runs one unit of writing that may change policies; every change must go through here. */
  write<T>(author: Author, work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** What other services on the database are told after a change. */
const CHANGED = 'policies';

/** @param onChange is called when policies may have changed */
export function createPolicyStore(db: Database, onChange: () => void = () => undefined): PolicyStore {
  const known = new Map<number, PolicyRow>();
  let writes = 0;
  db.onAnnouncement((message) => {
    if (message !== undefined && message !== CHANGED) return;
    writes++;
    known.clear();
    onChange();
  }, 'committed');
  return {
    async find(id) {
      const cached = known.get(id);
      if (cached) return cached;
      const before = writes;
      const row = await policyById(db.read, id);
      if (!row) throw new Error(`storage policy ${id} does not exist`);
      // A row read before a write must not be remembered after it.
      if (before === writes) known.set(id, row);
      return row;
    },
    peek: (id) => known.get(id),
    write: (author, work) =>
      db.as(author).write((queries) => {
        announce(queries, CHANGED);
        return work(queries);
      }),
  };
}

export function policyById(queries: Queries, id: number): Promise<PolicyRow | undefined> {
  return queries.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirst();
}
