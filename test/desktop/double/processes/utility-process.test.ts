import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ForkOptions } from 'electron';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { utilityProcess } from './utility-process.ts';

afterEach(() => vi.unstubAllEnvs());

/** A utility process with a program of the test's own, which can use `port`. */
function start(program: string, options: ForkOptions = {}) {
  const path = join(temporaryFolder(), 'program.mjs');
  writeFileSync(path, `const port = process.parentPort;\n${program}`);
  const child = utilityProcess.fork(path, [], options);
  onTestFinished(() => void child.kill());
  const received: unknown[] = [];
  child.on('message', (message) => received.push(message));
  return { child, received, exited: once(child, 'exit').then(([code]) => code as number) };
}

const EXITS_AT_ONCE = "port.postMessage('last words'); setImmediate(() => process.exit(3));";
const WAITS = "port.on('message', () => process.exit(3)); port.postMessage('here');";

test('what is sent just before the exit is lost, what comes earlier arrives', async () => {
  const lost = start(EXITS_AT_ONCE);
  expect([await lost.exited, lost.received]).toEqual([3, []]);
  const waits = start(WAITS);
  await once(waits.child, 'message');
  waits.child.postMessage('exit');
  expect([await waits.exited, waits.received]).toEqual([3, ['here']]);
});

test('messages wait for a listener in the utility process', async () => {
  const { child, received } = start(
    "const send = ({ data }) => port.postMessage(data); setTimeout(() => port.once('message', (event) => { send(event); setTimeout(() => port.on('message', send)); }));",
  );
  await once(child, 'spawn');
  child.postMessage('first');
  child.postMessage('second');
  await expect.poll(() => received).toEqual(['first', 'second']);
});

test('there is no pid before the start and after the exit, and nothing to kill', async () => {
  const { child, exited } = start(WAITS);
  expect([child.pid, child.kill()]).toEqual([undefined, false]);
  await once(child, 'spawn');
  expect(child.pid).toBeGreaterThan(0);
  await once(child, 'message');
  child.postMessage('exit');
  await exited;
  expect([child.pid, child.stdout]).toEqual([undefined, null]);
});

test.skipIf(process.platform === 'win32')('the exit code is the signal’s number, or 0 after kill()', async () => {
  const killed = start(WAITS);
  await once(killed.child, 'message');
  killed.child.kill();
  expect(await killed.exited).toBe(0);
  const crashed = start(WAITS);
  await once(crashed.child, 'message');
  process.kill(crashed.child.pid as number, 'SIGSEGV');
  expect(await crashed.exited).toBe(constants.signals.SIGSEGV);
});

test('nothing of Node’s is inherited, and an environment of its own replaces everything', async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/nowhere');
  vi.stubEnv('PIXDOCK_TEST', 'yes');
  const tell = 'port.postMessage([process.env.NODE_EXTRA_CA_CERTS, process.env.PIXDOCK_TEST]);';
  const inherits = start(tell);
  expect((await once(inherits.child, 'message'))[0]).toEqual([undefined, 'yes']);
  const own = start(tell, { env: { NODE_EXTRA_CA_CERTS: '/nowhere' } });
  expect((await once(own.child, 'message'))[0]).toEqual([undefined, undefined]);
});

test('the last output comes after the exit, when nobody reads it any more but those who kept the stream', async () => {
  const { child, exited } = start(
    "process.stdout.write('first'); port.on('message', () => { process.stdout.write('last'); process.exit(0); });",
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const { stdout } = child;
  const heard: string[] = [];
  stdout?.on('data', (chunk: Buffer) => heard.push(String(chunk)));
  await expect.poll(() => heard).toEqual(['first']);
  child.postMessage('exit');
  await exited;
  const rest = await text(stdout as unknown as Readable);
  expect([rest, heard]).toEqual(['last', ['first']]);
});
