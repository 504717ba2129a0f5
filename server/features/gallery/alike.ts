import { setImmediate } from 'node:timers/promises';

/** An image as duplicates are found by: its bytes, and what it looks like. */
export interface Likeness {
  id: number;
  sha256: string;
  /** 16 hexadecimal digits; empty or null: only its bytes can be compared. */
  phash: string | null;
}

/** Bits in which the hashes of alike images differ at most. */
const MAX_DISTANCE = 6;
/** The others are in a group of their own, which comes up next. */
const MAX_GROUP = 50;
const BANDS = 4;
const BAND_VALUES = 2 ** 16;
/** A band itself, and the band with each of its bits turned. */
const NEARBY = [0, ...Array.from({ length: 16 }, (_, bit) => 1 << bit)];

/** Steps between two looks at the clock, and the time after which other work runs in between. */
const STEPS = 256;
const SLICE_MS = 10;

/**
 * Groups images that have the same bytes or look alike, each in one group at most; ids are in ascending order. All images of a group are alike
 * to the first one that was looked at: chains of alike images could lead from anything to anything.
 *
 * Hashes that differ in up to six bits differ in at most one bit in one of four bands of 16 bits, so each hash is compared only with
 * those that have nearly the same band (decision 131).
 */
export async function groupAlike(images: readonly Likeness[]): Promise<number[][]> {
  const pause = createPauses();
  const copies = await gather(images, ({ sha256 }) => sha256, pause);
  const looks = await gather(
    copies.map((same) => ({ same, phash: same.find(({ phash }) => phash)?.phash ?? '' })),
    ({ same, phash }) => phash || (same[0] as Likeness).sha256,
    pause,
  );
  const entries = looks.map((all) => ({ phash: all[0]?.phash as string, ids: all.flatMap(({ same }) => same.map(({ id }) => id)) }));
  const hashed = entries.filter(({ phash }) => phash !== '');
  const groups = entries.filter(({ phash }) => phash === '').map(({ ids }) => ids);
  for (const near of await groupNear(
    hashed.map(({ phash }) => phash),
    pause,
  ))
    groups.push(near.flatMap((index) => hashed[index]?.ids ?? []));
  return groups.flatMap(split).filter((group) => group.length > 1);
}

/** A function that lets other work run when it is due. */
function createPauses() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
type Pause = ReturnType<typeof createPauses>;

async function gather<T>(all: readonly T[], keyOf: (one: T) => string, pause: Pause): Promise<T[][]> {
  const gathered = new Map<string, T[]>();
  for (const [step, one] of all.entries()) {
    const same = gathered.get(keyOf(one));
    if (same) same.push(one);
    else gathered.set(keyOf(one), [one]);
    if (step % STEPS === 0) await pause();
  }
  return [...gathered.values()];
}

function split(group: number[]): number[][] {
  const sorted = group.toSorted((a, b) => a - b);
  return Array.from({ length: Math.ceil(sorted.length / MAX_GROUP) }, (_, part) => sorted.slice(part * MAX_GROUP, (part + 1) * MAX_GROUP));
}

/** Groups the places of hashes; a hash near none has a group of its own. */
async function groupNear(hashes: readonly string[], pause: Pause): Promise<number[][]> {
  const words = new Uint16Array(hashes.length * BANDS);
  for (const [index, hash] of hashes.entries())
    for (let band = 0; band < BANDS; band++) words[index * BANDS + band] = Number.parseInt(hash.slice(4 * band, 4 * band + 4), 16);
  const bands = Array.from({ length: BANDS }, (_, band) => sortByBand(words, band));
  const grouped = new Uint8Array(hashes.length);
  const groups: number[][] = [];
  for (let index = 0; index < hashes.length; index++) {
    if (index % STEPS === 0) await pause();
    if (grouped[index]) continue;
    grouped[index] = 1;
    const group = [index];
    for (const [band, sorted] of bands.entries()) addNear(group, words, sorted, words[index * BANDS + band] as number, grouped);
    groups.push(group);
  }
  return groups;
}

/** The places of hashes in the order of one band, and where each value of the band begins. */
interface Sorted {
  starts: Uint32Array;
  order: Uint32Array;
}

function sortByBand(words: Uint16Array, band: number): Sorted {
  const starts = new Uint32Array(BAND_VALUES + 1);
  const order = new Uint32Array(words.length / BANDS);
  for (let at = band; at < words.length; at += BANDS) (starts[(words[at] as number) + 1] as number)++;
  for (let value = 0; value < BAND_VALUES; value++) starts[value + 1] = (starts[value + 1] as number) + (starts[value] as number);
  const next = starts.slice();
  for (let at = band, index = 0; at < words.length; at += BANDS, index++) order[(next[words[at] as number] as number)++] = index;
  return { starts, order };
}

/** Adds to a group what is near its first hash and in no other group, of those with nearly this value of a band. */
function addNear(group: number[], words: Uint16Array, { starts, order }: Sorted, value: number, grouped: Uint8Array) {
  const first = (group[0] as number) * BANDS;
  for (let bit = 0; bit < NEARBY.length; bit++) {
    const near = value ^ (NEARBY[bit] as number);
    const end = starts[near + 1] as number;
    for (let place = starts[near] as number; place < end; place++) {
      const other = order[place] as number;
      if (grouped[other] || distance(words, first, other * BANDS) > MAX_DISTANCE) continue;
      grouped[other] = 1;
      group.push(other);
    }
  }
}

function distance(words: Uint16Array, one: number, other: number): number {
  let bits = 0;
  for (let band = 0; band < BANDS; band++) bits += BITS[(words[one + band] as number) ^ (words[other + band] as number)] as number;
  return bits;
}

/** The number of ones in each word. */
const BITS = new Uint8Array(BAND_VALUES);
for (let word = 1; word < BAND_VALUES; word++) BITS[word] = (BITS[word >> 1] as number) + (word & 1);
