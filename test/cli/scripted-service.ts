import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorDetails } from '#api/errors.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';

interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export type Reply = (response: ServerResponse, request: SeenRequest) => void;

/**
 * A service on loopback that responds to each request with the next reply of a script, and repeats the last one.
 * It stands in for misbehaving servers and proxies; everything else is tested with the real service.
 */
export async function startScriptedService(script: Reply[]) {
  const seen: SeenRequest[] = [];
  const server = await startWebServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch (error) {
      if (request.complete) throw error;
      return; // The client has left while it was sending.
    }
    const noted = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
    seen.push(noted);
    script[Math.min(seen.length, script.length) - 1]?.(response, noted);
  });
  return { ...server, seen };
}

/** The envelope of a success. */
export const accept =
  (data: unknown = uploadedImage()): Reply =>
  (response) =>
    sendJson(response, 200, { status: true, message: 'ok', data });

/** The envelope of a rejection. */
export const refuse =
  (status: number, message: string, details: ErrorDetails, headers: Record<string, string> = {}): Reply =>
  (response) =>
    sendJson(response, status, { status: false, message, data: details }, headers);

/** A response that isn't Pixdock's. */
export const html =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Bad Gateway</h1>');

/** Resets the connection without a response. */
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy();
};

/** Replies to the first request of each connection, and closes a connection that is used again without sending a byte. */
export function closeReused(reply: Reply): Reply {
  const used = new WeakSet<object>();
  return (response, request) => {
    const { socket } = response;
    if (!socket || used.has(socket)) return void socket?.destroy();
    used.add(socket);
    reply(response, request);
  };
}

/** Never responds. */
export const silence: Reply = () => undefined;

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function uploadedImage(key = 'b7Rk2mQx9LpT', origin = 'https://pics.example.org'): Uploaded {
  const url = `${origin}/i/${key}.jpg`;
  const now = '2026-11-21T00:00:00.000Z';
  const links = {
    url,
    markdown: `![cat](${url})`,
    html: `<img src="${url}" alt="cat">`,
    bbcode: `[img]${url}[/img]`,
    thumbnail_url: `${origin}/t/${key}.jpg`,
    share_url: `${origin}/s/${key}`,
  };
  return {
    key,
    slug: null,
    name: 'cat.jpg',
    title: '',
    caption: '',
    alt: '',
    ext: 'jpg',
    mime: 'image/jpeg',
    size: 3,
    width: 1,
    height: 1,
    kind: 'picture',
    duration: null,
    has_audio: false,
    has_poster: false,
    sha256: '0'.repeat(64),
    visibility: 'public',
    album_id: null,
    albums: [],
    expires_at: null,
    max_views: 0,
    views: 0,
    views_left: null,
    has_password: false,
    favourite: false,
    tags: [],
    taken_at: now,
    created_at: now,
    deleted_at: null,
    thumbhash: null,
    animated: false,
    replaced_at: null,
    version_of: null,
    links,
    reused: false,
  };
}
