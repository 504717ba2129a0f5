import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '#server/boot/server.ts';
import { OTHER_DEVICE, SECOND_ADDRESS } from '#test/helpers/network/free-port.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

async function started(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options);
  onTestFinished(() => service[Symbol.asyncDispose]());
  const port = Number(new URL(service.url).port);
  const status = async (host: string) => (await fetch(`http://${host}:${port}/healthz`)).status;
  const as = async (host: string) => (await rawRequest(`${service.url}/api/v1/config`, { headers: { host } })).status;
  return { service, port, status, as };
}

describe('moving to another address', () => {
  it('opens the service to the network, and closes it again', async () => {
    const { service, status } = await started();
    await expect(status(SECOND_ADDRESS)).rejects.toThrow('fetch failed');
    await service.listenOn('0.0.0.0');
    expect(await status(SECOND_ADDRESS)).toBe(200);
    expect(await status('127.0.0.1')).toBe(200);
    await service.listenOn('127.0.0.1');
    await expect(status(SECOND_ADDRESS)).rejects.toThrow('fetch failed');
    expect(await status('127.0.0.1')).toBe(200);
  });

  it('keeps requests of this computer in progress, and ends those of others when it closes', async () => {
    const { service, port } = await started({ host: '0.0.0.0' });
    const [here, there] = ['127.0.0.1', SECOND_ADDRESS].map((host) => connect(port, host));
    if (!here || !there) throw new Error('There are no sockets');
    for (const socket of [here, there]) {
      await once(socket, 'connect');
      socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n`);
    }
    await fetch(`${service.url}/healthz`); // both have arrived
    const ended = once(there.resume(), 'close');
    await service.listenOn('127.0.0.1');
    await ended;
    here.write('Connection: close\r\n\r\n');
    expect(await text(here)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('stays where it was when another program has the port there', async () => {
    const { service, port, status } = await started();
    const other = createServer().listen(port, SECOND_ADDRESS);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    await expect(service.listenOn('0.0.0.0')).rejects.toThrow(`Another program is using port ${port}.`);
    expect(await status('127.0.0.1')).toBe(200);
  });

  it('applies several moves in order', async () => {
    const { service, status } = await started();
    await Promise.all(['0.0.0.0', '127.0.0.1', '0.0.0.0'].map((host) => service.listenOn(host)));
    expect(await status(SECOND_ADDRESS)).toBe(200);
  });
});

it('says how many pictures have links with a port that is taken', async () => {
  const { service, port } = await started();
  const owner = await setUp(service);
  await uploadImage(service, await owner.token('upload'), await png());
  await service.stop();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  await expect(startService({ ...service.config, port })).rejects.toMatchObject({ name: 'ConfigError', port, images: 1 });
});

describe('the link address on the network', () => {
  it('is chosen, kept, and used only while the service listens there; the former name stays accepted', async () => {
    const { service, port, as } = await started();
    await service.chooseLanAddress('Desk.local');
    expect(service.linkAddress).toBe(`http://127.0.0.1:${port}`);
    await service.listenOn('0.0.0.0');
    expect(service.linkAddress).toBe(`http://desk.local:${port}`);
    expect(await as('desk.local')).toBe(200);
    await service.chooseLanAddress('pics.lan');
    expect(service.linkAddress).toBe(`http://pics.lan:${port}`);
    expect([await as('pics.lan'), await as('desk.local'), await as('other.lan')]).toEqual([200, 200, 421]);
    await service.restart();
    expect(service.linkAddress).toBe(`http://127.0.0.1:${port}`);
    expect(await as('desk.local')).toBe(200);
    await service.listenOn('0.0.0.0');
    expect(service.linkAddress).toBe(`http://pics.lan:${port}`);
  });

  it.each(['', 'a b', 'http://desk.local', 'desk.local:80', '-desk', 'fe80::1', 'x'.repeat(64)])('may not be %j', async (host) => {
    const { service } = await started();
    await expect(service.chooseLanAddress(host)).rejects.toThrow('isn’t a host name or an IPv4 address.');
  });
});

describe('the first visitor', () => {
  it.skipIf(process.platform === 'darwin')('is another device, reported once until the next wait', async () => {
    const { service, port } = await started({ host: '0.0.0.0' });
    const visits: string[] = [];
    const visit = async (localAddress?: string) => {
      const socket = connect({ port, host: localAddress ? '127.0.0.1' : SECOND_ADDRESS, localAddress });
      socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
      expect(await text(socket)).toContain(' 200 ');
    };
    await visit(OTHER_DEVICE);
    service.awaitVisitor((address) => visits.push(address));
    await visit(); // this computer, under its own address
    await fetch(`${service.url}/healthz`);
    expect(visits).toEqual([]);
    await visit(OTHER_DEVICE);
    await visit(OTHER_DEVICE);
    expect(visits).toEqual([OTHER_DEVICE]);
    service.awaitVisitor(() => visits.push('replaced'));
    service.awaitVisitor((address) => visits.push(address));
    await visit(OTHER_DEVICE);
    expect(visits).toEqual([OTHER_DEVICE, OTHER_DEVICE]);
  });
});
