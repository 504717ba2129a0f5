import type { Teammate } from '#api/team.ts';
import type { Member } from './actor.ts';

/** Who has events streamed to them by this service: their browser has it open, or their desktop app has joined it and is on. */
export interface Presence {
  /** Notes an open stream. Returns a function that ends that. */
  enter(member: Pick<Member, 'user' | 'via' | 'scope'>): () => void;
  of(userId: number): NonNullable<Teammate['connected']> | null;
}

export function createPresence(): Presence {
  const open = new Set<{ userId: number; with: 'app' | 'browser' }>();
  return {
    enter({ user, via, scope }) {
      // Other tokens are programs'.
      if (via === 'token' && scope !== 'device') return () => undefined;
      const one = { userId: user.id, with: via === 'token' ? ('app' as const) : ('browser' as const) };
      open.add(one);
      return () => void open.delete(one);
    },
    of(userId) {
      const found = [...open].filter((one) => one.userId === userId);
      return found.find((one) => one.with === 'app')?.with ?? found[0]?.with ?? null;
    },
  };
}
