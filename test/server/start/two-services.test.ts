import { mkdir, symlink } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { decideDeviceRequest, findDeviceRequest, requestDevice } from '#api/auth/devices.ts';
import { createPhoneCode, decidePhone, pollPhone, requestPhone } from '#api/auth/phones.ts';
import { endOtherSessions } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { updateImage } from '#api/images/changes.ts';
import { verifyDataFolder } from '#server/features/verify/verify.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { newPostgresDatabase, onPostgres } from '#test/helpers/service/data/database.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn, setUp, signedIn, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** The status of a direct link on a service other than the one that created it. */
function statusOf(service: TestService, link: string, agent?: Agent): Promise<number> {
  const { port } = new URL(service.url);
  const options = { port, path: new URL(link).pathname, headers: { host: new URL(service.url).host }, ...(agent && { agent }) };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end();
  });
}

describe.runIf(onPostgres)('two services on one database', () => {
  let databaseUrl: string;
  let here: TestService;
  let there: TestService;
  let owner: SignedIn;
  let token: string;
  let number = 0;
  const upload = (service: TestService, fields: Record<string, string> = {}) => uploadImage(service, token, tinyPng(++number), fields);
  /** The owner's session, as seen by the other service. */
  const ownerThere = () => signedIn(there, owner.cookie);

  beforeAll(async () => {
    databaseUrl = await newPostgresDatabase();
    here = await startTestService({ databaseUrl });
    const dataDir = join(here.dataDir, 'second');
    await mkdir(dataDir);
    await symlink(join(here.dataDir, 'blobs'), join(dataDir, 'blobs'));
    await expect(startTestService({ databaseUrl, dataDir })).rejects.toThrow('PIXDOCK_SECRETS');
    there = await startTestService({ databaseUrl, dataDir, secrets: join(here.dataDir, 'secrets.json') });
    expect(there.setupCode).toBe(here.setupCode);
    owner = await setUp({ url: here.url, setupCode: there.setupCode });
    token = await owner.token('upload');
  });
  afterAll(async () => {
    await there.stop();
    await here[Symbol.asyncDispose]();
  });

  it('refuse a picture at the request after another made it private', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, links } = await upload(there);
      expect([await statusOf(here, links.url), await statusOf(there, links.url)]).toEqual([200, 200]);
      await owner.client.call(updateImage, { params: { key }, body: { visibility: 'private' } });
      expect([await statusOf(there, links.url), await statusOf(here, links.url)]).toEqual([404, 404]);
      await ownerThere().client.call(updateImage, { params: { key }, body: { visibility: 'public' } });
      expect(await statusOf(here, links.url)).toBe(200);
    }
  });

  it('grant exactly the views of a view limit together', async () => {
    const { links } = await upload(here, { max_views: '1000' });
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    const statuses = await Promise.all(Array.from({ length: 2_000 }, (_, index) => statusOf(index % 2 ? here : there, links.url, agent)));
    agent.destroy();
    const counts = Map.groupBy(statuses, (status) => status);
    expect([counts.get(200)?.length, counts.get(410)?.length]).toEqual([1_000, 1_000]);
  });

  it('follow each other’s settings', async () => {
    for (const site_name of ['Harbour', 'Lighthouse']) {
      await owner.client.call(changeAdminSettings, { body: { site_name } });
      const shown = async () => (await createClient({ baseUrl: there.url }).call(getConfig, {})).site_name;
      await expect.poll(shown, { interval: 20 }).toBe(site_name);
    }
  });

  it('end sessions everywhere at once', async () => {
    const other = await newSession(there, OWNER.username, OWNER.password);
    expect((await other.fetch('/api/v1/user')).status).toBe(200);
    expect((await signedIn(here, other.cookie).fetch('/api/v1/user')).status).toBe(200);
    await owner.client.call(endOtherSessions, {});
    expect((await other.fetch('/api/v1/user')).status).toBe(401);
    expect((await signedIn(here, other.cookie).fetch('/api/v1/user')).status).toBe(401);
  });

  it('approve the device that asked the other', async () => {
    const { user_code } = await createClient({ baseUrl: there.url }).call(requestDevice, { body: { name: 'Desk' } });
    expect(await owner.client.call(findDeviceRequest, { body: { user_code } })).toMatchObject({ name: 'Desk' });
    await owner.client.call(decideDeviceRequest, { body: { user_code, decision: 'approve' } });
    await expect(ownerThere().client.call(findDeviceRequest, { body: { user_code } })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('approve the phone that asked the other, and let one of those that ask both at once', async () => {
    const { code } = await owner.client.call(createPhoneCode, {});
    const askAt = (service: TestService) => createClient({ baseUrl: service.url }).call(requestPhone, { body: { code, name: 'iPhone' } });
    const asked = await Promise.all([here, there, here, there].map(askAt));
    expect(asked.map(({ state }) => state).sort()).toEqual(['asking', 'used', 'used', 'used']);
    const [phone] = asked.filter(({ state }) => state === 'asking');
    if (phone?.state !== 'asking') throw new Error(phone?.state);
    const { check_code, phone_code } = phone;
    await ownerThere().client.call(decidePhone, { body: { code, check_code, decision: 'approve' } });
    const pollAt = (service: TestService) => createClient({ baseUrl: service.url }).call(pollPhone, { body: { phone_code } });
    const polled = await Promise.all([here, there, here, there].map(pollAt));
    expect(polled.map(({ state }) => state).sort()).toEqual(['approved', 'used', 'used', 'used']);
  });

  it('count failed sign-ins together', async () => {
    const guess = async (service: TestService) => {
      const body = JSON.stringify({ login: 'unknown', password: 'wrong' });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      return (await fetch(`${service.url}/api/v1/auth/login`, init)).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) statuses.push(await guess(count % 2 ? here : there));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  it('send each other’s changes to their clients, and end the streams of sessions that the other ends', async () => {
    const session = await newSession(there, OWNER.username, OWNER.password);
    const streams = [await openEvents(here, { cookie: owner.cookie }), await openEvents(there, { cookie: session.cookie })];
    for (const { events } of streams) await expect.poll(() => events.length).toBe(1);
    const [one, two] = [await upload(here), await upload(there)];
    for (const { told } of streams) await expect.poll(told).toEqual({ 'image.created': [one.key, two.key] });
    await owner.client.call(endOtherSessions, {});
    await streams[1]?.ended;
    const elsewhere = await openEvents(there, { cookie: owner.cookie, 'last-event-id': streams[0]?.events.at(-1)?.id ?? '' });
    await expect.poll(() => elsewhere.events).toMatchObject([{ kind: 'resync' }]);
  });

  it('run jobs on one of them, and on the other once it stops', async () => {
    const holder = () =>
      withDatabase(here, async ({ read }) => (await read.selectFrom('leases').select('holder').executeTakeFirst())?.holder);
    const first = await holder();
    expect(first).toBeTruthy();
    await here.stop();
    await expect.poll(holder, { timeout: 15_000 }).not.toSatisfy((now) => now === '' || now === first);
    expect((await fetch(`${there.url}/readyz`)).status).toBe(200);
  });

  it('allow their database to be verified only once all have stopped', async () => {
    const { dataDir } = here;
    const found: string[] = [];
    const nothing = () => undefined;
    const verify = (url: string, repair = false) =>
      verifyDataFolder({ dataDir, databaseUrl: url }, repair, {
        onStart: nothing,
        onBytes: nothing,
        onFinding: ({ problem }) => found.push(problem),
      });
    await expect(verify(databaseUrl, true)).rejects.toThrow('running with this database');
    await there.stop();
    expect([(await verify(databaseUrl)).images, found]).toEqual([number, []]);
    await expect(verify(databaseUrl.replace(/[^/]*$/, 'postgres'))).rejects.toThrow('doesn’t contain the tables');
  });
});
