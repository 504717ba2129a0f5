import { open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '#test/cli/run-cli.ts';
import { accept, refuse, startScriptedService } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const MEGABYTE = 1024 * 1024;

/** A service that only counts the bytes it receives, or rejects uploads before reading any. */
async function startCounter(rejectsEarly = false) {
  let received = 0;
  const server = createServer((request, response) => {
    const noted = { method: 'POST', path: '', headers: request.headers, body: Buffer.alloc(0) };
    const tooLarge = refuse(413, 'The file is larger than 10 MB.', { code: 'file_too_large' });
    if (rejectsEarly) tooLarge(response, noted);
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    if (!rejectsEarly) request.on('end', () => accept()(response, noted));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received };
}

async function sparseFile(path: string, size: number) {
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
}

describe('pixdock upload of large files', () => {
  it('stops sending if the server rejects the upload early, and reports why', async () => {
    const home = temporaryFolder();
    await sparseFile(join(home, 'large.tiff'), 200 * MEGABYTE);
    const service = await startCounter(true);
    const { stdout, stderr, code } = await runCli(home, ['upload', 'large.tiff', '--base-url', service.url]);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: 'pixdock: large.tiff: The file is larger than 10 MB.\n', code: 1 });
    expect(service.received()).toBeLessThan(200 * MEGABYTE);
  });

  it('ends with a sentence once its output can’t be written: nobody would learn the links', async () => {
    let fillDisk: () => unknown = () => undefined;
    await using service = await startScriptedService([() => fillDisk()]);
    const home = temporaryFolder();
    await writeFile(join(home, 'cat.jpg'), 'cat');
    const { stderr, code } = await runCli(home, ['upload', 'cat.jpg', '--base-url', service.url], {
      onStart: ({ stdout }) => {
        fillDisk = () => stdout.destroy(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
      },
    });
    expect({ stderr, code }).toEqual({ stderr: 'pixdock: Can’t write the output: no space left on the disk\n', code: 1 });
  });

  it.runIf(process.platform !== 'win32')('reports a special file that can’t be opened, also where nothing can be stored', async () => {
    const home = temporaryFolder();
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(home, 'socket'), resolve));
    onTestFinished(() => void socket.close());
    const upload = (env: Record<string, string>) => runCli(home, ['upload', 'socket', '--base-url', 'http://127.0.0.1:9'], { env });
    expect(await upload({ TMPDIR: join(home, 'missing') })).toEqual({ stdout: '', stderr: 'pixdock: socket: no such file\n', code: 1 });
    expect(await upload({})).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^pixdock: socket: ENXIO.*\n$/), code: 1 });
  });

  it("reports a file that changes while it is sent, and doesn't send it again", async () => {
    const home = temporaryFolder();
    const path = join(home, 'growing.jpg');
    await sparseFile(path, 100 * MEGABYTE);
    let requests = 0;
    const server = createServer((request, response) => {
      requests++;
      // After the first bytes have arrived, and before the last ones.
      request.once('data', async () => {
        request.pause();
        await writeFile(path, 'short');
        request.resume();
      });
      request.on('end', () => accept()(response, { method: '', path: '', headers: {}, body: Buffer.alloc(0) }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout, stderr, code } = await runCli(home, ['upload', 'growing.jpg', '--base-url', url]);
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: 'pixdock: growing.jpg: changed while it was being uploaded\n',
      code: 1,
    });
    expect(requests).toBe(1);
  });
});
