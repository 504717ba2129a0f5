import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { describe } from '#main/base/reasons.ts';
import { GROUP, PORT, requireLocalNetwork } from '#main/lan/multicast.ts';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';

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
