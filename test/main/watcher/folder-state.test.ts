import { expect, test } from 'vitest';
import { type Event, INITIAL, statusOf, transition } from '#main/watcher/folder-state.ts';

const MINUTE_MS = 60_000;
const failure = { kind: 'other', code: '', message: 'disk full' } as const;
const trouble = { state: 'waiting', reason: failure } as const;
const all = { type: 'scan', start: '' } as const;
const found = (relPath: string): Event => ({ type: 'hint', relPath, match: 'taken', isFull: false });

/** What brings a folder into each phase. */
const TO = {
  stopped: [],
  unavailable: [{ type: 'start', polled: false }],
  starting: [{ type: 'start', polled: false }, { type: 'healthy' }],
  scanning: [{ type: 'start', polled: false }, { type: 'healthy' }, { type: 'ready' }],
  watching: [{ type: 'start', polled: false }, { type: 'healthy' }, { type: 'ready' }, { type: 'scanned', at: 1 }],
} satisfies Record<string, Event[]>;

const EVERY: Event[] = [
  { type: 'start', polled: false },
  { type: 'stop' },
  { type: 'look' },
  { type: 'trouble', trouble },
  { type: 'healthy' },
  { type: 'ready' },
  { type: 'scan', start: 'sub' },
  { type: 'rescan' },
  { type: 'burst' },
  { type: 'scanned', at: 2 },
  found('a.png'),
  { type: 'others' },
  { type: 'incomplete', notice: failure },
  { type: 'rewatch' },
  { type: 'failed', failure, inScan: false },
  { type: 'delayed', delay: failure },
];

/** The state after these events, and the effects of the last one. */
function after(...events: Event[]) {
  return events.reduce((last, event) => transition(last.state, event), transition(INITIAL, { type: 'stop' }));
}

/** Types of the events that have a consequence. */
function handled(events: Event[]) {
  const { state } = after(...events);
  const isHandled = (next: ReturnType<typeof transition>) => next.state !== state || next.effects.length > 0;
  return EVERY.filter((event) => isHandled(transition(state, event))).map(({ type }) => type);
}

test('a stopped folder only starts', () => {
  expect(handled(TO.stopped)).toEqual(['start', 'stop']);
  expect(statusOf(after().state)).toEqual({ state: 'paused' });
});

test('an unavailable folder is only looked at again', () => {
  expect(handled(TO.unavailable)).toEqual(['start', 'stop', 'look', 'trouble', 'healthy']);
});

test('a folder that is there is watched before all of it is scanned', () => {
  expect(after(...TO.unavailable).effects).toEqual([{ type: 'stop' }, { type: 'check' }]);
  expect(after(...TO.starting).effects.map(({ type }) => type)).toEqual(['release', 'watch', 'later', 'later']);
  expect(after(...TO.scanning).effects).toEqual([all]);
  expect(statusOf(after(...TO.scanning).state)).toMatchObject({ state: 'scanning' });
  expect(statusOf(after(...TO.watching).state)).toMatchObject({ state: 'watching' });
});

test('a watcher that gets ready late starts no second scan', () => {
  expect(after(...TO.watching, { type: 'ready' }).effects).toEqual([]);
});

test.each(['unavailable', 'starting', 'scanning', 'watching'] as const)(
  'a folder that disappears while %s stops before its uploads are held',
  (phase) => {
    const busy = after(...TO[phase], found('a.png'), { type: 'scan', start: 'sub' }, { type: 'incomplete', notice: failure });
    const { state, effects } = transition(busy.state, { type: 'trouble', trouble });
    expect(effects).toEqual([{ type: 'stop' }, { type: 'hold' }, { type: 'later', event: 'look', ms: 5_000 }]);
    expect(state).toEqual({ ...INITIAL, phase: 'unavailable', trouble, scannedAt: busy.state.scannedAt });
    expect(statusOf(state)).toEqual(trouble);
  },
);

test.each(['unavailable', 'starting', 'scanning', 'watching'] as const)('pausing stops everything while %s', (phase) => {
  const { state, effects } = after(...TO[phase], { type: 'stop' });
  expect(effects).toEqual([{ type: 'stop' }]);
  expect(state).toMatchObject({ phase: 'stopped', scans: [] });
});

test('a folder that is still there is looked at again later', () => {
  expect(after(...TO.watching, { type: 'healthy' }).effects).toEqual([{ type: 'later', event: 'look', ms: 30_000 }]);
});

test('scans run one at a time, each once', () => {
  const sub = { type: 'scan', start: 'sub' } as const;
  const first = after(...TO.watching, sub);
  expect(first.effects).toEqual([sub]);
  expect(statusOf(first.state)).toMatchObject({ state: 'watching' });
  const events = [...TO.watching, sub, sub, sub, { type: 'scan', start: 'other' }] as Event[];
  expect(after(...events).effects).toEqual([]);
  expect(after(...events).state.scans).toEqual(['sub', 'sub', 'other']);
  expect(after(...events, { type: 'scanned', at: 2 }).effects).toEqual([sub]);
});

