// Other servers of the same files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinned } from './load.ts';
import { freePort, hasProgram, type Server, type Workshop } from './programs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Express with its defaults and `res.sendFile`. */
export function startExpress(workshop: Workshop, files: string): Promise<Server> {
  const script = `const express = require('express');
const app = express();
app.get('/:name', (request, response) => response.sendFile(request.params.name, { root: ${JSON.stringify(files)} }));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  return workshop.start(pinned(0, process.execPath, ['-e', script]), { NODE_PATH: join(ROOT, 'node_modules'), NODE_ENV: 'production' });
}

/** Node's own server, which writes whole files from memory with the fewest headers, and 304s. Nothing on Node can be faster. */
export function startNode(workshop: Workshop, files: string): Promise<Server> {
  const script = `const { readFileSync } = require('node:fs');
const kept = new Map();
const server = require('node:http').createServer((request, response) => {
  let file = kept.get(request.url);
  if (!file) {
    const bytes = readFileSync(${JSON.stringify(files)} + request.url);
    file = { bytes, etag: '"' + bytes.length + '"' };
    kept.set(request.url, file);
  }
  if (request.headers['if-none-match'] === file.etag) return void response.writeHead(304, ['ETag', file.etag]).end();
  response.writeHead(200, ['Content-Type', 'image/png', 'ETag', file.etag, 'Content-Length', String(file.bytes.length)]).end(file.bytes);
});
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  return workshop.start(pinned(0, process.execPath, ['-e', script]));
}

/** multer with its defaults, which only writes each file into the folder. */
export function startMulter(workshop: Workshop, folder: string): Promise<Server> {
  const script = `const app = require('express')();
app.post('/', require('multer')({ dest: ${JSON.stringify(folder)} }).single('file'), (request, response) => response.json({ size: request.file.size }));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  return workshop.start(pinned(0, process.execPath, ['-e', script]), { NODE_PATH: join(ROOT, 'node_modules'), NODE_ENV: 'production' });
}

/** nginx with one process and `sendfile`, as its packages configure it but without a log; undefined if it isn't installed. */
export async function startNginx(workshop: Workshop, files: string): Promise<Server | undefined> {
  if (!hasProgram('nginx')) return undefined;
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = join(workshop.folder, 'nginx.conf');
  writeFileSync(config, nginxConfig(workshop.folder, new URL(url).host, files));
  // nginx prints nothing when it is ready, so the shell prints a line and then becomes nginx.
  const nginx = ['nginx', '-e', 'stderr', '-p', workshop.folder, '-c', config];
  const server = await workshop.start(pinned(0, 'sh', ['-c', `"$@" -q -t && echo ${url} && exec "$@"`, 'sh', ...nginx]));
  await responding(url);
  return server;
}

function nginxConfig(folder: string, address: string, files: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, `nginx-${name}`)};`,
  );
  return `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 256; }
http {
  types { image/png png; }
  access_log off;
  error_log stderr crit;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  ${temporary.join('\n  ')}
  server { listen ${address}; root ${files}; }
}
`;
}

async function responding(url: string): Promise<void> {
  for (const end = Date.now() + 5_000; Date.now() < end; await new Promise(setImmediate)) {
    if (await fetch(url).catch(() => undefined)) return;
  }
  throw new Error(`${url} doesn't respond`);
}
