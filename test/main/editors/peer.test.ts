import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { gate } from '#main/editors/gate.ts';
import { ownsByLsof, pidInNetstat, uidInTables } from '#main/editors/peer.ts';
import { has } from '#test/helpers/programs/installed.ts';

const connection = { from: { address: '127.0.0.1', port: 50_000 }, to: { address: '127.0.0.1', port: 36_677 } };

/** The gate in front of a server of its own; returns its address. */
async function gated() {
  const server = createHttpServer(async (request, response) => {
    if (await gate(request, response)) response.end('in');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/upload`;
}

/** The status of a request by a program of its own, which connects over IPv4 or as programs do that prefer IPv6. */
async function statusFor(url: string, host: string, user: { uid?: number }) {
  const script = `
    const { port, pathname: path } = new URL('${url}');
    const request = require('node:http').request({ host: '${host}', port, path, method: 'POST', headers: { host: '127.0.0.1' } });
    request.on('response', ({ statusCode }) => { console.log(statusCode); process.exit(); }).end();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: '/', env: {}, ...user });
  return Number(stdout);
}

test('admits programs of the same user', async () => {
  const url = await gated();
  expect((await fetch(url, { method: 'POST' })).status).toBe(200);
});

test.runIf(process.platform === 'linux')('admits a program of the same user that prefers IPv6', async () => {
  expect(await statusFor(await gated(), '::ffff:127.0.0.1', {})).toBe(200);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)('refuses programs of another user', async () => {
  const url = await gated();
  expect(await statusFor(url, '127.0.0.1', { uid: 65_534 })).toBe(403);
  expect(await statusFor(url, '::ffff:127.0.0.1', { uid: 65_534 })).toBe(403);
});

test.each(['cross-site', 'same-site'])('refuses a %s request of a browser, even without an origin', async (site) => {
  const url = await gated();
  expect((await fetch(url, { method: 'POST', headers: { 'sec-fetch-site': site } })).status).toBe(403);
  const obsidian = { 'sec-fetch-site': site, origin: 'app://obsidian.md' };
  expect((await fetch(url, { method: 'POST', headers: obsidian })).status).toBe(200);
});

test('reads the user from Linux’s tables, but not of a socket that its program has closed', () => {
  const row = (uid: number, inode: number) =>
    `   1: 0100007F:C350 0100007F:8F45 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;
  const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const listening =
    '   0: 0100007F:8F45 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 17 1 0000000000000000 100 0 0 10 0';
  expect(uidInTables([header, listening, row(1000, 42)].join('\n'), connection)).toBe(1000);
  expect(uidInTables([header, listening, row(0, 0)].join('\n'), connection)).toBeUndefined();
  expect(uidInTables(header, connection)).toBeUndefined();
});

test('reads the process from Windows’ netstat in any language', () => {
  const output = [
    'Aktive Verbindungen',
    '',
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    127.0.0.1:36677        0.0.0.0:0              ABHÖREN          77',
    '  TCP    127.0.0.1:36677        127.0.0.1:50000        HERGESTELLT      77',
    '  TCP    127.0.0.1:50000        127.0.0.1:36677        HERGESTELLT      4242',
    '  TCP    127.0.0.1:50001        127.0.0.1:36677        WARTEND          0',
  ].join('\r\n');
  expect(pidInNetstat(output, connection)).toBe(4242);
  expect(pidInNetstat(output, { ...connection, from: { address: '127.0.0.1', port: 50_001 } })).toBeUndefined();
  expect(pidInNetstat('', connection)).toBeUndefined();
});

test.runIf(has('lsof'))('finds this user’s own connections with lsof', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const from = { address: '127.0.0.1', port: socket.localPort ?? 0 };
  const to = { address: '127.0.0.1', port: socket.remotePort ?? 0 };
  expect(await ownsByLsof({ from, to })).toBe(true);
  expect(await ownsByLsof({ from: to, to: { address: '127.0.0.1', port: 1 } })).toBe(false);
  socket.destroy();
  server.close();
});
