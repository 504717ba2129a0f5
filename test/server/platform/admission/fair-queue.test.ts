import { describe, expect, it } from 'vitest';
import { type Bounds, createFairQueue, type Need, type Turn } from '#server/platform/admission/fair-queue.ts';
import { createSlots } from '#server/platform/admission/slots.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose jobs end on command, each after a given time on the queue's clock. */
function bench(bounds: Bounds) {
  let now = 0;
  const queue = createFairQueue({ ...bounds, clock: () => now });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  /** Ends a job after `ms`. */
  async function end(name: string, ms = 1) {
    await settle();
    now += ms;
    ends.get(name)?.();
    await settle();
  }
  return {
    queue,
    started,
    end,
    /** Adds a job and returns its name, or the name of its error. */
    add(name: string, turn: Partial<Turn> = {}, need: Need = {}): Promise<string> {
      const job = queue.run({ who: 'ada', rank: 0, ...turn }, need, async () => {
        started.push(name);
        await new Promise<void>((done) => ends.set(name, done));
        return name;
      });
      return job.catch((error: Error) => error.name);
    },
    /** Ends the latest job to start, `times` times. */
    async work(times: number) {
      await settle();
      for (let i = 0; i < times; i++) await end(started.at(-1) as string);
    },
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('callers', () => {
  it('take turns, however many jobs each has waiting', async () => {
    const { add, work, started } = bench({ atOnce: 1 });
    for (const name of names('bomb', 50)) void add(name, { who: 'guest' });
    for (const name of names('photo', 3)) void add(name, { who: 'bea' });
    await work(6);
    expect(started).toEqual(['bomb0', 'photo0', 'bomb1', 'photo1', 'bomb2', 'photo2', 'bomb3']);
  });

  it('share time, not jobs: those whose jobs take a long time get fewer', async () => {
    const { add, end, started } = bench({ atOnce: 1 });
    for (const name of names('slow', 10)) void add(name, { who: 'guest' });
    for (const name of names('fast', 10)) void add(name, { who: 'bea' });
    await settle();
    for (let i = 0; i < 10; i++) await end(started[i] as string, started[i]?.startsWith('slow') ? 1_000 : 100);
    expect(started.slice(0, 10).filter((name) => name.startsWith('slow'))).toEqual(['slow0']);
  });

  it("can't escape what they have used by sending one job at a time", async () => {
    const { add, end, started } = bench({ atOnce: 1 });
    void add('slow0', { who: 'guest' });
    for (const name of names('other', 4)) void add(name, { who: 'bea' });
    await end('slow0', 1_000);
    void add('slow1', { who: 'guest' });
    for (const name of names('other', 4)) await end(name, 10);
    expect(started).toEqual(['slow0', 'other0', 'other1', 'other2', 'other3', 'slow1']);
  });

  it('start in the end, however many newcomers come', async () => {
    const { add, end, started } = bench({ atOnce: 1 });
    void add('long', { who: 'ada' });
    void add('last', { who: 'ada' });
    void add('newcomer 0', { who: 'stranger 0' });
    await end('long', 1_000);
    for (let i = 0; !started.includes('last') && i < 200; i++) {
      void add(`newcomer ${i + 1}`, { who: `stranger ${i + 1}` });
      await end(started.at(-1) as string, 50);
    }
    expect(started).toContain('last');
    expect(started.length).toBeLessThan(60);
  });

  it('use all places while no one else waits', async () => {
    const { add, started } = bench({ atOnce: 2 });
    for (const name of names('photo', 3)) void add(name);
    await settle();
    expect(started).toEqual(['photo0', 'photo1']);
  });
});

describe('urgent work', () => {
  it('starts first, and the rest gets every ninth start', async () => {
    const { add, work, started } = bench({ atOnce: 1 });
    void add('running');
    for (const name of names('thumbnail', 40)) void add(name, { who: `visitor ${name}`, rank: 1 });
    for (const name of names('upload', 20)) void add(name);
    await work(18);
    const order = started.slice(1).map((name) => name.replace(/\d+/, ''));
    expect(order.slice(0, 9)).toEqual([...new Array<string>(8).fill('upload'), 'thumbnail']);
    expect(order.filter((name) => name === 'thumbnail')).toHaveLength(2);
  });
});

describe('a lane', () => {
  it('leaves slots free for other work', async () => {
    const { add, end, started } = bench({ atOnce: 2, lanes: { long: 1 } });
    for (const name of names('bomb', 5)) void add(name, { who: `guest ${name}` }, { lanes: ['long'] });
    void add('photo', { who: 'bea' });
    await settle();
    expect(started).toEqual(['bomb0', 'photo']);
    await end('photo');
    expect(started).toEqual(['bomb0', 'photo']);
    await end('bomb0');
    expect(started).toEqual(['bomb0', 'photo', 'bomb1']);
  });
});

describe('callers who leave', () => {
  it('give up their place in the queue', async () => {
    const { add, end, started, queue } = bench({ atOnce: 1 });
    const left = new AbortController();
    void add('first');
    const gone = add('gone', { signal: left.signal });
    void add('last');
    left.abort();
    expect(await gone).toBe('CallerGoneError');
    expect(queue.counts()).toEqual({ running: 1, waiting: 1 });
    await end('first');
    expect(started).toEqual(['first', 'last']);
  });

  it("don't enter it once they are gone, and don't disturb a job that runs", async () => {
    const { add, end, queue } = bench({ atOnce: 1 });
    const left = new AbortController();
    const running = add('running', { signal: left.signal });
    left.abort();
    expect(await add('late', { signal: left.signal })).toBe('CallerGoneError');
    await end('running');
    expect([await running, queue.counts()]).toEqual(['running', { running: 0, waiting: 0 }]);
  });
});

describe('a full queue', () => {
  it('drops the latest job of those who have most, and never a caller’s only one', async () => {
    const { add, queue } = bench({ atOnce: 1, maxWaiting: 3 });
    void add('running', { who: 'ada' });
    const flood = names('flood', 4).map((name) => add(name, { who: 'guest' }));
    expect(await flood[3]).toBe('BusyError');
    void add('bea’s', { who: 'bea' });
    expect(await flood[2]).toBe('BusyError');
    void add('cy’s', { who: 'cy' });
    expect(await flood[1]).toBe('BusyError');
    expect(await add('dan’s', { who: 'dan' })).toBe('BusyError');
    expect(queue.counts()).toEqual({ running: 1, waiting: 3 });
  });

  it('drops a job of the /48 that has most waiting, each from a network of its own', async () => {
    const { add } = bench({ atOnce: 1, maxWaiting: 3 });
    void add('running');
    const crowd = names('', 3).map((network) => add(network, { who: `8193:3512:7:${network}` }));
    void add('bea’s', { who: '192.0.2.1' });
    expect(await Promise.race(crowd)).toBe('BusyError');
    expect(await add('another', { who: '8193:3512:7:9' })).toBe('BusyError');
  });

  it('drops less urgent work first', async () => {
    const { add } = bench({ atOnce: 1, maxWaiting: 2 });
    void add('running');
    const thumbnails = names('thumbnail', 2).map((name) => add(name, { who: `visitor of ${name}`, rank: 1 }));
    void add('upload', { who: 'bea' });
    expect(await thumbnails[0]).toBe('BusyError');
    expect(await add('another', { who: 'cy', rank: 1 })).toBe('BusyError');
  });
});

describe('slots', () => {
  /** Slots whose holders are named; `ended` lists those that were taken away. */
  function bench(limits: { each: number; total: number }) {
    let now = 0;
    const slots = createSlots(limits, () => now);
    const ended: string[] = [];
    const take = (holder: string | undefined, name = '') => slots.take(holder, () => ended.push(name));
    return {
      slots,
      ended,
      take,
      pass: (ms: number) => {
        now += ms;
      },
      outcome: (holder: string | undefined, name = '') => ('refused' in take(holder, name) ? 'refused' : 'taken'),
    };
  }

  it('limits each holder, and gives slots back once', () => {
    const { take, slots } = bench({ each: 2, total: 10 });
    const first = take('a');
    take('a');
    expect(take('a')).toEqual({ refused: 'each' });
    if ('release' in first) [first.release(), first.release()];
    expect(slots.count()).toBe(1);
    expect(take('a')).not.toHaveProperty('refused');
    expect(take('b')).not.toHaveProperty('refused');
  });

  it('takes the oldest slot of the largest holder away for a newcomer', () => {
    const { outcome, ended, slots } = bench({ each: 10, total: 5 });
    for (const name of ['1', '2', '3', '4']) outcome('crowd', name);
    outcome('other', 'x');
    expect([outcome('new', 'n'), ended, slots.count()]).toEqual(['taken', ['1'], 5]);
  });

  it('takes nothing away where that would only change who has the most', () => {
    const { outcome, take, ended } = bench({ each: 10, total: 4 });
    for (const holder of ['a', 'a', 'b', 'b']) outcome(holder);
    expect([outcome('c'), ended.length]).toEqual(['taken', 1]);
    expect(take('b')).toEqual({ refused: 'total' });
  });

  it('counts holders without a name in total only, and takes nothing from them', () => {
    const { take } = bench({ each: 1, total: 3 });
    for (let i = 0; i < 3; i++) expect(take(undefined)).not.toHaveProperty('refused');
    expect(take('a')).toEqual({ refused: 'total' });
  });

  it('takes away from the /48 that has the most, whichever of its networks they are of', () => {
    const { outcome, ended } = bench({ each: 10, total: 4 });
    for (const network of ['1', '2', '3']) outcome(`guest 8193:3512:7:${network}`, network);
    outcome('guest 192.0.2.1', 'x');
    expect([outcome('guest 192.0.2.2', 'y'), outcome('guest 8193:3512:7:4', 'z'), ended]).toEqual(['taken', 'refused', ['1']]);
  });

  it('takes the oldest slot away for a newcomer when everyone has one, once it was held for five seconds', () => {
    const { outcome, ended, pass } = bench({ each: 10, total: 3 });
    outcome('a', 'a');
    pass(1_000);
    for (const holder of ['b', 'c']) outcome(holder, holder);
    pass(4_000);
    expect(outcome('d', 'd')).toBe('refused');
    pass(1);
    expect([outcome('a', 'a'), outcome('d', 'd'), outcome('e', 'e'), ended]).toEqual(['refused', 'taken', 'refused', ['a']]);
  });
});
