// The service process of the desktop app under `npm run dev -- --desktop`: from its sources, restarted when they change, behind Vite.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

const DEBOUNCE_MS = 100;
const front = process.env.PIXDOCK_DEV_URL;
const utility = process.parentPort;

/** The app gets Vite's address, for its window and for links; the service behind it keeps its port and its quieter log. */
function patchMessages() {
  const outgoing = (message) => (message.type === 'ready' ? { ...message, url: front } : message);
  const incoming = ({ type, config }) => {
    if (type === 'start') Object.assign(config, { baseUrl: front, port: Number(process.env.PIXDOCK_PORT), logLevel: 'warn' });
  };
  if (utility) {
    const post = utility.postMessage.bind(utility);
    utility.postMessage = (message) => post(outgoing(message));
    utility.on('message', ({ data }) => incoming(data));
  } else {
    const send = process.send.bind(process);
    process.send = (message, ...rest) => send(outgoing(message), ...rest);
    process.on('message', incoming);
  }
}

/** The app starts the service again when it has announced a restart. */
function restart() {
  const message = { type: 'restarting' };
  if (utility) utility.postMessage(message);
  else process.send(message);
  process.emit('SIGTERM');
}

let timer;
function onChange(folder, file) {
  if (!file?.endsWith('.ts')) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    console.log(`Restarting the service: ${join(folder, file)} has changed`);
    restart();
  }, DEBOUNCE_MS);
}

patchMessages();
for (const folder of ['server', 'api', 'texts', 'transfer'])
  watch(join(root, folder), { recursive: true }, (_event, file) => onChange(folder, file));
await import('../../main/server-child.ts');
