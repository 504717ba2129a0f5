import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as policies from '#api/admin/policies.ts';
import { updateImage } from '#api/images/changes.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { inCluster, servicesBehind } from '#test/helpers/service/cluster/cluster.ts';
import { type SignedIn, setUp, signedIn, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

describe.runIf(inCluster)('two services behind nginx', () => {
  let service: TestService;
  let owner: SignedIn;
  let token: string;
  let seed = 0;
  const upload = (fields: Record<string, string> = {}) => uploadImage(service, token, tinyPng(++seed), fields);

  beforeAll(async () => {
    service = await startTestService();
    owner = await setUp(service);
    token = await owner.token('full');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('grant exactly the views of a view limit, in 2,000 requests to both', async () => {
    const { links } = await upload({ max_views: '1000' });
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    const view = () =>
      new Promise<number>((resolve, reject) => {
        const sent = request(links.url, { agent }, (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)));
        sent.once('error', reject).end();
      });
    const statuses = await Promise.all(Array.from({ length: 2_000 }, view));
    agent.destroy();
    const counts = Map.groupBy(statuses, (status) => status);
    expect([counts.get(200)?.length, counts.get(410)?.length]).toEqual([1_000, 1_000]);
    for (const url of servicesBehind(service.url)) {
      const metrics = await (await signedIn({ url }, owner.cookie).fetch('/metrics')).text();
      expect(Number(/_count\{method="GET",route="\/i\/:key\.:ext",status="2xx"} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(200);
    }
  });

  it('refuse a picture from the request after it was made private', async () => {
    for (let round = 0; round < 10; round++) {
      const { key, links } = await upload();
      const { pathname } = new URL(links.url);
      const everywhere = [service.url, ...servicesBehind(service.url)].map((url) => url + pathname);
      const statuses = () => Promise.all(everywhere.map(async (url) => (await fetch(url)).status));
      expect(await statuses()).toEqual([200, 200, 200]);
      await owner.client.call(updateImage, { params: { key }, body: { visibility: 'private' } });
      expect(await statuses()).toEqual([404, 404, 404]);
    }
  });

  it('lose neither of two changes of a bucket at the same time: one is refused', async () => {
    const change = (url: string, config: object) =>
      signedIn({ url }, owner.cookie).client.call(policies.changePolicy, { params: { id: '1' }, body: { config } });
    const [one, other] = servicesBehind(service.url) as [string, string];
    const changes = await Promise.allSettled([
      change(one, { region: 'eu-west-1' }),
      change(other, { public_url: 'https://cdn.example.org' }),
    ]);
    const { items } = await owner.client.call(policies.listPolicies, { query: {} });
    expect(items[0]?.config).toMatchObject({
      region: changes[0].status === 'fulfilled' ? 'eu-west-1' : 'us-east-1',
      public_url: changes[1].status === 'fulfilled' ? 'https://cdn.example.org' : null,
    });
    for (const result of changes) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
  });
});

/** The service waits this long for requests that are running. */
const ABORTED_AFTER_MS = 10_000;

it('stops despite a keep-alive connection with a request in flight', async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { port, host } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  // Half a request is in flight when the service stops, so that the connection isn't idle.
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`);
  await fetch(`${service.url}/healthz`);
  const began = performance.now();
  const stopped = service.stop();
  socket.write('Connection: keep-alive\r\n\r\n');
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1.1 200 /);
  expect(response).toMatch(/^connection: close\r$/im);
  await stopped;
  expect(performance.now() - began).toBeLessThan(ABORTED_AFTER_MS);
});

it('stops despite a connection that a browser opened in advance', async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  await fetch(`${service.url}/healthz`);
  const began = performance.now();
  await service.stop();
  expect(performance.now() - began).toBeLessThan(ABORTED_AFTER_MS);
  await closed;
});
