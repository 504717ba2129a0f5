import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { freePort } from '#test/helpers/network/free-port.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import type { ProgramOptions } from '#test/helpers/programs/programs.ts';
import { breakAt, install, isInstalled, leavePart, rangesOf, send, setUp, sizeOf, VARIABLES } from './installing.ts';

describe('over a connection that', () => {
  it('is slow, installs Electron however long that takes', async () => {
    const computer = await setUp(300_000);
    const { archive } = computer.electron;
    await using mirror = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-length': archive.length });
      let sent = 0;
      // 100 KB/s: three seconds, twice as long as the connection may stand still.
      const ticks = setInterval(() => {
        response.write(archive.subarray(sent, sent + 10_000));
        sent += 10_000;
        if (sent < archive.length) return;
        clearInterval(ticks);
        response.end();
      }, 100);
    });
    const { failure, shown } = await install(computer, mirror.url, { stallMs: 1_500 });
    expect(failure).toBe('');
    expect(isInstalled(computer)).toBe(true);
    expect(shown).toMatch(/^293 KB of 293 KB · \d+ KB\/s$/m);
    expect(rangesOf(mirror)).toEqual([undefined]);
  });

  it('never responds, stops waiting', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer(() => undefined);
    const { failure } = await install(computer, mirror.url, { stallMs: 1_000 });
    expect(failure).toContain(
      `no data came from ${new URL(mirror.url).host} for 1 s.\n  ${mirror.url}/v45.0.0/${computer.electron.name}\n`,
    );
    for (const variable of VARIABLES) expect(failure).toContain(variable);
  });

  it('stalls, tries the rest once more and keeps what has arrived', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) => {
      if (!request.headers.range) send(computer.electron.archive, request, response, 15_360);
    });
    const { failure, shown } = await install(computer, mirror.url, { stallMs: 1_000 });
    expect(rangesOf(mirror)).toEqual([undefined, 'bytes=15360-']);
    expect(shown).toContain('The connection was interrupted. Continuing at 15 KB.');
    expect(failure).toMatch(/no data came from [\s\S]*The next start continues the download at 15 KB\./);
    expect(sizeOf(computer.partial)).toBe(15_360);
  });

  it('is refused, names what refused it', async () => {
    const computer = await setUp();
    const port = await freePort();
    const { failure } = await install(computer, `http://127.0.0.1:${port}`);
    expect(failure).toContain(`Electron couldn't be installed: 127.0.0.1:${port} refused the connection.\n`);
    for (const variable of VARIABLES) expect(failure).toContain(variable);
  });

  it('breaks again and again, continues where it broke', async () => {
    const computer = await setUp();
    let end = 0;
    await using mirror = await startWebServer((request, response) => {
      end += 10_000;
      send(computer.electron.archive, request, response, end);
      if (end < computer.electron.archive.length) void breakAt(end, computer, response);
    });
    const { failure } = await install(computer, mirror.url);
    expect(failure).toBe('');
    expect(isInstalled(computer)).toBe(true);
    expect(rangesOf(mirror)).toEqual([undefined, 'bytes=10000-', 'bytes=20000-', 'bytes=30000-', 'bytes=40000-']);
  });

  it('always breaks at the same place, gives up and keeps what has arrived', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) => {
      delete request.headers.range;
      send(computer.electron.archive, request, response, 15_360);
      void breakAt(15_360, computer, response);
    });
    const { failure } = await install(computer, mirror.url);
    expect(mirror.requests).toHaveLength(2);
    expect(failure).toMatch(/the connection to \S+ was lost\.[\s\S]*continues the download at 15 KB/);
  });
});

describe('after an interrupted start', () => {
  it('asks for the rest, even of a program that was killed', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) =>
      send(computer.electron.archive, request, response, request.headers.range ? undefined : 15_360),
    );
    const onStart: ProgramOptions['onStart'] = (child) =>
      void vi.waitUntil(() => sizeOf(computer.partial) === 15_360, { timeout: 20_000 }).then(() => child.kill('SIGKILL'));
    await install(computer, mirror.url, { onStart });
    const { failure, shown } = await install(computer, mirror.url);
    expect(failure).toBe('');
    expect(isInstalled(computer)).toBe(true);
    expect(rangesOf(mirror)).toEqual([undefined, 'bytes=15360-']);
    expect(shown).toContain('15 KB of 39 KB');
  });

  it('continues from another mirror', async () => {
    const computer = await setUp();
    await using broken = await startWebServer((request, response) => {
      send(computer.electron.archive, request, response, 15_360);
      void breakAt(15_360, computer, response);
    });
    await install(computer, broken.url);
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    expect((await install(computer, mirror.url)).failure).toBe('');
    expect(rangesOf(mirror)).toEqual(['bytes=15360-']);
  });

  it('takes the whole file from a server that ignores the range', async () => {
    const computer = await setUp();
    leavePart(computer);
    await using mirror = await startWebServer((_request, response) => response.end(computer.electron.archive));
    expect((await install(computer, mirror.url)).failure).toBe('');
    expect(isInstalled(computer)).toBe(true);
    expect(rangesOf(mirror)).toEqual(['bytes=15360-']);
  });

  it('starts again when the part is from another file', async () => {
    const computer = await setUp();
    leavePart(computer, Buffer.alloc(15_360, 'PK another'));
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    const { failure, shown } = await install(computer, mirror.url);
    expect(failure).toBe('');
    expect(shown).toContain('The parts of the download are from different files. Starting again from the beginning.');
    expect(rangesOf(mirror)).toEqual(['bytes=15360-', undefined]);
    expect(isInstalled(computer)).toBe(true);
  });

  it.each([
    { what: 'everything has arrived', extra: 0, ranges: 1 },
    { what: 'the part is longer than the file', extra: 100, ranges: 2 },
  ])('installs Electron when $what', async ({ extra, ranges }) => {
    const computer = await setUp();
    leavePart(computer, Buffer.concat([computer.electron.archive, Buffer.alloc(extra)]));
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    expect((await install(computer, mirror.url)).failure).toBe('');
    expect(mirror.requests).toHaveLength(ranges);
    expect(isInstalled(computer)).toBe(true);
  });

  it('downloads nothing that is in the cache', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    await install(computer, mirror.url);
    rmSync(join(computer.electron.folder, 'path.txt'));
    const { failure, shown } = await install(computer, mirror.url);
    expect(failure).toBe('');
    expect(shown).toBe('Unpacking Electron…\n');
    expect(isInstalled(computer)).toBe(true);
    expect(mirror.requests).toHaveLength(1);
  });

  it('lets two starts at once finish', async () => {
    const computer = await setUp();
    const { archive } = computer.electron;
    const held: ServerResponse[] = [];
    await using mirror = await startWebServer((request, response) => {
      held.push(response);
      send(archive, request, response, held.length * 10_000);
    });
    const first = install(computer, mirror.url);
    await vi.waitUntil(() => sizeOf(computer.partial) === 10_000, { timeout: 20_000 });
    const second = install(computer, mirror.url);
    await vi.waitUntil(() => sizeOf(computer.partial) === 20_000, { timeout: 20_000 });
    held[0]?.end(archive.subarray(10_000));
    expect((await first).failure).toBe('');
    held[1]?.end(archive.subarray(20_000));
    expect((await second).failure).toBe('');
    expect(rangesOf(mirror)).toEqual([undefined, 'bytes=10000-']);
  });
});
