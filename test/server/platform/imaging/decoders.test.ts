import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect, it, onTestFinished, vi } from 'vitest';
import { BusyError } from '#server/platform/base/errors.ts';
import type { DecoderProcess, Exit, LaunchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { decodeHere, launchDecoder } from '#server/platform/imaging/decoder/launch.ts';
import { PIECE_BYTES, type Reply } from '#server/platform/imaging/decoder/messages.ts';
import { createDecoders, type Death } from '#server/platform/imaging/decoders.ts';
import { DamagedImageError, ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS as limits } from '#server/platform/imaging/limits.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { childrenOf, isRunning } from '#test/helpers/programs/process-tree.ts';

const idle = { isWorn: false, memory: 80 };
const done = { result: 'hash', ...idle };

/** Processes that do with their nth job what is listed, and reply after that. */
function acting(...acts: (Reply | Exit | 'hang')[]) {
  const launched: number[] = [];
  const killed: number[] = [];
  const launch: LaunchDecoder = () => {
    const pid = launched.push(0);
    let reply: (reply: Reply) => void = () => undefined;
    let exit: (exit: Exit) => void = () => undefined;
    const child: DecoderProcess = {
      pid,
      send() {
        const act = acts.shift() ?? done;
        launched[pid - 1] = (launched[pid - 1] ?? 0) + 1;
        if (act === 'hang') return;
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
        exit({ code: null, signal: 'SIGKILL' });
      },
      hold: () => undefined,
    };
    return child;
  };
  const decoders = createDecoders(launch, { graceSeconds: 0 });
  return { launched, launch, killed, decoders, run: () => decoders.run('hashes', {}, 0.1) };
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
  await expect(first).rejects.toThrow(/too long/);
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
  await expect(lost).rejects.toThrow(/too long/);
  expect(decoders.memory()).toBe(80);
  const { run: runWorn, decoders: worn } = acting({ ...done, isWorn: true });
  await runWorn();
  expect(worn.memory()).toBe(0);
});

it('starts three processes at most, and makes others wait for one', async () => {
  const { run, launched } = acting('hang', 'hang', 'hang');
  const lost = [run(), run(), run()].map((job) => job.catch((error: Error) => error));
  expect(await run()).toBe('hash');
  expect(await Promise.all(lost)).toEqual(lost.map(() => expect.any(ImageTooLargeError)));
  expect(launched).toEqual([1, 1, 1, 1]);
});

it.each([
  ['a crash', ended('SIGSEGV'), DamagedImageError, /can’t be decoded/],
  ['a crash on Windows', ended(null, 0xc000_0005), DamagedImageError, /can’t be decoded/],
  ['a system that is out of memory', ended('SIGKILL'), BusyError, /busy/],
  ['a system that can’t start it', ended(null), BusyError, /busy/],
  ['a decoder that can’t load', ended(null, 1), Error, /ended with code 1/],
  ['a decoder that hangs', 'hang', ImageTooLargeError, /too long/],
] as const)('%s costs one picture', async (_name, act, error, message) => {
  const { run, decoders } = acting(act);
  const deaths: Death[] = [];
  decoders.watch((death) => deaths.push(death));
  const refused = run();
  await expect(refused).rejects.toBeInstanceOf(error);
  await expect(refused).rejects.toThrow(message);
  expect(deaths).toMatchObject([{ kind: 'hashes', pid: 1 }]);
  expect(await run()).toBe('hash');
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
    { graceSeconds: 0 },
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
    { graceSeconds: 0 },
  );
  const input = { path: '/missing', bytes: Buffer.alloc(20 * PIECE_BYTES) };
  await expect(decoders.run('header', { limits }, 5, { input })).rejects.toBeInstanceOf(ImageTooLargeError);
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
