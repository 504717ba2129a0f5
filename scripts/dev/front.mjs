// Vite in front of the service: it serves the sources of the web application with hot reload, and passes all other requests on.
import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createServer } from 'vite';
import { root } from '../bootstrap.mjs';
import { connectToService } from './ports.mjs';

/** How long a request waits for a service that is restarting. */
const RESTART_LIMIT_MS = 10_000;
const renderer = join(root, 'renderer');
/** In every page of the web application and in the light pages, also in those with a preview for chats. */
const ENTRY = /src="\/(?:main|light\/\w+)\.tsx"/;

/**
 * Starts Vite on `port`, in front of the service on `servicePort`.
 * @param gallery a page to serve at /pages, whose frames show the others
 * @param isBroken whether the service has crashed and waits for a change
 */
export async function startFront({ port, servicePort, gallery, isBroken }) {
  const nonce = randomUUID();
  const vite = await createServer({
    configFile: join(root, 'vite.config.ts'),
    root: renderer,
    appType: 'custom',
    clearScreen: false,
    logLevel: 'warn',
    cacheDir: join(root, '.cache/vite'),
    html: { cspNonce: nonce },
    plugins: [forwarding({ servicePort, nonce, gallery, isBroken })],
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      cors: false,
      // node_modules may be a link to another folder.
      fs: { allow: [root, realpathSync(join(root, 'node_modules'))] },
    },
  });
  await vite.listen();
  return { warmUp: () => vite.warmupRequest('/main.tsx'), stop: () => vite.close() };
}

function forwarding({ servicePort, nonce, gallery, isBroken }) {
  return {
    name: 'pixdock-forwarding',
    configureServer(vite) {
      /** Adds hot reload to a page of the web application. Its Content-Security-Policy stays, with a nonce for Vite's inline script. */
      const withHotReload = async (page, url) => vite.transformIndexHtml('/index.html', page, url);
      vite.middlewares.use((request, response, next) => {
        if (gallery && request.url === '/pages') return response.setHeader('content-type', 'text/html; charset=utf-8').end(gallery);
        if (isOfVite(request)) return next();
        forward(request, response).catch((error) => {
          if (response.headersSent) return response.destroy();
          const crashed = isBroken()
            ? 'The service has crashed; its error is in the terminal.'
            : `The service does not respond (${error.message}).`;
          response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end(`${crashed}\n`);
        });
      });

      async function forward(request, response) {
        const upstream = await ask(request, response);
        const { statusCode, statusMessage, rawHeaders } = upstream;
        const headers = gallery ? framed(withoutConnection(rawHeaders)) : withoutConnection(rawHeaders);
        if (!/^text\/html/.test(upstream.headers['content-type'] ?? '') || request.method === 'HEAD') {
          response.writeHead(statusCode, statusMessage, headers);
          return pipeline(upstream, response);
        }
        const page = await textOf(upstream);
        if (!ENTRY.test(page)) return response.writeHead(statusCode, statusMessage, headers).end(page);
        const body = Buffer.from(await withHotReload(page, request.url));
        response.writeHead(statusCode, statusMessage, pageHeaders(headers, body.length, nonce)).end(body);
      }

      /** Sends the request on and resolves with the response's head. A connection that closes at a restart is tried again, once. */
      async function ask(request, response, retries = request.method === 'GET' ? 1 : 0) {
        const socket = await connectToService(servicePort, RESTART_LIMIT_MS, isBroken);
        const { method, url: path } = request;
        const headers = withoutEncodings(request.rawHeaders);
        const { promise, resolve, reject } = Promise.withResolvers();
        const outgoing = send({ createConnection: () => socket, method, path, headers });
        outgoing.once('response', resolve);
        outgoing.on('error', reject);
        response.once('close', () => outgoing.destroy());
        request.pipe(outgoing);
        return promise.catch((error) => {
          if (!retries || response.destroyed) throw error;
          return ask(request, response, retries - 1);
        });
      }
    },
  };
}

/** Vite serves its own paths and the files of the web application. The service decides about everything else, pages included. */
function isOfVite({ url, headers }) {
  if (headers.accept === 'text/x-vite-ping') return true;
  const { pathname } = new URL(url, 'http://localhost');
  if (/^\/(@|__|node_modules\/)/.test(pathname)) return true;
  if (/^\/\w+\.html$/.test(pathname)) return false;
  return [renderer, join(renderer, 'public')].some((folder) => isFile(join(folder, pathname)));
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Without the headers that hold only for the connection to the service. */
function withoutConnection(rawHeaders) {
  const kept = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(rawHeaders[at])) kept.push(rawHeaders[at], rawHeaders[at + 1]);
  return kept;
}

/** Lets the gallery show the page in a frame. */
function framed(headers) {
  const kept = headers.map((text) => text.replace(/frame-ancestors 'none'/, "frame-ancestors 'self'"));
  return kept.map((text, at) => (/^x-frame-options$/i.test(kept[at - 1] ?? '') ? 'SAMEORIGIN' : text));
}

/** Without the encodings that the browser accepts: pages are changed on the way back, which takes their text. */
function withoutEncodings(rawHeaders) {
  return rawHeaders.filter((_, at) => !/^accept-encoding$/i.test(rawHeaders[at - (at % 2)]));
}

function pageHeaders(headers, length, nonce) {
  const changed = [];
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [headers[at], headers[at + 1]];
    if (/^content-security-policy$/i.test(name))
      changed.push(name, value.replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`));
    else if (!/^(content-length|etag)$/i.test(name)) changed.push(name, value);
  }
  return [...changed, 'Content-Length', String(length)];
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
