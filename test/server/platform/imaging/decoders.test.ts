import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect, it, onTestFinished, vi } from 'vitest';
import { BusyError, RequestError } from '#server/platform/base/errors.ts';
import type { DecoderProcess, Exit, LaunchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { decodeHere, launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { PIECE_BYTES, type Reply, type Request } from '#server/platform/imaging/decoder/messages.ts';
import { createDecoders, type Death } from '#server/platform/imaging/decoders.ts';
import { DamagedImageError, ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS as limits } from '#server/platform/imaging/limits.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { childrenOf, isRunning } from '#test/helpers/programs/process-tree.ts';

const idle = { isWorn: false, memory: 80, cpuSeconds: 0 };
const done = { result: 'hash', ...idle };

/** Processes that do with their nth job what is listed, and reply after that. `spin`: they use a second of processor time until they are killed. */
function acting(...acts: (Reply | Exit | 'hang' | 'spin')[]) {
  const launched: number[] = [];
  const killed: number[] = [];
  const launch: LaunchDecoder = () => {
    const pid = launched.push(0);
    let reply: (reply: Reply) => void = () => undefined;
    let exit: (exit: Exit) => void = () => undefined;
    let cpuSeconds: number | undefined;
    const child: DecoderProcess = {
      pid,
      send() {
        const act = acts.shift() ?? done;
        launched[pid - 1] = (launched[pid - 1] ?? 0) + 1;
        if (act === 'spin') cpuSeconds = 1;
        if (act === 'hang' || act === 'spin') return;
        if ('signal' in act) exit(act);
        else reply(act);
      },
      onMessage(listener) {
        reply = listener;
      },
      onExit(listener) {
        exit = listener;
      },
      kill() {
        killed.push(pid);
        exit({ code: null, signal: 'SIGKILL', cpuSeconds });
      },
      hold: () => undefined,
    };
    return child;
  };
  const decoders = createDecoders(launch, { patience: 1, graceSeconds: 0 });
  return { launched, launch, killed, decoders, run: (input?: string) => decoders.run('hashes', {}, 0.1, input ? { input } : {}) };
}

/** A module of the folder, as a literal to import in another program. */
const moduleAt = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../../server/platform/imaging', path));

const ended = (signal: NodeJS.Signals | null, code: number | null = null) => ({ code, signal });

it('keeps a process for the next picture, until it is worn', async () => {
  const { run, launched } = acting(done, { ...done, isWorn: true });
  for (let i = 0; i < 3; i++) expect(await run()).toBe('hash');
  expect(launched).toEqual([2, 1]);
});

it('starts another process while the first is busy', async () => {
  const { run, launched } = acting('hang');
  const first = run();
  expect(await run()).toBe('hash');
  await expect(first).rejects.toThrow(/too busy/);
  expect(launched).toEqual([1, 1]);
});

it('ends every idle process after a minute where none should stay, and starts no more than the maximum', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { launched, launch, killed } = acting();
  const decoders = createDecoders(launch, { maxProcesses: 1, minIdle: 0 });
  await Promise.all([decoders.run('hashes', {}, 30), decoders.run('hashes', {}, 30)]);
  expect([launched, killed]).toEqual([[2], []]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(killed).toEqual([1]);
  await decoders.run('hashes', {}, 30);
  expect(launched).toEqual([2, 1]);
});

it('counts the memory of all processes', async () => {
  const { run, decoders } = acting('hang');
  const lost = run();
  await run();
  expect(decoders.memory()).toBe(80);
  await expect(lost).rejects.toThrow(/too busy/);
  expect(decoders.memory()).toBe(80);
  const { run: runWorn, decoders: worn } = acting({ ...done, isWorn: true });
  await runWorn();
  expect(worn.memory()).toBe(0);
});

it('starts three processes at most, and makes others wait for one', async () => {
  const { run, launched } = acting('hang', 'hang', 'hang');
  const lost = [run(), run(), run()].map((job) => job.catch((error: Error) => error));
  expect(await run()).toBe('hash');
  expect(await Promise.all(lost)).toEqual(lost.map(() => expect.any(RequestError)));
  expect(launched).toEqual([1, 1, 1, 1]);
});

const CRASHES = [
  ['a crash', ended('SIGSEGV')],
  ['a crash on Windows', ended(null, 0xc000_0005)],
  ['a signal that is reported as a code', ended(null, 15)],
  ['a system that is out of memory', ended('SIGKILL')],
] as const;

it.each(CRASHES)('%s costs nothing but another run', async (_name, act) => {
  const { run, launched, decoders } = acting(act);
  const deaths: Death[] = [];
  decoders.watch((death) => deaths.push(death));
  expect(await run()).toBe('hash');
  expect(launched).toEqual([1, 1]);
  expect(deaths).toMatchObject([{ kind: 'hashes', pid: 1, verdict: 'again' }]);
});

it.each(CRASHES)('%s twice in a row is no verdict, and the third time with the same bytes it is one', async (_name, act) => {
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, await png());
  const { run, decoders } = acting(act, act, act);
  const verdicts: string[] = [];
  decoders.watch(({ verdict }) => verdicts.push(verdict));
  await expect(run(input)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/Try again/) });
  const refused = run(input);
  await expect(refused).rejects.toBeInstanceOf(DamagedImageError);
  await expect(refused).rejects.toThrow(/can’t be decoded/);
  expect(verdicts).toEqual(['again', 'later', 'never']);
  expect(await run()).toBe('hash');
});

