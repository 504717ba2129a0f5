import type { Request } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import { MINUTE } from '#api/durations.ts';
import * as api from '#api/sharing/requests.ts';
import { callerTurn } from '#server/core/accounts/caller-turn.ts';
import type { Context } from '#server/core/context.ts';
import { presentSent } from '#server/core/requests/present-sent.ts';
import {
  describeUse,
  requestClosed,
  requestLock,
  requireRequest,
  sendableExts,
  type UsableRequest,
} from '#server/core/requests/request-links.ts';
import { finishSending, hasSent, listRemovable, removeSentFile, requireRemovable, senderHash } from '#server/core/requests/sent-files.ts';
import { requireOpen, visitRequest, visitUnlocked } from '#server/core/requests/visit.ts';
import { bind, bindBinary } from '#server/core/routes.ts';
import { openPresent } from '#server/core/viewing/open-present.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { keysetPage, mapPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';
import { sendBlob } from '#server/platform/http/send-blob.ts';
import { requirePoint } from '#server/platform/limits/counter.ts';
import { shownBlobOf } from '#server/platform/storage/blob-rows.ts';

const THUMBNAIL_WIDTH = 400;
const REMOVALS_PER_ADDRESS = 60;

/** What people without an account do with a request link, besides uploading (decision 141). */
export const publicRequestRoutes = (context: Context) => {
  const { db, links, thumbnails, unlocking, limits, log } = context;
  const removals = limits.counter('removals of sent pictures by network', { points: REMOVALS_PER_ADDRESS, duration: MINUTE });

  /** A full link keeps showing what was sent; one that is paused or has ended shows only their own pictures to those who have sent some. */
  async function visitShown(id: string, request: Request, secret: string | undefined): Promise<Pick<UsableRequest, 'link'>> {
    const use = await visitUnlocked(context, id, request);
    if (use.closed !== 'paused' && use.closed !== 'ended') return use;
    const { link } = use;
    if (link.show === 'none' || !(await hasSent(db.read, id, secret))) requireOpen(use);
    return { link: { ...link, show: 'own' } };
  }

  return [
    bind(api.getRequest, async ({ params, headers, request }) => {
      const visit = await visitRequest(context, params.id, request);
      if (visit.locked) return { id: visit.link.id, password_required: true as const };
      if (visit.closed && (await hasSent(db.read, params.id, headers['x-sender']))) throw requestClosed(visit.closed, visit.link);
      requireOpen(visit);
      return presentRequest(visit);
    }),

    bind(api.unlockRequest, async ({ params, body, request, response }) => {
      const link = await requireRequest(db.read, params.id);
      if (link.expires_at <= Date.now()) throw requestClosed('ended');
      const lock = requestLock(link);
      if (lock && !(await unlocking.unlock(request, response, lock, body.password)))
        throw new RequestError('wrong_password', 'Incorrect password.');
      const use = await describeUse(db.read, context.settings.current(), link, Date.now());
      requireOpen(use);
      return presentRequest(use);
    }),

    bind(api.finishSending, async ({ caller, params, headers, body }) => {
      const { id } = await requireRequest(db.read, params.id);
      return { count: await finishSending(db.as(caller), id, { secret: headers['x-sender'], name: body.from }) };
    }),

    bind(api.listSent, async ({ params, query, headers, request }) => {
      const { link } = await visitShown(params.id, request, headers['x-sender']);
      return mapPage(await listShown(db.read, link, headers['x-sender'], query), ({ id, name, own }) => ({
        id,
        own,
        name: own ? name : null,
        thumbnail_url: `${API_PREFIX}/r/${link.id}/pictures/${id}`,
      }));
    }),

    bindBinary(api.sentThumbnail, async ({ actor, params, headers, request, response }) => {
      const { link } = await visitShown(params.id, request, headers['x-sender']);
      const find = async () => {
        const image = await findShown(db.read, link, params.file, headers['x-sender']);
        return requireFound(image, 'This picture isn’t shown here. It may have been removed.');
      };
      const turn = callerTurn({ kind: 'guest', address: actor.address }, response);
      const thumbnail = await openPresent(await find(), find, (row) => thumbnails.open(shownBlobOf(row), THUMBNAIL_WIDTH, turn));
      sendBlob(response, thumbnail, { head: ['Content-Type', api.sentThumbnail.binary, 'Cache-Control', 'no-store'], log });
    }),

    bind(api.listOwnSent, async ({ params, headers }) => {
      const { id } = await requireRequest(db.read, params.id);
      return { items: (await listRemovable(db.read, id, headers['x-sender'])).map((file) => presentSent(links, id, file)) };
    }),

    bind(api.getSent, async ({ params, headers }) =>
      presentSent(links, params.id, await requireRemovable(db.read, params.id, params.file, headers['x-sender'])),
    ),

    bind(api.removeSentFile, async ({ actor, caller, params, headers }) => {
      await requirePoint(removals, networkOf(actor.address), 'Too many pictures removed in a minute.');
      await removeSentFile(db.as(caller), params.id, params.file, headers['x-sender']);
      return {};
    }),
  ];
};

