import type { Database } from '#server/platform/db/database.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { policyById } from './policies.ts';

/** Storage policies, of which there are few, kept at hand. Whoever changes one must call `clear`. */
export interface PolicyIndex {
  /** @throws when there is none of that id, which an image's reference rules out */
  find(id: number): Promise<PolicyRow>;
  clear(): void;
}

export function createPolicyIndex(db: Database): PolicyIndex {
  const known = new Map<number, PolicyRow>();
  return {
    async find(id) {
      const cached = known.get(id);
      if (cached) return cached;
      const row = await policyById(db.read, id);
      if (!row) throw new Error(`storage policy ${id} does not exist`);
      known.set(id, row);
      return row;
    },
    clear: () => known.clear(),
  };
}
