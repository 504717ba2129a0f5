import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy as in a company's network, which connects its clients to other servers. */
export interface ForwardProxy extends AsyncDisposable {
  url: string;
  /** The servers that clients asked for, as host:port. */
  targets: string[];
}

/** Starts one. `status` is its response to every client: 200 connects, others refuse, and 0 never responds. */
export async function startForwardProxy(status = 200): Promise<ForwardProxy> {
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
