// Ports of this machine: whether one is free, and a connection to one that may not listen yet.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 25;

/** Whether a program can listen on the port. */
export async function isFree(port, host) {
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false;
    throw error;
  } finally {
    server.close();
  }
}

/**
 * A connection to the service, which may be restarting.
 * @param isBroken whether waiting is pointless
 * @throws when it can't be reached within the limit
 */
export async function connectToService(port, limitMs, isBroken = () => false) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      socket.destroy();
      if (error.code !== 'ECONNREFUSED' || isBroken() || Date.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Waits until the service listens. */
export async function waitForService(port, limitMs, isBroken) {
  const socket = await connectToService(port, limitMs, isBroken);
  socket.destroy();
}
