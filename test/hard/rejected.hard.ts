import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { putOidc } from '#api/auth/oidc.ts';
import { watchMemory } from '#test/helpers/programs/process-tree.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp } from '#test/helpers/service/service.ts';
import { Random, setting } from './random.ts';

/** 100,000 unless the run says otherwise. */
const REQUESTS = setting('INPUTS') * 100;
const AT_ONCE = 16;
const MB = 1_000_000;

const dataDir = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Sends a request, reads the response, and returns its status. */
async function send(url: string, agent: Agent, options: RequestOptions, body?: string): Promise<number> {
  const sent = request(url, { agent, ...options });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Sends bytes on a connection of its own. @param wait whether to wait for the service to close it */
async function sendBytes(url: string, bytes: string, wait: boolean): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // the service may close it first
  socket.write(bytes, () => wait || socket.destroy());
  socket.resume();
  await once(socket, 'close');
}

it('logs and stores little, however many requests it rejects', { timeout: 1_800_000 }, async () => {
  const random = new Random('rejected');
  const word = () => random.next().toString(36).slice(2);
  const service = await startChildService(dataDir);
  const owner = await setUp(service);
  await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
  const provider = { enabled: true, issuer: 'http://127.0.0.1:1', client_id: 'x', client_secret: 'x', allow_insecure_issuer: true };
  await owner.client.call(putOidc, { body: provider });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const { url } = service;
  const post = (path: string, headers: Record<string, string>, body: string) =>
    send(`${url}${path}`, agent, { method: 'POST', headers }, body);
  const json = { 'content-type': 'application/json' };
  const form = (length: number) =>
    `POST /api/v1/upload HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n` +
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG';
  const ATTACKS: Record<string, () => Promise<unknown>> = {
    'unknown hosts': () => send(url, agent, { headers: { host: `${word()}.example` } }),
    'other origins': () => post('/api/v1/auth/login', { ...json, origin: `https://${word()}.example` }, '{}'),
    'invalid tokens': () => send(`${url}/api/v1/images`, agent, { headers: { authorization: `Bearer ${word()}` } }),
    'wrong passwords': () => post('/api/v1/auth/login', json, JSON.stringify({ login: word(), password: word() })),
    'unknown routes': () => send(`${url}/api/v1/${word()}/${word()}`, agent, { method: random.below(2) ? 'GET' : 'DELETE' }),
    'unknown pages': () => send(`${url}/${word()}/%ff${word()}`, agent, {}),
    'unknown methods': () => send(`${url}/${word()}`, agent, { method: 'PROPFIND' }),
    'unknown pictures': () => send(`${url}/i/${word().padEnd(12, 'x').slice(0, 12)}.jpg`, agent, {}),
    'malformed JSON': () => post('/api/v1/auth/login', json, `{${word()}`),
    'oversized bodies': () =>
      sendBytes(
        url,
        `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
        false,
      ),
    'uploads without an end': () => post('/api/v1/upload', { 'content-type': 'multipart/form-data; boundary=x' }, `--x\r\n${word()}`),
    'aborted uploads': () => sendBytes(url, form(100_000), false),
    'malformed HTTP': () => sendBytes(url, `${word()}\r\n\r\n`, true),
    'sign-ons with a silent provider': () => send(`${url}/api/v1/auth/oidc/start?moved=1`, agent, {}),
    'forged sign-ons': () => send(`${url}/api/v1/auth/oidc/callback?code=${word()}&state=${word()}`, agent, {}),
  };

  const db = new Sqlite(join(dataDir, 'pixdock.db'), { readonly: true });
  const count = (table: string) => db.prepare(`select count(*) from ${table}`).pluck().get() as number;
  const metrics = async () => (await (await owner.fetch('/metrics')).text()).length;
  const sizes = async () => ({ log: service.printed().length, audit: count('audit'), limits: count('limits'), metrics: await metrics() });
  using memory = watchMemory(service.pid);
  const each = Math.ceil(REQUESTS / Object.keys(ATTACKS).length);
  await metrics();
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const before = { ...(await sizes()), memory: memory.now() };
    let left = each;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await attack();
      }),
    );
    const after = { ...(await sizes()), memory: memory.now() };
    const grown = Object.entries(after).map(
      ([what, amount]) => `${what} +${Math.round((amount - before[what as keyof typeof before]) * 10) / 10}`,
    );
    console.log(`${each} ${name} in ${Math.round((performance.now() - startedAt) / 1000)} s: ${grown.join(', ')}`);
  }
  const end = await sizes();
  console.log(
    `log ${end.log} bytes, ${end.audit} entries, ${end.limits} counters, metrics ${end.metrics} bytes, memory at most ${Math.round(memory.peak())} MB`,
  );
  db.close();
  agent.destroy();
  expect(end.log).toBeLessThan(MB);
  expect(end.audit).toBeLessThan(1_000);
  expect(end.metrics).toBeLessThan(MB);
  expect(statSync(join(dataDir, 'pixdock.db')).size).toBeLessThan(20 * MB);
  expect(memory.peak()).toBeLessThan(600);
  expect(await service.stop()).toBe(0);
});
