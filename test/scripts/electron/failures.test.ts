import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '#test/helpers/network/certificate.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { install, isInstalled, leavePart, send, setUp, sizeOf } from './installing.ts';

/** A proxy as in a company's network, which connects its clients to other servers. */
interface ForwardProxy extends AsyncDisposable {
  url: string;
  /** The servers that clients asked for, as host:port. */
  targets: string[];
}

/** Starts one. `status` is its response to every client: 200 connects, others refuse, and 0 never responds. */
async function startForwardProxy(status = 200): Promise<ForwardProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer().on('connect', (request, client: Socket) => {
    targets.push(request.url ?? '');
    sockets.add(client);
    if (status === 0) return;
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => client.write('HTTP/1.1 200 Connected\r\n\r\n'));
    sockets.add(onward);
    const end = () => [client, onward].forEach((socket) => void socket.destroy());
    for (const socket of [client, onward]) socket.on('error', end).on('close', end);
    client.pipe(onward).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The lines that a terminal of 80 columns would break. Addresses can't be shorter. */
const longLines = (failure: string) => failure.split('\n').filter((line) => line.length > 80 && !/^ {2}https?:/.test(line));

/** Its name can't be resolved: a proxy would, or an earlier step fails. */
const MIRROR = 'http://mirror.example.org';

const { explainFailure, UnpackingError } = (await import('../../../scripts/electron/failures.mjs' as string)) as {
  explainFailure(error: Error, context: { url: string; received: number; version: string }): string;
  UnpackingError: new (output: string) => Error;
};

describe('a failure of the system', () => {
  const url = 'https://github.com/electron/electron/releases/download/v45.4.1/electron-v45.4.1-linux-x64.zip';
  const explain = (error: Error) => explainFailure(error, { url, received: 0, version: '45.4.1' });
  const fetchError = (details: object) => new TypeError('fetch failed', { cause: Object.assign(new Error('a reason'), details) });

  it.each([
    [{ code: 'ENOTFOUND', hostname: 'github.com' }, "github.com can't be found. Are you online?"],
    [{ code: 'EAI_AGAIN', hostname: 'github.com' }, "github.com can't be found. Are you online?"],
    [{ code: 'ENETUNREACH' }, "there's no route to github.com. Are you online?"],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, "github.com didn't respond."],
    [{ code: 'ECONNREFUSED' }, 'github.com refused the connection.'],
    [{ code: 'EACCES', syscall: 'connect' }, 'a reason'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'the secure connection to github.com failed.\nReason: ERR_SSL_WRONG_VERSION_NUMBER'],
  ])('%o is explained', (details, reason) => {
    const text = explain(fetchError(details));
    expect(text).toContain(`Electron couldn't be installed: ${reason}\n  ${url}\n`);
    expect(text).toContain('  HTTPS_PROXY  ');
    expect(longLines(text)).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')('while unpacking is explained from the installer’s output', () => {
    const output = "Error: failed to write '/n/electron/dist/electron': No space left on device (os error 28)\n    at file:///n/index.js:1";
    expect(explain(new UnpackingError(output))).toBe("Electron couldn't be installed: the disk is full:\n  /n/electron/dist/electron");
  });
});

describe('a response that isn’t Electron', () => {
  it('is recognised as a web page, and keeps what has arrived', async () => {
    const computer = await setUp();
    leavePart(computer);
    await using portal = await startWebServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Welcome to the hotel</h1>'),
    );
    const { failure } = await install(computer, portal.url);
    expect(failure).toContain('sent a web page instead.');
    expect(failure).toContain('The next start continues the download at 15 KB.');
    expect(sizeOf(computer.partial)).toBe(15_360);
    expect(longLines(failure)).toEqual([]);
  });

  it('is recognised as another file', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Nothing to see here'),
    );
    expect((await install(computer, mirror.url)).failure).toContain('sent something else (text/plain).');
    expect(sizeOf(computer.partial)).toBe(0);
  });

  it('is explained by its status', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>'));
    expect((await install(computer, mirror.url)).failure).toMatch(/127\.0\.0\.1:\d+ responded with 404 Not Found\.\n/);
  });

  it('is recognised by its checksum, and isn’t kept', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((_request, response) => response.end(Buffer.alloc(40_000, 'PK')));
    const { failure } = await install(computer, mirror.url);
    expect(failure).toMatch(/the file's checksum is wrong\.\n/);
    expect(isInstalled(computer)).toBe(false);
    expect(readdirSync(computer.cache)).toEqual([]);
    expect(mirror.requests).toHaveLength(1);
  });
});

