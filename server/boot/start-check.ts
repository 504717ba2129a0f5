import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_PREFIX } from '#api/constants.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { findOwner } from '#server/core/accounts/users.ts';
import { requireLinkAddress } from '#server/network/own-address.ts';
import { parseConfig } from '#server/platform/config/config.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { openContext } from './compose.ts';

/** What everyone sees, and what the owner's pages read: between them, every table whose contents the service interprets. */
const OPEN = ['/healthz', `${API_PREFIX}/config`];
const OWNERS = [
  '/user',
  '/user/limits',
  '/user/tokens',
  '/images',
  '/albums',
  '/trash',
  '/admin/settings',
  '/admin/users',
  '/admin/groups',
  '/admin/policies',
  '/admin/webhooks',
  '/admin/invites',
  '/admin/oidc',
  '/admin/images',
  '/admin/stats',
  '/admin/audit',
  '/admin/backup',
].map((path) => API_PREFIX + path);

/**
 * Checks that the service starts on a data folder: opens it as a start does, has the application respond to requests, and closes it: lock, secrets, migrations, settings,
 * policies and storage all have to work. No job runs, and it listens for itself only.
 * @throws Error with the reason, a sentence
 */
export async function checkStart(dataDir: string): Promise<void> {
  const config = parseConfig({ port: 0, dataDir, webRoot: dataDir, logLevel: 'silent' });
  const { context, close } = await openContext({ config, version: manifest.version, ownAddress: () => 'http://127.0.0.1' });
  const server = createServer(createApp(context));
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    requireLinkAddress(context.links.address());
    await requireResponses(server, OPEN);
    await asOwner(context.db.as('start'), (cookie) => requireResponses(server, OWNERS, { cookie }));
  } finally {
    server.closeAllConnections();
    server.close();
    await close();
  }
}

async function requireResponses(server: Server, paths: readonly string[], headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} responds with status ${response.status}.`);
  }
}

/** Runs `work` with a session of the owner that no client knows; a backup from before the setup has no owner. */
async function asOwner(db: WritableDatabase, work: (cookie: string) => Promise<void>) {
  const owner = await findOwner(db.read);
  if (!owner) return;
  const { secret } = await db.write((queries) => openSession(queries, owner.id, { address: '', userAgent: 'start check' }));
  try {
    await work(`${SESSION_COOKIE}=${secret}`);
  } finally {
    await db.write((queries) => queries.deleteFrom('sessions').where('user_agent', '=', 'start check').execute());
  }
}
