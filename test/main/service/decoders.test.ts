import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UtilityProcess, utilityProcess } from 'electron';
import { expect, it, onTestFinished } from 'vitest';
import { hostDecoders } from '#main/service/decoder-host.ts';
import { relayDecoders } from '#main/service/decoder-relay.ts';
import { createDecoders, type Death } from '#server/platform/imaging/decoders.ts';
import { DamagedImageError, ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS as limits } from '#server/platform/imaging/limits.ts';
import { utilityProcess as double } from '#test/desktop/double/processes/utility-process.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { expectToEndWithParent, fileOf, hangingUtility } from '#test/helpers/programs/killed-parent.ts';

const entry = join(import.meta.dirname, '../../../server/platform/imaging/decoder/program.ts');

/** A service's decoders in processes that main starts; messages are copied as between processes. */
function connect(onStart: (child: UtilityProcess) => void = () => undefined) {
  const children: UtilityProcess[] = [];
  const fork: typeof utilityProcess.fork = (...options) => {
    const child = double.fork(...options);
    children.push(child);
    onStart(child);
    return child;
  };
  const follow = () => undefined;
  const relay = relayDecoders((message) => expect(host.receive(structuredClone(message))).toBe(true));
  const host = hostDecoders({ fork, entry, follow }, (message) => expect(relay.receive(structuredClone(message))).toBe(true));
  onTestFinished(() => host.end());
  return { decoders: createDecoders(relay.launch, { graceSeconds: 0 }), children, host, relay };
}

async function picture() {
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, await png());
  return input;
}

it('decodes in processes that main starts, and keeps them', async () => {
  const { decoders, children, host } = connect();
  const input = await picture();
  for (let i = 0; i < 2; i++) expect(await decoders.run('header', { limits }, 30, { input })).toMatchObject({ width: 320, height: 200 });
  const { picture: jpeg } = await decoders.run(
    'thumbnail',
    { format: undefined, width: 100, type: 'jpeg', limits, withHashes: false },
    30,
    { input },
  );
  expect(Buffer.from(jpeg).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  await expect(decoders.run('header', { limits }, 30, { input: import.meta.filename })).rejects.toBeInstanceOf(DamagedImageError);
  expect(children).toHaveLength(1);
  const ended = new Promise((resolve) => children[0]?.once('exit', resolve));
  host.end();
  await ended;
});

it('reads text in a process beside them', { timeout: 120_000 }, async () => {
  const { decoders, relay, children } = connect();
  const recognizers = createDecoders(relay.launch, { maxProcesses: 1, minIdle: 0 });
  const input = join(import.meta.dirname, '../../fixtures/text/english.png');
  const options = { languages: ['eng' as const], limits: { seconds: 40, pixels: 1_000_000 } };
  const [header, { lines }] = await Promise.all([
    decoders.run('header', { limits }, 30, { input }),
    recognizers.run('recognize', options, 100, { input }),
  ]);
  expect(header).toMatchObject({ width: 360, height: 96 });
  expect(lines.map(({ text }) => text)).toContain('Check your network connection');
  expect(children).toHaveLength(2);
});

it.runIf(process.platform === 'linux')('gives them no secrets', async () => {
  process.env.PIXDOCK_TEST_SECRET = 'secret';
  const { decoders, children } = connect();
  expect(await decoders.run('versions', {}, 30)).toHaveProperty('vips');
  delete process.env.PIXDOCK_TEST_SECRET;
  expect(readFileSync(`/proc/${children[0]?.pid}/environ`, 'utf8')).not.toContain('PIXDOCK');
});

it.skipIf(process.platform === 'win32')('rejects the picture of one that crashes, and starts another', async () => {
  const { decoders, children } = connect();
  const deaths: Death[] = [];
  decoders.watch((death) => deaths.push(death));
  const lost = decoders.run('versions', {}, 30);
  await expect.poll(() => children.length).toBe(1);
  process.kill(children[0]?.pid as number, 'SIGSEGV');
  await expect(lost).rejects.toBeInstanceOf(DamagedImageError);
  expect(deaths).toMatchObject([{ kind: 'versions', isCrash: true }]);
  expect(await decoders.run('versions', {}, 30)).toHaveProperty('vips');
  expect(children).toHaveLength(2);
});

it('kills one that takes too long', async () => {
  const { decoders } = connect((child) => {
    if (process.platform !== 'win32') process.kill(child.pid as number, 'SIGSTOP');
  });
  await expect(decoders.run('versions', {}, 0.001)).rejects.toBeInstanceOf(ImageTooLargeError);
});

it.runIf(process.platform === 'linux')('ends one that hangs when the app is killed', () =>
  expectToEndWithParent(
    `import { hostDecoders } from ${fileOf('main/service/decoder-host.ts')};
     import { utilityProcess } from ${fileOf('test/desktop/double/processes/utility-process.ts')};
     let child;
     const fork = (...options) => (child = utilityProcess.fork(...options));
     const entry = ${hangingUtility('server/platform/imaging/decoder/program.ts', 'hang')};
     const message = { kind: 'versions', options: {}, size: 0, piece: new Uint8Array() };
     const host = hostDecoders({ fork, entry, follow: () => undefined }, () => {
       child.postMessage({ ...message, type: 'hang' });
       process.send(child.pid);
     });
     host.receive({ type: 'start-decoder', decoder: 1 });
     host.receive({ type: 'decode', decoder: 1, message });`,
  ),
);

it.each(['end', 'kill-decoder'])('kills one that is still starting: %s', async (way) => {
  const { children, host } = connect((child) => {
    // Electron knows the process only once it has started.
    const pid = child.pid;
    let isStarted = false;
    child.once('spawn', () => {
      isStarted = true;
    });
    Object.defineProperty(child, 'pid', { get: () => (isStarted ? pid : undefined) });
    child.kill = () => false;
  });
  host.receive({ type: 'start-decoder', decoder: 1 });
  const ended = new Promise((resolve) => children[0]?.once('exit', resolve));
  if (way === 'end') host.end();
  else host.receive({ type: way, decoder: 1 });
  await ended;
});

it('leaves other messages to their receivers', () => {
  const { host, relay } = connect();
  expect(host.receive({ type: 'ready', url: 'http://127.0.0.1:1', linkAddress: '' })).toBe(false);
  expect(relay.receive({ type: 'stop' })).toBe(false);
});