it('forgets deaths once the picture was decoded', async () => {
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, await png());
  const crash = ended('SIGSEGV');
  const { run } = acting(crash, crash, done, crash, done, crash, crash);
  await expect(run(input)).rejects.toMatchObject({ code: 'unavailable' });
  for (let i = 0; i < 2; i++) expect(await run(input)).toBe('hash');
  await expect(run(input)).rejects.toMatchObject({ code: 'unavailable' });
});

it('blames a picture for the deaths of decoders that had the same bytes only', async () => {
  const folder = temporaryFolder();
  const inputs = await Promise.all(
    [1, 2].map(async (seed) => {
      await writeFile(join(folder, String(seed)), await png({ seed }));
      return join(folder, String(seed));
    }),
  );
  const crash = ended('SIGSEGV');
  const { run } = acting(crash, crash, crash, crash);
  for (const input of inputs) await expect(run(input)).rejects.toMatchObject({ code: 'unavailable' });
});

it('runs a job once more in a new process, with nothing beside it', async () => {
  const events: string[] = [];
  const replies: (() => void)[] = [];
  let launched = 0;
  const decoders = createDecoders(() => {
    const pid = ++launched;
    let reply: (reply: Reply) => void;
    let exit: (exit: Exit) => void;
    return {
      pid,
      send(message) {
        const { name } = (message as Request).options as { name: string };
        events.push(`${pid} ${name}`);
        if (pid === 2) exit(ended('SIGSEGV'));
        else replies.push(() => reply(done));
      },
      onMessage(listener) {
        reply = listener;
      },
      onExit(listener) {
        exit = listener;
      },
      kill: () => events.push(`${pid} killed`),
      hold: () => undefined,
    };
  });
  const run = (name: string) => decoders.run('hashes', { name }, 30);
  const finish = () => replies.shift()?.();
  const died = new Promise<Death>((resolve) => decoders.watch(resolve));
  const jobs = [run('long'), run('dies')];
  await died;
  expect(events).toEqual(['1 long', '2 dies']);
  // The job that has died waits for the other one, and those that come now wait for both.
  jobs.push(run('new'));
  await setImmediate();
  expect(events).toHaveLength(2);
  finish();
  await expect.poll(() => events.slice(2)).toEqual(['1 killed', '3 dies']);
  await setImmediate();
  expect(events).toHaveLength(4);
  finish();
  await expect.poll(() => events.slice(4)).toEqual(['3 new']);
  finish();
  expect(await Promise.all(jobs)).toEqual(['hash', 'hash', 'hash']);
});

it.each([
  ['a system that can’t start it', [ended(null)], BusyError, /busy/, ['later']],
  ['a decoder that can’t load', [ended(null, 1), ended(null, 1)], Error, /can’t be loaded/, ['again', 'later']],
  ['a decoder that gets no processor', ['hang'], RequestError, /too busy/, ['later']],
  ['a decoder that takes too much processor time', ['spin'], ImageTooLargeError, /too long/, ['never']],
] as const)('%s costs one picture', async (_name, acts, error, message, verdicts) => {
  const { run, decoders } = acting(...acts);
  const deaths: Death[] = [];
  decoders.watch((death) => deaths.push(death));
  const refused = run();
  await expect(refused).rejects.toBeInstanceOf(error);
  await expect(refused).rejects.toThrow(message);
  expect(deaths).toMatchObject(verdicts.map((verdict) => ({ kind: 'hashes', verdict })));
  expect(await run()).toBe('hash');
});

