import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { type DecoderProcess, type Exit, launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import type { FromDecoder, Reply } from '#server/platform/imaging/decoder/messages.ts';
import { currentProtection, isUsable, type Protection, protections } from '#server/platform/imaging/decoder/protection.ts';
import { decoders } from '#server/platform/imaging/decoders.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import type { Attempt } from '#test/helpers/programs/intruder.ts';
import { childrenOf, commandOf, isRunning } from '#test/helpers/programs/process-tree.ts';

const permissions: Protection = { name: 'permissions' };
const bubblewrap: Protection = { name: 'bubblewrap', isWrapped: true };
const user: Protection = { name: 'user', user: 65_534 };

const intruders = new Map<Protection, DecoderProcess>();
afterAll(() => {
  for (const intruder of intruders.values()) intruder.kill();
});

const offered = new Map<Protection, Promise<boolean>>();

/** Skips a test of what this system doesn't offer. */
async function needs(protection: Protection, { skip }: TestContext) {
  const isOffered = offered.get(protection) ?? isUsable(protection);
  offered.set(protection, isOffered);
  if (!(await isOffered))
    skip(protection === user ? 'needs root on Linux' : 'bubblewrap isn’t installed, or the system keeps it from working');
}

const started = (...options: Parameters<typeof launchDecoder>) => {
  const child = launchDecoder(...options);
  onTestFinished(() => child.kill());
  return child;
};

const INTRUDER = join(import.meta.dirname, '../../../../helpers/programs/intruder.ts');

/** What a decoder that has been taken over gets when it tries this. */
async function attempt(protection: Protection, ...tried: Attempt): Promise<unknown> {
  const intruder = intruders.get(protection) ?? launchDecoder(protection, INTRUDER);
  intruders.set(protection, intruder);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  intruder.onMessage(resolve); // promises take the first reply only, so earlier listeners do nothing
  intruder.onExit(({ code }) => reject(new Error(`It ended with code ${code}.`)));
  intruder.send(tried as never);
  return promise;
}

/** As the service creates it: closed to other users. Every file is a picture, which libvips can open. */
async function dataFolder() {
  const folder = temporaryFolder();
  const picture = await png();
  for (const name of ['tmp', 'blobs/ab/cd']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['secrets.json', 'pixdock.db', 'blobs/ab/cd/abcd']) writeFileSync(join(folder, name), picture);
  chmodSync(folder, 0o700);
  return folder;
}

describe('the JavaScript of a decoder that is taken over', () => {
  it.each([
    ['read', 'secrets.json'],
    ['read', 'pixdock.db'],
    ['read', 'blobs/ab/cd/abcd'],
    ['list', 'tmp'],
    ['write', 'tmp/new'],
    ['write', 'secrets.json'],
  ] as const)('can’t reach the data folder: %s %s', async (what, name) => {
    expect(await attempt(permissions, what, join(await dataFolder(), name))).toBe('ERR_ACCESS_DENIED');
  });

  it.each([
    ['read', '/etc/passwd'],
    ['read', '/proc/self/environ'],
    ['read', join(import.meta.dirname, '../../../../../README.md')],
    ['start', '/bin/true'],
  ] as const)('can’t reach the rest of the system: %s %s', async (what, path) => {
    expect(await attempt(permissions, what, path)).toBe('ERR_ACCESS_DENIED');
  });
});

describe.each([bubblewrap, user])('the native code of a decoder that is taken over, protected by $name,', (protection) => {
  it.for([
    ['readNatively', 'secrets.json'],
    ['readNatively', 'pixdock.db'],
    ['readNatively', 'blobs/ab/cd/abcd'],
    ['writeNatively', 'tmp/new'],
    ['writeNatively', 'secrets.json'],
  ] as const)('can’t reach the data folder: %s %s', async ([what, name], context) => {
    await needs(protection, context);
    const path = join(await dataFolder(), name);
    expect(await attempt(protection, what, path)).toMatch(/file is missing|unable to open/);
    expect(await attempt(permissions, what, path)).toBe('done');
  });
});

describe('a decoder in bubblewrap', () => {
  it('has no network', async (context) => {
    await needs(bubblewrap, context);
    await using server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    expect(await attempt(bubblewrap, 'connect', port)).toMatch(/ECONNREFUSED|ENETUNREACH/);
    expect(await attempt(permissions, 'connect', port)).toBe('done');
  });

  it('sees only programs and its code, and no temporary files of others', async (context) => {
    await needs(bubblewrap, context);
    const readable = join(temporaryFolder(), 'a.png');
    writeFileSync(readable, await png());
    expect(await attempt(bubblewrap, 'readNatively', readable)).toMatch(/file is missing/);
    expect(await attempt(bubblewrap, 'writeNatively', '/usr/a.png')).toMatch(/unable to open/);
    expect(await attempt(bubblewrap, 'writeNatively', join(import.meta.dirname, 'a.png'))).toMatch(/unable to open/);
  });

  it('reports how it ended', async (context) => {
    await needs(bubblewrap, context);
    const child = started(bubblewrap);
    const ended = new Promise<Exit>((resolve) => child.onExit(resolve));
    process.kill(await nodeIn(child), 'SIGSEGV');
    expect(await ended).toEqual({ code: null, signal: 'SIGSEGV' });
  });

  it.for(['killed', 'crashed'])('leaves nothing behind when bubblewrap is %s while it starts', async (way, context) => {
    await needs(bubblewrap, context);
    for (let wait = 0; wait < 12; wait++) {
      const child = started(bubblewrap);
      const ended = new Promise((resolve) => child.onExit(resolve));
      for (const end = performance.now() + wait; performance.now() < end; );
      if (way === 'killed') child.kill();
      else process.kill(child.pid as number, 'SIGSEGV');
      await ended;
      await expect.poll(() => inGroup(child.pid as number)).toEqual([]);
    }
  });

  it('ends with bubblewrap', async (context) => {
    await needs(bubblewrap, context);
    const child = started(bubblewrap);
    const node = await nodeIn(child);
    child.kill();
    await expect.poll(() => isRunning(node), { timeout: 20_000 }).toBe(false);
  });
});

it.runIf(process.platform === 'linux').for([permissions, bubblewrap, user])(
  'the processor time of a decoder that is killed is known: $name',
  async (protection, context) => {
    await needs(protection, context);
    const child = started(protection);
    const ended = new Promise<Exit>((resolve) => child.onExit(resolve));
    const replied = new Promise<FromDecoder>((resolve) => child.onMessage(resolve));
    child.send({ kind: 'versions', options: {}, seconds: 60, size: 0, piece: new Uint8Array() });
    const { cpuSeconds } = (await replied) as Reply;
    child.kill();
    // It is counted in hundredths; bubblewrap itself takes some.
    expect((await ended).cpuSeconds).toBeGreaterThan(cpuSeconds - 0.03);
    expect(cpuSeconds).toBeGreaterThan(0.03);
  },
);

/** The running processes of a group (Linux). */
const inGroup = (group: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid) !== '' && groupOf(pid) === group);

function groupOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[2]);
  } catch {
    return 0; // it has ended
  }
}

/** Waits for the process that decodes. */
async function nodeIn({ pid }: DecoderProcess): Promise<number> {
  const find = (parent: number): number | undefined =>
    childrenOf(parent)
      .map((child) => (commandOf(child).startsWith(process.execPath) ? child : find(child)))
      .find(Boolean);
  await expect.poll(() => find(pid as number), { timeout: 20_000 }).toBeGreaterThan(0);
  return find(pid as number) as number;
}

it('is the best that the system offers', async () => {
  await decoders.run('versions', {}, 30);
  const better = protections().slice(
    0,
    protections().findIndex(({ name, user }) => name === currentProtection().name && user === currentProtection().user),
  );
  expect(await Promise.all(better.map(isUsable))).toEqual(better.map(() => false));
  expect(await isUsable(currentProtection())).toBe(true);
});
