import { expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { createDelivery } from '#main/delivery/delivery.ts';
import { en } from '#main/texts/en.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const failure = { kind: 'other' as const, code: '', message: 'It is damaged.' };

test('the first failure of a batch is told at once, and the others at its end, none twice', async () => {
  const notify = vi.fn();
  const { deliver, tellOfFailure } = createDelivery({
    ipc: { tell: () => undefined },
    clipboard: { read: async () => [], writeText: async () => undefined },
    copyPicture: undefined,
    preferences: () => DEFAULT_PREFERENCES,
    texts: () => en,
    notify,
    account: {} as Parameters<typeof createDelivery>[0]['account'],
    describe: ({ message }) => message,
    openWindow: () => undefined,
  });
  const bodies = () => notify.mock.calls.map(([{ body }]) => body);
  const failed = (name: string) => ({ id: name, name, failure });
  tellOfFailure({ batchId: 'one', ...failed('a.png') });
  tellOfFailure({ batchId: 'one', ...failed('b.png') });
  expect(bodies()).toEqual(['a.png: It is damaged.']);
  const batch = { origin: 'chosen' as const, links: {}, late: false, done: [] };
  await deliver({ ...batch, id: 'one', failed: [failed('a.png'), failed('b.png'), failed('c.png')] });
  expect(bodies().slice(1)).toEqual(['b.png: It is damaged.\nc.png: It is damaged.']);
  await deliver({ ...batch, id: 'two', failed: [failed('d.png')] });
  expect(bodies().slice(2)).toEqual(['d.png: It is damaged.']);
});