it('counts the processor time of one job, not of those before it', async () => {
  const { run } = acting({ ...done, cpuSeconds: 0.95 }, 'spin');
  await run();
  await expect(run()).rejects.toMatchObject({ code: 'unavailable' });
});

it('rejects faults of a picture as such, and others with their code', async () => {
  const { run } = acting(
    { refused: { code: 'damaged_image', message: 'Damaged.', detail: 'rows' }, ...idle },
    { refused: { code: 'image_too_large', message: 'Large.', detail: '' }, ...idle },
    { fault: { message: 'no space', code: 'ENOSPC', syscall: 'write' }, ...idle },
  );
  await expect(run()).rejects.toSatisfy((error: Error) => error instanceof DamagedImageError && (error.cause as Error).message === 'rows');
  await expect(run()).rejects.toBeInstanceOf(ImageTooLargeError);
  await expect(run()).rejects.toMatchObject({ code: 'ENOSPC', syscall: 'write' });
});

it('never reuses a process that replied too late and was killed', async () => {
  let launched = 0;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const decoders = createDecoders(
    () => {
      const isLate = ++launched === 1;
      let reply: (reply: Reply) => void;
      return {
        pid: launched,
        send: () => isLate || reply(done),
        onMessage(listener) {
          reply = listener;
        },
        onExit: () => undefined,
        // The reply was on its way.
        kill() {
          resolve();
          reply(done);
        },
        hold: () => undefined,
      };
    },
    { patience: 1, graceSeconds: 0 },
  );
  const first = decoders.run('hashes', {}, 0.01);
  await late;
  expect(await first).toBe('hash');
  expect(await decoders.run('hashes', {}, 30)).toBe('hash');
  expect(launched).toBe(2);
});

it.runIf(process.platform === 'linux').each([
  ['ENOENT', '/missing'],
  ['ENAMETOOLONG', `/${'long'.repeat(2_000)}`],
])('turns pictures away while processes can’t start: %s', async (code, execPath) => {
  vi.spyOn(process, 'execPath', 'get').mockReturnValue(execPath);
  onTestFinished(() => void vi.restoreAllMocks());
  const decoders = createDecoders(() => {
    const child = launchDecoder({ name: 'permissions' });
    onTestFinished(() => child.kill());
    return child;
  });
  const deaths: Death[] = [];
  decoders.watch((death) => deaths.push(death));
  // More than there are places: those that wait are turned away, too.
  const jobs = await Promise.allSettled(Array.from({ length: 5 }, () => decoders.run('versions', {}, 30)));
  expect(jobs).toEqual(jobs.map(() => ({ status: 'rejected', reason: expect.any(BusyError) })));
  expect(deaths).toHaveLength(5);
  expect(deaths).toMatchObject(deaths.map(() => ({ err: { code } })));
  vi.restoreAllMocks();
  expect(await decoders.run('versions', {}, 30)).toHaveProperty('vips');
});

it.runIf(process.platform === 'linux')('turns pictures away when file descriptors run out', async () => {
  const program = join(temporaryFolder(), 'service.mjs');
  await writeFile(
    program,
    `import { openSync } from 'node:fs';
     import { launchDecoder } from ${moduleAt('decoder/launch.ts')};
     import { createDecoders } from ${moduleAt('decoders.ts')};
     const decoders = createDecoders(() => launchDecoder());
     decoders.watch(({ err }) => console.log(err.code));
     try { for (;;) openSync('/dev/null'); } catch (err) { if (err.code !== 'EMFILE') throw err; }
     console.log(await decoders.run('versions', {}, 30).catch(({ name }) => name));
     process.exit();`,
  );
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 100; exec "$0" "$1"', process.execPath, program]);
  expect(stdout).toBe('EMFILE\nBusyError\n');
});

it('decodes in its own process where it can start none', async () => {
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, await png());
  expect(await createDecoders(decodeHere).run('header', { limits }, 30, { input })).toMatchObject({ width: 320, height: 200 });
});

it.each([
  ['another process', () => launchDecoder()],
  ['its own', decodeHere],
])('passes pictures of any size to and from %s', async (_name, launch) => {
  const folder = temporaryFolder();
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const noise = {
    create: { width: 1_200, height: 900, channels: 3, background: 'black', noise: { type: 'gaussian', sigma: 90 } },
  } as const;
  await sharp(noise).png().toFile(input);
  const decoders = createDecoders(launch);
  const { size } = await decoders.run('convert', { options: { to: 'png', quality: 85 }, limits, animated: false, fast: false }, 30, {
    input,
    output,
  });
  expect(size).toBeGreaterThan(2 * PIECE_BYTES);
  expect(await sharp(output).raw().toBuffer()).toEqual(await sharp(input).raw().toBuffer());
  // The same, from memory.
  const bytes = await readFile(output);
  expect(await decoders.run('header', { limits }, 30, { input: { path: '/missing', bytes } })).toMatchObject({ width: 1_200, height: 900 });
});

