import { expect, it, onTestFinished, vi } from 'vitest';
import { createDecoding, type DecodingTurn } from '#server/platform/imaging/decoding.ts';

const UPLOAD = { who: 'user 1', purpose: 'upload' } as const;

/** A limiter, and work of given sizes that ends on command. */
function bench(bounds: { atOnce: number; bytes: number }) {
  const decoding = createDecoding(bounds).as(UPLOAD);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    /** Adds work and returns its result. */
    add(name: string, bytes: number): Promise<string> {
      return decoding(bytes, async () => {
        started.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      });
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

/** Resolves once nothing more can happen without another call. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs as many jobs as fit, by number and by bytes', async () => {
  const { add, end, started } = bench({ atOnce: 2, bytes: 100 });
  for (const [name, bytes] of [
    ['a', 60],
    ['b', 60],
    ['c', 40],
    ['d', 1],
  ] as const)
    void add(name, bytes);
  await settle();
  expect(started).toEqual(['a', 'c']);
  await end('c');
  expect(started).toEqual(['a', 'c', 'd']);
  await end('a');
  expect(started).toEqual(['a', 'c', 'd', 'b']);
});

it('keeps the order of jobs of equal size', async () => {
  const { add, end, started } = bench({ atOnce: 1, bytes: 100 });
  for (const name of ['a', 'b', 'c']) void add(name, 100);
  await settle();
  for (const name of ['a', 'b', 'c']) await end(name);
  expect(started).toEqual(['a', 'b', 'c']);
});

it('lets small jobs overtake a waiting large one, but not indefinitely', async () => {
  const { add, end, started } = bench({ atOnce: 2, bytes: 100 });
  void add('first', 10);
  void add('large', 95);
  for (let i = 0; i < 40; i++) void add(`small ${i}`, 10);
  await settle();
  expect(started).toEqual(['first', 'small 0']);
  await end('first');
  expect(started).toEqual(['first', 'small 0', 'small 1']);
  for (let i = 0; !started.includes('large'); i++) await end(`small ${i}`);
  expect(started.length).toBeLessThan(12);
  await end('large');
  expect(started.slice(-2)).toEqual([expect.stringMatching('small'), expect.stringMatching('small')]);
});

it('runs a job larger than the whole budget alone', async () => {
  const { add, end, started } = bench({ atOnce: 2, bytes: 100 });
  void add('small', 1);
  void add('huge', 1_000);
  await settle();
  expect(started).toEqual(['small']);
  await end('small');
  void add('late', 1);
  await settle();
  expect(started).toEqual(['small', 'huge']);
  await end('huge');
  expect(started).toEqual(['small', 'huge', 'late']);
});

it('returns the result of the work, and continues after a failure', async () => {
  const decoding = createDecoding({ atOnce: 1, bytes: 100 }).as(UPLOAD);
  await expect(decoding(100, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await decoding(100, async () => 'sound')).toBe('sound');
});

/** The names of the jobs that run at first, of those that come in this order: `guest:` and `long:` say what they are. */
async function runningOf(...jobs: string[]): Promise<string[]> {
  const queue = createDecoding({ atOnce: 2, bytes: 100 });
  const running: string[] = [];
  for (const name of jobs) {
    const turn: DecodingTurn = { who: name, purpose: name.includes('thumbnail') ? 'view' : 'upload', isGuest: name.startsWith('guest:') };
    const work = () => new Promise<void>(() => void running.push(name));
    void queue.as(turn)(1, work, name.includes('long:') ? 26_000_000 : 24_000_000);
  }
  await settle();
  return running;
}

it('leaves a slot free for short work and for users, however many guests upload', async () => {
  expect(await runningOf('guest:a', 'guest:b', 'user')).toEqual(['guest:a', 'user']);
  expect(await runningOf('long:a', 'long:b', 'short')).toEqual(['long:a', 'short']);
  expect(await runningOf('long:a', 'guest:long:b', 'guest:c')).toEqual(['long:a', 'guest:c']);
});

it('tells work whether it is alone, so that it leaves cores to others', async () => {
  const queue = createDecoding({ atOnce: 2, bytes: 100 });
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const alone: (boolean | undefined)[] = [];
  const decode = (who: string) =>
    queue.as({ who, purpose: 'upload' })(1, (isAlone) => {
      alone.push(isAlone);
      return end;
    });
  const first = decode('a');
  await settle();
  const all = [first, decode('b'), decode('c')];
  await settle();
  expect(alone).toEqual([true, false]);
  resolve();
  await Promise.all(all);
  await decode('d');
  expect(alone.at(-1)).toBe(true);
});

it('reads few headers at once, and those of uploads first', async () => {
  const queue = createDecoding({ atOnce: 2, bytes: 100 });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const read = (name: string, purpose: DecodingTurn['purpose']) =>
    queue.as({ who: name, purpose }).reading(() => {
      started.push(name);
      return new Promise<void>((end) => ends.push(end));
    });
  for (const name of ['a', 'b', 'c', 'd']) void read(name, 'view');
  void read('upload', 'upload');
  await settle();
  expect(started).toEqual(['a', 'b']);
  ends[0]?.();
  await settle();
  expect(started).toEqual(['a', 'b', 'upload']);
});

it('knows when an upload or a view last asked for a turn, which background work doesn’t count as', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const decoding = createDecoding({ atOnce: 2, bytes: 100 });
  expect(decoding.quietMs()).toBe(Number.POSITIVE_INFINITY);
  decoding.as(UPLOAD);
  now.mockReturnValue(1_400);
  decoding.as({ who: 'service', purpose: 'background' });
  expect(decoding.quietMs()).toBe(400);
  decoding.as({ who: 'user 2', purpose: 'view' });
  expect(decoding.quietMs()).toBe(0);
});
