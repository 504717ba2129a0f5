import type { RequestHandler } from 'express';

/** Obsidian's pages; its plug-ins ask from there. */
const OBSIDIAN = 'app://obsidian.md';

/**
 * Lets programs of this computer in, and no web page: a page could have the app read any file of the person who looks at it. Browsers name the
 * page's origin with every POST; programs that are no browsers name none. Foreign host names are DNS rebinding.
 */
export const gate: RequestHandler = (request, response, next) => {
  const { origin, host = '' } = request.headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return void refuse(response, 'Use the address 127.0.0.1.');
  if (origin === undefined) return next();
  if (origin !== OBSIDIAN) return void refuse(response, 'Web pages can’t upload files from this computer.');
  response.setHeader('access-control-allow-origin', OBSIDIAN);
  response.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return next();
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type');
  // Chromium asks for this before it lets a page reach this computer.
  response.setHeader('access-control-allow-private-network', 'true');
  response.status(204).end();
};

function refuse(response: Parameters<RequestHandler>[1], message: string) {
  response.status(403).json({ success: false, message });
}
