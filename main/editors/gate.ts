import type { RequestHandler } from 'express';

/** The origin of Obsidian's pages and plug-ins. */
const OBSIDIAN = 'app://obsidian.md';

/**
 * Admits programs on this computer and rejects web pages, which could make the app read any local file. Browsers send the
 * page's origin with every POST; other programs send none. Foreign host names mean DNS rebinding.
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
  // Chromium requires this before a page may reach this computer.
  response.setHeader('access-control-allow-private-network', 'true');
  response.status(204).end();
};

function refuse(response: Parameters<RequestHandler>[1], message: string) {
  response.status(403).json({ success: false, message });
}
