// Stands in for a decoder that an exploit has taken over: evaluates what it is sent, and replies with the result or the error.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { sharp } from '#server/platform/imaging/decoder/sharp/sharp.ts';

/** Attempts, each with a path or a URL. */
const ATTEMPTS = {
  read: async (path: string) => readFileSync(path).length,
  list: async (path: string) => readdirSync(path).length,
  write: async (path: string) => writeFileSync(path, 'intruder'),
  start: async (path: string) => spawnSync(path).status,
  /** libvips reads the file, past Node's permissions. */
  readNatively: async (path: string) => (await sharp(path).metadata()).width,
  writeNatively: async (path: string) =>
    (
      await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
        .png()
        .toFile(path)
    ).size,
  connect: async (port: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  },
};

export type Attempt = { [K in keyof typeof ATTEMPTS]: [K, string] }[keyof typeof ATTEMPTS];

process.on('message', async ([what, target]: Attempt) => {
  const outcome = await ATTEMPTS[what](target).then(
    () => 'done',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  process.send?.(outcome);
});
