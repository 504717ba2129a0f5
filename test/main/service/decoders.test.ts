import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UtilityProcess, utilityProcess } from 'electron';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostDecoders } from '#main/service/decoder-host.ts';
import { relayDecoders } from '#main/service/decoder-relay.ts';
import { PIECE_BYTES } from '#server/platform/imaging/decoder/messages.ts';
import { createDecoders, type Death, type Decoders } from '#server/platform/imaging/decoders.ts';
import { DamagedImageError, ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS as limits } from '#server/platform/imaging/limits.ts';
import { utilityProcess as double } from '#test/desktop/double/processes/utility-process.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { type Doom, DYING_DECODER, doomed, PHASES } from '#test/helpers/programs/doomed.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { expectToEndWithParent, fileOf, hangingUtility } from '#test/helpers/programs/killed-parent.ts';

const PROGRAM = join(import.meta.dirname, '../../../server/platform/imaging/decoder/program.ts');

/** Seconds of processor time that Electron reports for every process. */
const USED = 7;

/** A service's decoders in processes that main starts; messages are copied as between processes. */
function connect(onStart: (child: UtilityProcess) => void = () => undefined, dooms: Doom[] = [], entry = PROGRAM) {
  const children: UtilityProcess[] = [];
  const fork: typeof utilityProcess.fork = (...options) => {
    const child = double.fork(...options);
    children.push(child);
    onStart(child);
    return child;
  };
  const follow = () => undefined;
  const relay = relayDecoders((message) => expect(host.receive(structuredClone(message))).toBe(true));
  const cpuSecondsOf = (pid: number) => (children.some((child) => child.pid === pid) ? USED : undefined);
  const host = hostDecoders({ fork, cpuSecondsOf, entry, follow }, (message) => expect(relay.receive(structuredClone(message))).toBe(true));
  onTestFinished(() => host.end());
  const launch = () => {
    const decoder = relay.launch();
    const child = children.at(-1);
    return doomed(
      decoder,
      (signal) => whenStarted(child, (pid) => process.kill(pid, signal)),
      () => dooms.shift(),
    );
  };
  const decoders = createDecoders(launch, { patience: 1, graceSeconds: 0 });
  const deaths: Death[] = [];
  decoders.watch((death) => deaths.push(death));
  return { decoders, deaths, children, host, relay };
}

/** Electron knows a process only once it has started. */
function whenStarted(child: UtilityProcess | undefined, act: (pid: number) => void) {
  if (child?.pid !== undefined) act(child.pid);
  else child?.once('spawn', () => act(child.pid as number));
}

async function picture(padding = 0) {
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, Buffer.concat([await png(), Buffer.alloc(padding)]));
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

describe.skipIf(process.platform === 'win32')('one that ends', () => {
  const convert = (decoders: Decoders, input: string) =>
    decoders.run('convert', { options: { to: 'png', quality: 85 }, limits, animated: false, fast: false }, 60, {
      input,
      output: `${input}.out`,
    });

  it('in any phase has its job done by another', async () => {
    const dooms: Doom[] = [];
    const { decoders, deaths } = connect(undefined, dooms, DYING_DECODER);
    // In several messages.
    const input = await picture(PIECE_BYTES);
    for (const phase of PHASES) {
      dooms.push({ phase, fate: 'SIGSEGV' });
      expect(await convert(decoders, input), phase).toMatchObject({ width: 320, height: 200 });
      if (phase !== 'later') expect(deaths.splice(0), phase).toMatchObject([{ kind: 'convert', verdict: 'again' }]);
    }
  });

  it('twice has its picture refused for now, and the third time rejected', async () => {
    const dooms = new Array<Doom>(3).fill({ phase: 'computing', fate: 'SIGABRT' });
    const { decoders, deaths } = connect(undefined, dooms, DYING_DECODER);
    const input = await picture();
    await expect(convert(decoders, input)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(convert(decoders, input)).rejects.toBeInstanceOf(DamagedImageError);
    expect(deaths).toMatchObject(['again', 'later', 'never'].map((verdict) => ({ verdict })));
    expect(await convert(decoders, input)).toMatchObject({ width: 320 });
  });
});

it.skipIf(process.platform === 'win32')('kills one that takes too long, and asks Electron for its processor time', async () => {
  const { decoders, deaths, children } = connect((child) => whenStarted(child, (pid) => process.kill(pid, 'SIGSTOP')));
  await expect(decoders.run('versions', {}, 0.001)).rejects.toBeInstanceOf(ImageTooLargeError);
  await expect(decoders.run('versions', {}, USED + 0.001)).rejects.toMatchObject({ code: 'unavailable' });
  expect(deaths).toMatchObject([
    { cpuSeconds: USED, verdict: 'never' },
    { cpuSeconds: USED, verdict: 'later' },
  ]);
  expect(children).toHaveLength(2);
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
  const { children, host } = connect();
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
