import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Launch, launchAsUtility, launchOnNode, type ServiceChild } from '#main/service/server-launch.ts';
import type { FromService } from '#main/service/server-messages.ts';
import { utilityProcess } from '#test/desktop/double/processes/utility-process.ts';
import { webp } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { expectToEndWithParent, fileOf, hangingUtility } from '#test/helpers/programs/killed-parent.ts';
import { childrenOf, isRunning } from '#test/helpers/programs/process-tree.ts';

const entry = join(import.meta.dirname, '../../../main/server-child.ts');

const decoderEntry = join(import.meta.dirname, '../../../server/platform/imaging/decoder/program.ts');

const follow = (output: Readable | null) => void output?.pipe(process.stderr);
const launchers: [string, Launch][] = [
  ['plain Node', launchOnNode({ node: process.execPath, entry, follow, env: process.env })],
  ['utility process', launchAsUtility({ fork: utilityProcess.fork, entry, decoderEntry, follow })],
];

/** Launches, and records messages and the exit. */
function begin(launch: Launch, port = 0, dataDir = temporaryFolder()) {
  const child = launch();
  onTestFinished(() => child.kill());
  const waiting: ((message: FromService) => void)[] = [];
  const early: FromService[] = [];
  child.onMessage((message) => {
    const next = waiting.shift();
    if (next) next(message);
    else early.push(message);
  });
  const config = { host: '127.0.0.1', port, dataDir, trustProxy: [], allowedHosts: [], webRoot: dataDir, logLevel: 'silent' };
  child.send({ type: 'start', config });
  const message = () => {
    const known = early.shift();
    return known ? Promise.resolve(known) : new Promise<FromService>((resolve) => waiting.push(resolve));
  };
  return { child, message, ended: ending(child) };
}

function ending(child: ServiceChild) {
  return new Promise<string>((resolve) => child.onExit(resolve));
}

test.each(launchers)('on a %s the service starts, signs the owner in, and exits on request', async (_name, launch) => {
  const { child, message, ended } = begin(launch);
  const ready = await message();
  if (ready.type !== 'ready') throw new Error(JSON.stringify(ready));
  child.send({ type: 'open-session', id: 7, username: 'ada' });
  const opened = await message();
  if (opened.type !== 'session') throw new Error(JSON.stringify(opened));
  expect(opened.id).toBe(7);
  const cookie = `${opened.cookie.name}=${opened.cookie.value}`;
  const session = await (await fetch(`${ready.url}/api/v1/auth/session`, { headers: { cookie } })).json();
  expect(session).toMatchObject({ status: true, data: { user: { username: 'ada', is_owner: true } } });
  child.send({ type: 'stop' });
  expect(await ended).toBe('The service quit unexpectedly (code 0).');
});

test('a data folder that can’t be used is reported as such, so that the app keeps trying', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const [[, launch]] = launchers as [[string, Launch]];
  const { message } = begin(launch, 0, join(file, 'data'));
  expect(await message()).toMatchObject({ type: 'failed', problem: { code: 'data_folder', detail: expect.stringContaining(file) } });
});

test.runIf(process.platform === 'linux')('a service that can’t start processes decodes in those of the app', async () => {
  const running = () => childrenOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(decoderEntry));
  const others = running();
  const { child, message } = begin(launchAsUtility({ fork: utilityProcess.fork, entry, decoderEntry, follow }));
  const ready = await message();
  child.send({ type: 'open-session', id: 1, username: 'ada' });
  const opened = await message();
  if (ready.type !== 'ready' || opened.type !== 'session') throw new Error(JSON.stringify([ready, opened]));
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await webp())]), 'a.webp');
  const headers = { cookie: `${opened.cookie.name}=${opened.cookie.value}` };
  const response = await fetch(`${ready.url}/api/v1/upload`, { method: 'POST', headers, body: form });
  expect(response.status).toBe(200);
  const decoders = running().filter((pid) => !others.includes(pid));
  expect(decoders).toHaveLength(1);
  child.kill();
  await expect.poll(() => decoders.some(isRunning), { timeout: 20_000 }).toBe(false);
});

test.skipIf(process.platform === 'win32').each(launchers)('on a %s a hung service can be killed', async (_name, launch) => {
  const { child, message, ended } = begin(launch);
  await message();
  process.kill(child.pid as number, 'SIGSTOP'); // it handles no other signal
  child.kill();
  expect(await ended).toMatch(/^The service quit unexpectedly \((signal SIGKILL|code 9)\)\.$/);
});

/** A program that starts the service as the app does, and sends its pid once it hangs. */
const hangingApp = (launch: string, hang: string) => `
  import { launchAsUtility, launchOnNode } from ${fileOf('main/service/server-launch.ts')};
  import { utilityProcess } from ${fileOf('test/desktop/double/processes/utility-process.ts')};
  const follow = () => undefined;
  const child = ${launch}();
  child.onMessage(() => {
    ${hang};
    process.send(child.pid);
  });
  const dataDir = ${JSON.stringify(temporaryFolder())};
  const config = { host: '127.0.0.1', port: 0, dataDir, trustProxy: [], allowedHosts: [], webRoot: dataDir, logLevel: 'silent' };
  child.send({ type: 'start', config });`;

test.runIf(process.platform === 'linux')('on plain Node a hung service ends with an app that is killed', () => {
  const launch = `launchOnNode({ node: process.execPath, entry: ${JSON.stringify(entry)}, follow, env: process.env })`;
  return expectToEndWithParent(hangingApp(launch, "process.kill(child.pid, 'SIGSTOP')"));
});

test.runIf(process.platform === 'linux')('on a utility process a hung service ends with an app that is killed', () => {
  const launch = `launchAsUtility({ fork: utilityProcess.fork, entry: ${hangingUtility('main/server-child.ts', 'stop')}, decoderEntry: '', follow })`;
  return expectToEndWithParent(hangingApp(launch, "child.send({ type: 'stop' })"));
});

test.each(launchers)('on a %s a taken port is reported, though an exit loses messages', async (_name, launch) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { message } = begin(launch, port);
  expect(await message()).toMatchObject({
    type: 'failed',
    problem: { code: 'port_in_use', detail: expect.stringContaining(String(port)) },
  });
});

test("reports a program that can't be started as an exit with a message", async () => {
  const launch = launchOnNode({ node: '/nowhere/node', entry, follow, env: process.env });
  expect(await ending(launch())).toContain('Couldn’t start the service');
});

test('the last lines of a process are read, though it has exited before they arrive', async () => {
  const program = join(temporaryFolder(), 'program.mjs');
  writeFileSync(
    program,
    "process.stdout.write('ready\\n'); process.parentPort.on('message', () => { console.log('the reason'); process.exit(1); });",
  );
  const outputs: (Readable | null)[] = [];
  const child = launchAsUtility({
    fork: utilityProcess.fork,
    entry: program,
    decoderEntry,
    follow: (output) => void outputs.push(output),
  })();
  const read = Promise.all(outputs.map((output) => (output ? text(output) : '')));
  child.onExit(() => undefined);
  await expect.poll(() => child.pid).toBeGreaterThan(0);
  child.send({ type: 'stop' });
  expect(await read).toEqual(['ready\nthe reason\n', '']);
});
