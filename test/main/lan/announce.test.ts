import { networkInterfaces } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { type Announcer, announce } from '#main/lan/announce.ts';
import { discover, type FoundPixdock } from '#main/lan/discover.ts';

// Real multicast DNS between sockets of this computer: nothing leaves the loopback adapter.

const LOOPBACK =
  Object.entries(networkInterfaces()).find(([, entries]) => entries?.some(({ address }) => address === '127.0.0.1'))?.[0] ?? '';
/** No other test or device may have these names. */
const LABEL = `pixdock-test-${process.pid}`;
const NAME = `Pixdock of process ${process.pid}`;

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** `more`: a responder of the library's is shared by callers with the same adapters; naming another one makes this a device of its own. */
async function announced(id: string, port: number, more: string[] = []): Promise<Announcer> {
  const announcer = await announce({ name: `${NAME} ${id}`, label: LABEL, id, port, adapters: [LOOPBACK, ...more] });
  ending.push(announcer.stop);
  return announcer;
}

function searched(ownId?: string) {
  const lists: (readonly FoundPixdock[])[] = [];
  const onProblem = vi.fn();
  ending.push(discover((found) => lists.push(found), { addresses: ['127.0.0.1'], ownId, onProblem }));
  const mine = () => lists.at(-1)?.filter(({ name }) => name.startsWith(NAME));
  return { mine, onProblem };
}

test('another Pixdock is found with its addresses, and is gone once it stops', async () => {
  const { mine, onProblem } = searched();
  const { host, stop } = await announced('a1', 7410);
  ending.pop();
  expect(host).toBe(`${LABEL}.local`);
  const urls = ['http://127.0.0.1:7410', `http://${LABEL}.local:7410`];
  await expect.poll(mine).toEqual([{ id: 'a1', name: `${NAME} a1`, urls }]);
  await stop();
  await expect.poll(mine).toEqual([]);
  expect(onProblem).not.toHaveBeenCalled();
});

test('a host name that another device has gets a number, and a search leaves out its own Pixdock', async () => {
  await announced('b1', 7410);
  const second = await announced('b2', 7411, ['absent0']);
  expect(second.host).toBe(`${LABEL}-2.local`);
  const { mine } = searched('b1');
  await expect.poll(() => mine()?.map(({ id }) => id)).toEqual(['b2']);
});

test('what is stopped and announced again keeps its name', async () => {
  const first = await announce({ name: NAME, label: LABEL, id: 'c1', port: 7410, adapters: [LOOPBACK] });
  await first.stop();
  const again = await announced('c1', 7410);
  expect(again.host).toBe(`${LABEL}.local`);
});

test('a network that cannot be searched is reported, and the others are searched', async () => {
  await announced('d1', 7410);
  const found: (readonly FoundPixdock[])[] = [];
  const onProblem = vi.fn();
  // 192.0.2.77 belongs to no adapter.
  ending.push(discover((list) => found.push(list), { addresses: ['192.0.2.77', '127.0.0.1'], onProblem }));
  await expect.poll(() => found.at(-1)?.some(({ id }) => id === 'd1')).toBe(true);
  expect(onProblem).toHaveBeenCalledOnce();
});
