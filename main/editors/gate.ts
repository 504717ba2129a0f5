import type { RequestHandler } from 'express';
import { isOwnUser } from './peer.ts';

/** The origin of Obsidian's pages and plug-ins. */
const OBSIDIAN = 'app://obsidian.md';

/**
 * Admits this user's programs, and rejects web pages and the programs of other users, which could make the app read any
 * file of this user. Browsers send the page's origin with every POST; other programs send none. Foreign host names mean DNS rebinding.
 */
export const gate: RequestHandler = async (request, response, next) => {
  const { origin, host = '', 'sec-fetch-site': site } = request.headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return void refuse(response, 'Use the address 127.0.0.1.');
  const fromPage = origin !== undefined || site === 'cross-site' || site === 'same-site';
  if (fromPage && origin !== OBSIDIAN) return void refuse(response, 'Web pages can’t upload files from this computer.');
  if (!(await isOwnUser(request.socket))) return void refuse(response, 'Programs run by other users of this computer can’t upload.');
  if (!fromPage) return next();
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
