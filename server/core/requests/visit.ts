import type { Request } from 'express';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import type { Unlocking } from '#server/core/viewing/unlocking.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';
import { describeUse, requestClosed, requestLock, requireRequest, type UsableRequest } from './request-links.ts';

interface Parts {
  db: Database;
  settings: Pick<SettingsStore, 'current'>;
  unlocking: Pick<Unlocking, 'hasCookie'>;
}

/** A link as a request finds it. */
export type Visit = { locked: true; link: RequestLinkRow } | ({ locked: false } & UsableRequest);

/**
 * The link at a public address, whatever its state.
 * @throws NotFoundError for an unknown or deleted one
 * @throws RequestError `request_closed` for one that has ended before it was unlocked: its password would open nothing
 */
export async function visitRequest(parts: Parts, id: string, request: Request): Promise<Visit> {
  const link = await requireRequest(parts.db.read, id);
  const lock = requestLock(link);
  if (lock && !parts.unlocking.hasCookie(request, lock)) {
    if (link.expires_at <= Date.now()) throw requestClosed('ended');
    return { locked: true, link };
  }
  return { locked: false, ...(await describeUse(parts, link, Date.now())) };
}

/** The same, once it is unlocked. @throws RequestError `password_required` */
export async function visitUnlocked(parts: Parts, id: string, request: Request): Promise<UsableRequest> {
  const visit = await visitRequest(parts, id, request);
  if (visit.locked) throw new RequestError('password_required', 'This link is password-protected. Enter its password first.');
  return visit;
}

/** @throws RequestError `request_closed` */
export function requireOpen({ closed }: Pick<UsableRequest, 'closed'>): void {
  if (closed) throw requestClosed(closed);
}