test('a scan of everything takes the place of those that wait', () => {
  const { state } = after(...TO.scanning, { type: 'scan', start: 'sub' }, { type: 'rescan' }, { type: 'scan', start: 'other' });
  expect(state.scans).toEqual(['', '']);
});

test.each([
  ['every ten minutes', false, [], 10 * MINUTE_MS],
  ['every minute where it is polled', true, [], MINUTE_MS],
  ['every minute where watching is incomplete', false, [{ type: 'incomplete', notice: failure }], MINUTE_MS],
] as const)('a folder is scanned %s', (_, polled, events, ms) => {
  const { state, effects } = after(
    { type: 'start', polled },
    { type: 'healthy' },
    ...events,
    { type: 'ready' },
    {
      type: 'scanned',
      at: 7,
    },
  );
  expect(effects).toEqual([{ type: 'later', event: 'rescan', ms }]);
  expect(state.scannedAt).toBe(7);
});

test('a scan of a part doesn’t put off the next scan of everything', () => {
  const { state, effects } = after(...TO.watching, { type: 'scan', start: 'sub' }, { type: 'scanned', at: 9 });
  expect(effects).toEqual([]);
  expect(state.scannedAt).toBe(1);
});

test('many simultaneous hints end in a scan, since some may have been lost', () => {
  const hints = Array.from({ length: 500 }, (_, number) => found(`${number}.png`));
  const burst = { type: 'later', event: 'burst', ms: 5_000 };
  expect(after(...TO.watching, ...hints.slice(1)).effects).toEqual([{ type: 'touch', relPath: '499.png' }]);
  expect(after(...TO.watching, ...hints).effects).toEqual([burst, { type: 'touch', relPath: '499.png' }]);
  expect(after(...TO.watching, ...hints, { type: 'burst' }, { type: 'scanned', at: 2 }).state.hints).toBe(0);
});

test('a hint for which there is no room leaves the file to a scan', () => {
  const { effects } = after(...TO.watching, { type: 'hint', relPath: 'a.png', match: 'taken', isFull: true });
  expect(effects).toEqual([{ type: 'later', event: 'burst', ms: 5_000 }]);
});

test('files that don’t match are recorded together, each once', () => {
  const other = (relPath: string): Event => ({ type: 'hint', relPath, match: 'other', isFull: false });
  expect(after(...TO.watching, other('a.txt')).effects).toEqual([{ type: 'later', event: 'others', ms: 2_000 }]);
  expect(after(...TO.watching, other('a.txt'), other('b.txt')).effects).toEqual([]);
  const { state, effects } = after(...TO.watching, other('a.txt'), other('b.txt'), other('a.txt'), { type: 'others' });
  expect(effects).toEqual([{ type: 'noteOthers', relPaths: ['a.txt', 'b.txt'] }]);
  expect(state.others).toEqual([]);
});

test('hidden and temporary files leave no trace', () => {
  const { state, effects } = after(...TO.watching, { type: 'hint', relPath: '.a', match: 'outside', isFull: false });
  expect(effects).toEqual([]);
  expect(state.others).toEqual([]);
});

test('incomplete watching is tried again once, however many subfolders it failed for', () => {
  const incomplete = { type: 'incomplete', notice: failure } as const;
  const rewatch = { type: 'later', event: 'rewatch', ms: 10 * MINUTE_MS };
  expect(after(...TO.watching, incomplete).effects).toEqual([rewatch, all]);
  expect(after(...TO.watching, incomplete, incomplete).effects).toEqual([]);
  const again = after(...TO.watching, incomplete, { type: 'scanned', at: 2 }, { type: 'rewatch' });
  expect(again.effects).toEqual([{ type: 'watch' }, all]);
  expect(again.state.notice).toBeUndefined();
});

test('a failed scan is a problem until another one succeeds', () => {
  const failed = after(...TO.scanning, { type: 'scan', start: 'sub' }, { type: 'failed', failure, inScan: true });
  expect(failed.effects).toEqual([{ type: 'later', event: 'rescan', ms: MINUTE_MS }]);
  expect(failed.state.scans).toEqual([]);
  expect(statusOf(failed.state)).toEqual({ state: 'problem', reason: failure });
  expect(statusOf(transition(failed.state, { type: 'rescan' }).state)).toMatchObject({ state: 'scanning' });
});

test('a failure beside a scan lets that scan end', () => {
  const { state } = after(...TO.scanning, { type: 'scan', start: 'sub' }, { type: 'failed', failure, inScan: false });
  expect(state.scans).toEqual(['']);
  expect(statusOf(state)).toMatchObject({ state: 'problem' });
  expect(statusOf(transition(state, { type: 'scanned', at: 2 }).state)).toMatchObject({ state: 'watching' });
});

test('files that can’t be added to the queue are shown once the scan is over', () => {
  const delayed = { type: 'delayed', delay: failure } as const;
  expect(statusOf(after(...TO.scanning, delayed).state)).toMatchObject({ state: 'scanning' });
  expect(statusOf(after(...TO.watching, delayed).state)).toEqual({ state: 'waiting', reason: failure });
  expect(statusOf(after(...TO.watching, delayed, { type: 'delayed', delay: undefined }).state)).toMatchObject({ state: 'watching' });
});
