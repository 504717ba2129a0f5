import { siteOf } from '#server/platform/base/network-of.ts';

/** The holder of slots: a user or a network. Undefined: counts in total only. */
export type Holder = string | undefined;

/** Why there is no slot: `each` when the holder has as many as it may have, `total` when all are taken. */
export type NoSlot = 'each' | 'total';

/** Counts what is in flight, for each holder and in total. */
export interface Slots {
  /**
   * Takes a slot and returns what gives it back, which may be called more than once. When all are taken, the site (an IPv6 /48, or a single
   * holder) with the most loses the one that it has had longest, if it has two more than this one. If every site has one, the oldest slot
   * held for at least a few seconds is taken.
   * @param end called when the slot is taken away
   */
  take(holder: Holder, end: () => void): { release(): void } | { refused: NoSlot };
  /** Slots that are taken. */
  count(): number;
}

interface Slot {
  holder: Holder;
  since: number;
  end(): void;
}

/** How long a holder keeps its only slot when a crowd waits: long enough for any request that isn't stalled on purpose. */
const UNDISTURBED_MS = 5_000;

/** @param clock milliseconds; replaced in tests */
export function createSlots({ each, total }: { each: number; total: number }, clock = () => performance.now()): Slots {
  const held = new Map<Holder, Set<Slot>>();
  let taken = 0;

  /** By site, in the order in which they were taken. */
  const ofSites = new Map<string, Set<Slot>>();

  function give(slot: Slot) {
    if (!remove(held, slot.holder, slot)) return;
    taken--;
    if (slot.holder !== undefined) remove(ofSites, siteOf(slot.holder), slot);
  }

  /** Takes a slot away for a holder without one, or with few. */
  function takeAway(holder: Holder): boolean {
    const own = holder === undefined ? 0 : (ofSites.get(siteOf(holder))?.size ?? 0);
    let most: Set<Slot> | undefined;
    for (const slots of ofSites.values()) if (slots.size > (most?.size ?? own + 1)) most = slots;
    const oldest = most ? first(most) : own === 0 ? oldestOf(ofSites.values()) : undefined;
    if (!oldest) return false;
    give(oldest);
    oldest.end();
    return true;
  }

  function oldestOf(sites: Iterable<Set<Slot>>): Slot | undefined {
    let oldest: Slot | undefined;
    for (const slots of sites) {
      const slot = first(slots);
      if (slot && slot.since < (oldest?.since ?? clock() - UNDISTURBED_MS)) oldest = slot;
    }
    return oldest;
  }

  return {
    take(holder, end) {
      const own = held.get(holder)?.size ?? 0;
      if (holder !== undefined && own >= each) return { refused: 'each' };
      if (taken >= total && !takeAway(holder)) return { refused: 'total' };
      const slot = { holder, since: clock(), end };
      add(held, holder, slot);
      if (holder !== undefined) add(ofSites, siteOf(holder), slot);
      taken++;
      return { release: () => give(slot) };
    },
    count: () => taken,
  };
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  const [one] = set;
  return one;
}

function add<K>(sets: Map<K, Set<Slot>>, key: K, slot: Slot) {
  sets.set(key, (sets.get(key) ?? new Set()).add(slot));
}

/** False when it wasn't there. */
function remove<K>(sets: Map<K, Set<Slot>>, key: K, slot: Slot): boolean {
  const slots = sets.get(key);
  if (!slots?.delete(slot)) return false;
  if (slots.size === 0) sets.delete(key);
  return true;
}
