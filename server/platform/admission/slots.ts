/** The holder of slots: a user or a network. Undefined: counts in total only. */
export type Holder = string | undefined;

/** Why there is no slot: `each` when the holder has as many as it may have, `total` when all are taken. */
export type NoSlot = 'each' | 'total';

/** Counts what is in flight, for each holder and in total. */
export interface Slots {
  /**
   * Takes a slot and returns what gives it back, which may be called more than once. When all are taken, the holder of the most loses the one
   * that it has had longest, if it has two more than this one.
   * @param end called when the slot is taken away
   */
  take(holder: Holder, end: () => void): { release(): void } | { refused: NoSlot };
  /** Slots that are taken. */
  count(): number;
}

interface Slot {
  end(): void;
}

export function createSlots({ each, total }: { each: number; total: number }): Slots {
  const held = new Map<Holder, Set<Slot>>();
  let taken = 0;

  function give(holder: Holder, slot: Slot) {
    const own = held.get(holder);
    if (!own?.delete(slot)) return;
    taken--;
    if (own.size === 0) held.delete(holder);
  }

  /** Takes the oldest slot of the holder with the most away, unless that would only make `newcomer` the one with the most. */
  function takeAway(newcomer: number): boolean {
    let most: { holder: Holder; own: Set<Slot> } | undefined;
    for (const [holder, own] of held) if (holder !== undefined && own.size > (most?.own.size ?? newcomer + 1)) most = { holder, own };
    const [oldest] = most?.own ?? [];
    if (!most || !oldest) return false;
    give(most.holder, oldest);
    oldest.end();
    return true;
  }

  return {
    take(holder, end) {
      const own = held.get(holder)?.size ?? 0;
      if (holder !== undefined && own >= each) return { refused: 'each' };
      if (taken >= total && !takeAway(own)) return { refused: 'total' };
      const slot = { end };
      const all = held.get(holder) ?? new Set();
      held.set(holder, all.add(slot));
      taken++;
      return { release: () => give(holder, slot) };
    },
    count: () => taken,
  };
}
