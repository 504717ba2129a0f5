import type { Request } from 'express';
import { readSettings } from '#server/core/settings/settings.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import type { Unlocking } from '#server/core/viewing/unlocking.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Caller, Database } from '#server/platform/db/database.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';
import { describeUse, requestClosed, requestLock, requireRequest, type UsableRequest } from './request-links.ts';

interface Parts {
  db: Database;
  settings: Pick<SettingsStore, 'current'>;
  unlocking: Pick<Unlocking, 'hasCookie'>;
}

/** A link as a request finds it. */
export type LinkVisit = { locked: true; link: RequestLinkRow } | ({ locked: false } & UsableRequest);

/**
 * The link at a public address, whatever its state.
 * @throws NotFoundError for an unknown or deleted one
 * @throws RequestError `request_closed` for one that has ended before it was unlocked: its password would open nothing
 */
export async function visitRequest(parts: Parts, id: string, request: Request): Promise<LinkVisit> {
  const link = await requireRequest(parts.db.read, id);
  const lock = requestLock(link);
  if (lock && !parts.unlocking.hasCookie(request, lock)) {
    if (link.expires_at <= Date.now()) throw requestClosed('ended');
    return { locked: true, link };
  }
  return { locked: false, ...(await describeUse(parts.db.read, parts.settings.current(), link, Date.now())) };
}

/** The same, once it is unlocked. @throws RequestError `password_required` */
export async function visitUnlocked(parts: Parts, id: string, request: Request): Promise<UsableRequest> {
  const visit = await visitRequest(parts, id, request);
  if (visit.locked) throw passwordRequired();
  return visit;
}

const passwordRequired = () => new RequestError('password_required', 'This link is password-protected. Enter its password first.');

/** @throws RequestError `request_closed` */
export function requireOpen({ closed }: Pick<UsableRequest, 'closed'>): void {
  if (closed) throw requestClosed(closed);
}

/**
 * Senders of a link that they have found usable, as the author of what they send: each unit checks that it still is, with the same password.
 */
export const senderOf = ({ link: { id, password_hash } }: Pick<UsableRequest, 'link'>): Caller => ({
  async confirm(queries) {
    const link = await requireRequest(queries, id);
    if (link.password_hash !== null && link.password_hash !== password_hash) throw passwordRequired();
    requireOpen(await describeUse(queries, await readSettings(queries), link, Date.now()));
  },
});
