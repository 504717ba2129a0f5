import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { describe } from '#main/base/reasons.ts';
import { type Announcer, announce } from '#main/lan/announce.ts';
import { discover, type FoundPixdock, pixdocksAmong } from '#main/lan/discover.ts';
import { GROUP, PORT, requireLocalNetwork } from '#main/lan/multicast.ts';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';

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

const service = { name: 'Pixdock on desk', host: 'pixdock.local', port: 7410, addresses: ['fe80::1', '192.168.1.5'] };
const txt = { app: 'pixdock', id: 'd1', path: '/' };

test('other services, and those without an id, are left out', () => {
  const printer = { ...service, txt: { path: '/' } };
  expect(pixdocksAmong([printer, { ...service, txt: undefined }, { ...service, txt: { app: 'pixdock' } }])).toEqual([]);
});

test('a Pixdock on two networks appears once, its IP addresses before its name', () => {
  const other = { ...service, addresses: ['10.0.0.5'], txt };
  expect(pixdocksAmong([{ ...service, txt }, other])).toEqual([
    { id: 'd1', name: 'Pixdock on desk', urls: ['http://192.168.1.5:7410', 'http://10.0.0.5:7410', 'http://pixdock.local:7410'] },
  ]);
});

test('a service of another host never adds its addresses', () => {
  const impostor = { ...service, host: 'mallory.local', addresses: ['10.6.6.6'], txt };
  expect(pixdocksAmong([{ ...service, txt }, impostor]).map(({ urls }) => urls[0])).toEqual([
    'http://192.168.1.5:7410',
    'http://10.6.6.6:7410',
  ]);
});

test('a final dot of the host name is removed, and the list is sorted by name', () => {
  const a = { ...service, name: 'A', host: 'a.local.', addresses: [], txt: { ...txt, id: 'a' } };
  const found = pixdocksAmong([{ ...service, txt }, a]);
  expect(found.map(({ name }) => name)).toEqual(['A', 'Pixdock on desk']);
  expect(found[0]?.urls).toEqual(['http://a.local:7410']);
});

test.each(['a b', 'user@host', 'desk.local/path', '1.2.3.4.5', '', '[::1]'])('the host %j is left out', (host) => {
  expect(pixdocksAmong([{ ...service, host, txt }])[0]?.urls).toEqual(['http://192.168.1.5:7410']);
  expect(pixdocksAmong([{ ...service, host, addresses: [], txt }])).toEqual([]);
});

test('a flood of services is cut off', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ ...service, txt: { ...txt, id: `d${n}` } }));
  expect(pixdocksAmong(many)).toHaveLength(50);
});

/** Sends as macOS lets an app that may not use the local network. */
const refused = async (address: string) => {
  throw Object.assign(new Error(`send EHOSTUNREACH ${GROUP}:${PORT} from ${address}`), { code: 'EHOSTUNREACH' });
};

test('a refusal of macOS is explained in either language', async () => {
  const error = await requireLocalNetwork(['192.168.1.5', '10.0.0.2'], { platform: 'darwin', send: refused }).catch((reason) => reason);
  expect(describe(error, en)).toContain('System Settings → Privacy & Security → Local Network');
  expect(describe(error, zh)).toContain('系统设置 → 隐私与安全性 → 本地网络');
});

test('one network that works is enough, and other systems need no permission', async () => {
  const send = (address: string) => (address === '10.0.0.2' ? refused(address) : Promise.resolve());
  await requireLocalNetwork(['192.168.1.5', '10.0.0.2'], { platform: 'darwin', send });
  await requireLocalNetwork([], { platform: 'darwin', send });
  await requireLocalNetwork(['192.168.1.5'], { platform: 'linux', send: refused });
});

test('asks by sending an empty message to the network', async () => {
  const device = createSocket({ type: 'udp4', reuseAddr: true });
  onTestFinished(() => void device.close());
  device.bind(PORT);
  await once(device, 'listening');
  device.addMembership(GROUP, '127.0.0.1');
  const received = new Promise<Buffer>((resolve) =>
    device.on('message', (message) => message.every((byte) => byte === 0) && resolve(message)),
  );
  await requireLocalNetwork(['127.0.0.1'], { platform: 'darwin' });
  expect(await received).toEqual(Buffer.alloc(12));
});
