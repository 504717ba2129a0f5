import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnUser } from './peer.ts';
import { sendJson } from './send-json.ts';

/** The origin of Obsidian's pages and plug-ins. */
const OBSIDIAN = 'app://obsidian.md';

/**
 * Admits this user's programs, and rejects web pages and the programs of other users, which could make the app read any
 * file of this user. Browsers send the page's origin with every POST; other programs send none. Foreign host names mean DNS rebinding.
 * Resolves to false once it has responded itself.
 */
export async function gate(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { origin, host = '', 'sec-fetch-site': site } = request.headers;
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return refuse(response, 'Use the address 127.0.0.1.');
  const fromPage = origin !== undefined || site === 'cross-site' || site === 'same-site';
  if (fromPage && origin !== OBSIDIAN) return refuse(response, 'Web pages can’t upload files from this computer.');
  if (!(await isOwnUser(request.socket))) return refuse(response, 'Programs run by other users of this computer can’t upload.');
  if (!fromPage) return true;
  response.setHeader('access-control-allow-origin', OBSIDIAN);
  response.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return true;
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type');
  // Chromium requires this before a page may reach this computer.
  response.setHeader('access-control-allow-private-network', 'true');
  response.writeHead(204).end();
  return false;
}

function refuse(response: ServerResponse, message: string) {
  sendJson(response, 403, { success: false, message });
  return false;
}
