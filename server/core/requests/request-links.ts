import type { ClosedReason } from '#api/errors.ts';
import { isDrawing } from '#api/formats.ts';
import { type Group, groupById } from '#server/core/accounts/groups.ts';
import { findJoinedAlbum, isAtLeast } from '#server/core/albums/members.ts';
import type { Settings } from '#server/core/settings/settings.ts';
import type { Lock } from '#server/core/viewing/password-tries.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';

const ID = /^[0-9A-Za-z]{22}$/;

/**
 * The album that a user may ask for pictures for, as its owner or a manager; undefined if there is none with that id. The same is required
 * of a link's owner with every picture.
 */
export async function findRequestable(queries: Queries, userId: number, albumId: string): Promise<AlbumRow | undefined> {
  const album = await findJoinedAlbum(queries, userId, albumId);
  return album && isAtLeast(album.role, 'manager') ? album : undefined;
}

/** A request link by its id, which may be anything that a client has sent. */
export async function findRequest(queries: Queries, id: string): Promise<RequestLinkRow | undefined> {
  return ID.test(id) ? queries.selectFrom('request_links').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
}

/** @throws NotFoundError for a link that is unknown or deleted, or was created for an album that has been deleted */
export async function requireRequest(queries: Queries, id: string): Promise<RequestLinkRow> {
  const link = await findRequest(queries, id);
  if (!link) throw noRequest();
  return link;
}

/** The refusal of requests for a link that doesn't exist. */
export const noRequest = () => new NotFoundError('This link doesn’t exist. It may have been deleted, or mistyped.');

/** The lock of a link that has a password. */
export function requestLock({ id, password_hash }: Pick<RequestLinkRow, 'id' | 'password_hash'>): Lock | undefined {
  return password_hash === null ? undefined : { kind: 'request', id, passwordHash: password_hash };
}

/** Why a link takes no pictures, as far as the link itself decides it; undefined: it does. */
export function closedBy(
  link: Pick<RequestLinkRow, 'paused_at' | 'expires_at' | 'file_count' | 'max_files' | 'byte_count' | 'max_bytes'>,
  now: number,
): Exclude<ClosedReason, 'quota'> | undefined {
  if (link.expires_at <= now) return 'ended';
  if (link.paused_at !== null) return 'paused';
  return link.file_count >= link.max_files || link.byte_count >= link.max_bytes ? 'full' : undefined;
}

/** What senders read: nothing about the owner's account. */
const SENTENCES: Record<ClosedReason, string> = {
  paused: 'This link takes no pictures at the moment. Try again later, or ask the person who sent it to you.',
  ended: 'This link has ended. Ask the person who sent it to you for a new one.',
  full: 'This link takes no more pictures: it’s full. Ask the person who sent it to you for a new one.',
  quota: 'There’s no more space for pictures here. Ask the person who sent you this link to make some.',
};

/** The refusal of a link that takes no pictures. `request` is for those who have sent some. */
export const requestClosed = (reason: ClosedReason, request?: Pick<RequestLinkRow, 'title' | 'message'>) =>
  new RequestError('request_closed', SENTENCES[reason], {
    reason,
    ...(request && { request: { title: request.title, message: request.message } }),
  });

/** A link that senders may use, with the account that gets the pictures. */
export interface UsableRequest {
  link: RequestLinkRow;
  owner: UserRow;
  group: Group;
  /** Why it takes no pictures; undefined: it does. */
  closed: ClosedReason | undefined;
}

/** A link with the account behind it, in the state that senders find it in. */
export async function describeUse(
  queries: Queries,
  { request_links_enabled }: Pick<Settings, 'request_links_enabled'>,
  link: RequestLinkRow,
  now: number,
): Promise<UsableRequest> {
  const owner = await queries.selectFrom('users').selectAll().where('id', '=', link.owner_id).executeTakeFirst();
  if (!owner) throw noRequest();
  const group = await groupById(queries, owner.group_id);
  const isPaused = !request_links_enabled || owner.disabled_at !== null;
  const mayAsk = await findRequestable(queries, owner.id, link.album_id);
  const isFull = group.storage_quota_bytes > 0 && owner.storage_used_bytes >= group.storage_quota_bytes;
  const closed = closedBy({ ...link, paused_at: isPaused ? now : link.paused_at }, now) ?? (mayAsk ? undefined : 'paused');
  return { link, owner, group, closed: closed ?? (isFull ? 'quota' : undefined) };
}

/** Extensions that senders may send: those of the owner's group, without drawings, which can contain scripts. */
export const sendableExts = ({ allowed_exts }: Pick<Group, 'allowed_exts'>) => allowed_exts.filter((ext) => !isDrawing(ext));

/** Pauses all links of an account, in a unit of writing. */
export async function pauseRequests(queries: Queries, ownerId: number): Promise<void> {
  const own = queries.updateTable('request_links').set({ paused_at: Date.now() }).where('owner_id', '=', ownerId);
  await own.where('paused_at', 'is', null).execute();
}