describe('a computer', () => {
  it.runIf(process.platform === 'linux')('whose disk is full gets no advice about its network', async () => {
    const computer = await setUp();
    mkdirSync(computer.cache);
    symlinkSync('/dev/full', computer.partial);
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    const { failure } = await install(computer, mirror.url);
    expect(failure).toMatch(/the disk is full\.\n/);
    expect(failure).toContain('electron_config_cache');
    expect(failure).not.toContain('PROXY');
  });

  it.runIf(process.platform === 'linux')('whose cache can’t be written learns which folder that is', async () => {
    const computer = await setUp();
    const { failure } = await install({ ...computer, cache: '/sys/pixdock' }, MIRROR);
    expect(failure).toContain('you have no permission to write\n  /sys/pixdock\n');
  });

  it('on which the archive can’t be unpacked learns why', async () => {
    const computer = await setUp();
    writeFileSync(join(computer.electron.folder, 'dist'), 'a file in the way');
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    expect((await install(computer, mirror.url)).failure).toContain(join(computer.electron.folder, 'dist'));
  });

  it('for which there is no Electron requests nothing', async () => {
    const computer = await setUp();
    writeFileSync(join(computer.electron.folder, 'checksums.json'), '{}');
    await using mirror = await startWebServer(() => undefined);
    const { failure } = await install(computer, mirror.url);
    expect(failure).toBe(`Electron couldn't be installed: Electron 45.0.0 doesn't exist for ${process.platform}-${process.arch}.`);
    expect(mirror.requests).toEqual([]);
  });

  it('on which the mirror isn’t an address learns that', async () => {
    const { failure } = await install(await setUp(), 'mirror.example.org');
    expect(failure).toContain(`"mirror.example.org/v45.0.0/`);
    expect(failure).toContain('start with http:// or https://');
  });
});

describe('a secure connection', () => {
  it('that isn’t trusted is explained, and works with the authority’s certificate', async () => {
    const computer = await setUp();
    const certificate = selfSigned();
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response), { certificate });
    const { failure } = await install(computer, mirror.url);
    expect(failure).toMatch(/the secure connection to 127\.0\.0\.1:\d+ failed\.\nReason: DEPTH_ZERO_SELF_SIGNED_CERT\n/);
    expect(failure).toContain('NODE_EXTRA_CA_CERTS');
    expect(longLines(failure)).toEqual([]);
    const authority = join(computer.home, 'authority.pem');
    writeFileSync(authority, certificate.cert);
    expect((await install(computer, mirror.url, { env: { NODE_EXTRA_CA_CERTS: authority } })).failure).toBe('');
  });
});

describe('a proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy', 'npm_config_proxy'])('in %s is used', async (variable) => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    await using proxy = await startForwardProxy();
    const { failure } = await install(computer, mirror.url, { env: { [variable]: proxy.url } });
    expect(failure).toBe('');
    expect(proxy.targets).toEqual([new URL(mirror.url).host]);
  });

  it('whose address doesn’t start with http:// is used', async () => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    await using proxy = await startForwardProxy();
    await install(computer, mirror.url, { env: { HTTP_PROXY: new URL(proxy.url).host } });
    expect(proxy.targets).toEqual([new URL(mirror.url).host]);
  });

  it.each(['NO_PROXY', 'npm_config_noproxy'])('isn’t used for the hosts in %s', async (variable) => {
    const computer = await setUp();
    await using mirror = await startWebServer((request, response) => send(computer.electron.archive, request, response));
    await using proxy = await startForwardProxy();
    const { failure } = await install(computer, mirror.url, { env: { HTTP_PROXY: proxy.url, [variable]: '127.0.0.1' } });
    expect(failure).toBe('');
    expect(proxy.targets).toEqual([]);
  });

  it('that wants a password is explained, without printing passwords', async () => {
    await using proxy = await startForwardProxy(407);
    const { failure } = await install(await setUp(), MIRROR, {
      env: { HTTP_PROXY: proxy.url.replace('//', '//ada:secret@') },
    });
    expect(failure).toContain('the proxy requires a password.\n');
    expect(failure).toContain(`(now ${proxy.url})`);
    expect(failure).not.toContain('secret');
  });

  it('that can’t reach the server is explained', async () => {
    await using proxy = await startForwardProxy(502);
    const { failure } = await install(await setUp(), MIRROR, { env: { HTTP_PROXY: proxy.url } });
    expect(failure).toContain("the proxy didn't connect to mirror.example.org (status 502).");
  });

  it('that says nothing doesn’t hold up the start', async () => {
    await using proxy = await startForwardProxy(0);
    const { failure } = await install(await setUp(), MIRROR, { env: { HTTP_PROXY: proxy.url }, stallMs: 1_000 });
    expect(failure).toContain('no data came from mirror.example.org for 1 s.');
  });

  it('whose address can’t be used is explained', async () => {
    const { failure } = await install(await setUp(), MIRROR, { env: { HTTP_PROXY: 'socks5h://127.0.0.1:1080' } });
    expect(failure).toContain("the proxy's address must start with http:// or https://.");
  });
});