it.runIf(process.platform === 'linux')('kills a process that stops reading a large picture', async () => {
  const decoders = createDecoders(
    () => {
      const child = launchDecoder({ name: 'permissions' });
      onTestFinished(() => child.kill());
      const pipe = (bytes: Uint8Array) => {
        process.kill(child.pid as number, 'SIGSTOP');
        return child.pipe?.(bytes) as Promise<void>;
      };
      return { ...child, pipe };
    },
    { patience: 1, graceSeconds: 0 },
  );
  const input = { path: '/missing', bytes: Buffer.alloc(20 * PIECE_BYTES) };
  await expect(decoders.run('header', { limits }, 5, { input })).rejects.toMatchObject({ code: 'unavailable' });
});

it('replaces a process whose picture can’t be written', async () => {
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, await png());
  let kills = 0;
  const decoders = createDecoders(() => {
    const child = decodeHere();
    return { ...child, kill: () => kills++ };
  });
  const convert = (output: string) =>
    decoders.run('convert', { options: { to: 'png', quality: 85 }, limits, animated: false, fast: false }, 30, { input, output });
  if (process.platform === 'linux') await expect(convert('/dev/full')).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(kills).toBe(process.platform === 'linux' ? 1 : 0);
  expect(await convert(`${input}.out`)).toMatchObject({ width: 320 });
});

it.runIf(process.platform === 'linux')('gives decoders no secrets, a neutral folder and few permissions', async () => {
  process.env.PIXDOCK_TEST_SECRET = 'secret';
  let pid = 0;
  const decoders = createDecoders(() => {
    const child = launchDecoder();
    pid = child.pid ?? 0;
    return child;
  });
  const input = join(temporaryFolder(), 'a.png');
  await writeFile(input, await png());
  expect(await decoders.run('header', { limits }, 30, { input })).toMatchObject({ width: 320, format: 'png' });
  delete process.env.PIXDOCK_TEST_SECRET;
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map((line) => line.replace(/=.*/s, ''));
  const allowed = /^(MALLOC_\w+|NODE_CHANNEL_\w+|NODE_COMPILE_CACHE|TMPDIR|)$/;
  expect(names.filter((name) => !allowed.test(name))).toEqual([]);
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  expect(args).toContain('--permission');
  expect(args.join(' ')).not.toMatch(/allow-(fs-write|child-process)|allow-fs-read=(\*|\/ )/);
  process.kill(pid, 'SIGKILL');
});

it.runIf(process.platform === 'linux')('ends decoders with a service that is killed, even one that hangs', async () => {
  const program = join(temporaryFolder(), 'service.mjs');
  await writeFile(
    program,
    `import { decoders } from ${moduleAt('decoders.ts')};
     process.send(await decoders.run('versions', {}, 30));
     setInterval(() => undefined, 1000);`,
  );
  const service = fork(program, { execArgv: [] });
  expect((await once(service, 'message'))[0]).toHaveProperty('vips');
  const [decoder] = childrenOf(service.pid as number);
  process.kill(decoder as number, 'SIGSTOP');
  service.kill('SIGKILL');
  await expect.poll(() => isRunning(decoder as number), { timeout: 20_000 }).toBe(false);
});

it('kills the process of a job that its caller ends, and blames neither the picture nor the process', async () => {
  const { decoders, killed, launched } = acting('hang');
  const deaths: Death[] = [];
  onTestFinished(decoders.watch((death) => deaths.push(death)));
  const stop = new AbortController();
  const job = decoders.run('hashes', {}, 100, { signal: stop.signal });
  await vi.waitFor(() => expect(launched).toEqual([1]));
  stop.abort(new Error('The service stops.'));
  await expect(job).rejects.toThrow('The service stops.');
  await expect(decoders.run('hashes', {}, 100, { signal: stop.signal })).rejects.toThrow('The service stops.');
  expect({ killed, deaths }).toEqual({ killed: [1], deaths: [] });
  // A process that was killed gets no other job.
  expect(await decoders.run('hashes', {}, 100)).toBe('hash');
  expect(launched.length).toBeGreaterThan(1);
});
