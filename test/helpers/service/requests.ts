import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { createAlbum } from '#api/albums/albums.ts';
import type { RouteInput } from '#api/contract.ts';
import { createRequest, type RequestLink } from '#api/sharing/requests.ts';
import type { SignedIn } from './service.ts';

/** A new album of a user with a request link. */
export async function askForPictures(user: SignedIn, body: Partial<RouteInput<typeof createRequest>['body']> = {}): Promise<RequestLink> {
  const { id } = await user.client.call(createAlbum, { body: { name: 'Secret album' } });
  return user.client.call(createRequest, { params: { id }, body: { title: 'Party', show: 'none', ...body } });
}

export interface Reply {
  status: number;
  message: string;
  data: Record<string, unknown>;
}

interface Sending {
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  name?: string;
  /** The address that the connection comes from. */
  localAddress?: string;
  /** Called while the body is arriving. */
  meanwhile?: () => Promise<unknown>;
  /** The connection ends before the response is read, or even before it arrives; the reply is then undefined. */
  lose?: 'response' | 'connection';
}

/** Sends a picture through a request link, as `POST /r/{id}/upload`. */
export async function sendThrough(url: string, id: string, bytes: Uint8Array, sending: Sending = {}): Promise<Reply> {
  const reply = await trySending(url, id, bytes, sending);
  if (!reply) throw new Error('the response was lost');
  return reply;
}

/** The same, where the response may be lost on purpose. */
export const trySending = (url: string, id: string, bytes: Uint8Array, sending: Sending): Promise<Reply | undefined> =>
  postForm(`${url}/api/v1/r/${id}/upload`, bytes, sending);

/** Uploads a picture to an address. */
export async function postForm(address: string, bytes: Uint8Array, sending: Sending): Promise<Reply | undefined> {
  const { fields = {}, headers = {}, name = 'photo.jpg', localAddress, meanwhile, lose } = sending;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get('content-type') ?? '';
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-type': type, 'content-length': body.length },
      ...(localAddress && { localAddress }),
    };
    const sent = request(address, options, (response) => {
      if (lose) return void sent.destroy();
      void json(response).then((received) => resolve({ ...(received as Reply), status: response.statusCode ?? 0 }), reject);
    });
    sent.on('error', lose ? () => undefined : reject);
    sent.on('close', () => lose && resolve(undefined));
    if (!meanwhile) return void sent.end(body, () => lose === 'connection' && sent.destroy());
    sent.write(body.subarray(0, 100), () => void meanwhile().then(() => sent.end(body.subarray(100)), reject));
  });
}