function presentRequest({ link, group }: UsableRequest) {
  const { id, title, message, show } = link;
  return {
    id,
    password_required: false as const,
    title,
    message,
    show,
    accepts: {
      exts: sendableExts(group),
      max_file_bytes: group.max_file_bytes,
      max_video_bytes: group.max_video_bytes,
      max_video_seconds: group.max_video_seconds,
    },
    files_left: link.max_files - link.file_count,
    bytes_left: link.max_bytes - link.byte_count,
    expires_at: new Date(link.expires_at).toISOString(),
  };
}

type Shown = Pick<RequestLinkRow, 'id' | 'album_id' | 'owner_id' | 'show'>;

const LATEST_FIRST: Order = { direction: 'desc', columns: { sent_at: 'number', id: 'string' } };

/**
 * The files of a link that a sender may see, with their images: live, in the album, as they were sent, and neither protected nor view-limited.
 * @param secret the sender's
 */
function shownFiles(queries: Queries, { id, album_id, owner_id, show }: Shown, secret: string | undefined) {
  const shown = queries
    .selectFrom('request_files')
    .innerJoin('request_batches', 'request_batches.id', 'request_files.batch_id')
    .innerJoin('images', 'images.id', 'request_files.image_id')
    .innerJoin('album_images', (join) => join.onRef('album_images.image_id', '=', 'images.id').on('album_images.album_id', '=', album_id))
    .where('request_id', '=', id)
    .where('images.owner_id', '=', owner_id)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .where((row) => row.or([row('images.expires_at', 'is', null), row('images.expires_at', '>', Date.now())]))
    .where('replaced_at', 'is', null)
    .where('password_hash', 'is', null)
    .where('max_views', '=', 0);
  if (show === 'all') return shown;
  const hash = show === 'own' ? senderHash(secret) : null;
  return hash === null ? shown.where((row) => row.lit(false)) : shown.where('sender_hash', '=', hash);
}

/** What a link shows to a sender, the latest first. */
async function listShown(
  queries: Queries,
  link: Shown,
  secret: string | undefined,
  page: PageRequest,
): Promise<Page<{ id: string; name: string; own: boolean }>> {
  const files = shownFiles(queries, link, secret).select([
    'request_files.id as id',
    'request_files.name as name',
    'request_files.sent_at as sent_at',
    'sender_hash',
  ]);
  const { items, next_cursor } = await keysetPage(queries.selectFrom(files.as('files')).selectAll(), LATEST_FIRST, page);
  const own = senderHash(secret);
  return { items: items.map(({ id, name, sender_hash }) => ({ id, name, own: own !== null && sender_hash === own })), next_cursor };
}

/** The image behind one of them; undefined if the sender may not see it. */
function findShown(queries: Queries, link: Shown, file: string, secret: string | undefined) {
  return shownFiles(queries, link, secret)
    .where('request_files.id', '=', file)
    .select(['images.policy_id', 'images.sha256', 'images.poster_policy_id', 'images.poster_sha256', 'images.emptied_at'])
    .executeTakeFirst();
}
