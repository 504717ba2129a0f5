import type { Request } from 'express';
import { MINUTE } from '#api/durations.ts';
import { type SenderFields, senderFields } from '#api/images/upload.ts';
import * as api from '#api/sharing/requests.ts';
import { anyone } from '#server/core/accounts/authorize.ts';
import { callerName } from '#server/core/accounts/caller-turn.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { presentSent } from '#server/core/requests/present-sent.ts';
import { noRequest, requestClosed, type UsableRequest } from '#server/core/requests/request-links.ts';
import { findSentImage, senderHash } from '#server/core/requests/sent-files.ts';
import { requireOpen, senderOf, visitUnlocked } from '#server/core/requests/visit.ts';
import { bind, parsePart } from '#server/core/routes.ts';
import { RequestError, UnauthorizedError } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { announcedBytes, type ReceivedFile, receiveForm, requireAnnouncedFits, requireFile } from '#server/platform/http/form.ts';
import { requirePoint } from '#server/platform/limits/counter.ts';
import { identifyUpload, isKnownKey } from './keys.ts';
import { createOnce } from './once.ts';
import { checkOptions, resolveOptions, uploadDefaults } from './options.ts';
import { storeUpload } from './upload.ts';
import { formLimits, maxUploadBytes, type Uploader } from './uploader.ts';

const UPLOADS_PER_ADDRESS = 60;
const UPLOADS_PER_LINK = 600;
const TOO_FAST = 'Too many pictures in a minute.';

/** Uploads of people without the account that gets the pictures (decision 141). */
export function senderRoutes(context: Context) {
  const { db, links, staging, diskReserve, limits } = context;
  const once = createOnce(db);
  const byAddress = limits.counter('pictures sent by network', { points: UPLOADS_PER_ADDRESS, duration: MINUTE });
  const byLink = limits.counter('pictures sent through a link', { points: UPLOADS_PER_LINK, duration: MINUTE });

  /** Rejects everything that can be rejected before a byte is read. */
  async function admit(request: Request, use: UsableRequest, uploader: Uploader, key: string | undefined) {
    // A retry gets the first response even if that was the link's last picture. Asked in this order, since the first attempt may just be ending.
    if (use.closed && !(key && (await isKnownKey(db.read, uploader, key)))) requireOpen(use);
    const announced = announcedBytes(request);
    requireAnnouncedFits(announced, maxUploadBytes(use.group));
    await requirePoint(byAddress, networkOf(uploader.address), TOO_FAST);
    await requirePoint(byLink, use.link.id, TOO_FAST);
    await diskReserve.require(staging.folder, announced);
  }

  async function store(uploader: Uploader, { link }: UsableRequest, file: ReceivedFile, fields: SenderFields, keyed: Keyed) {
    const { policyId } = await uploadDefaults(db.read, uploader.user, uploader.group);
    const chosen = { visibility: 'private', album_id: link.album_id, ...(fields.name !== undefined && { name: fields.name }) } as const;
    const defaults = { visibility: 'private', albumId: undefined, policyId } as const;
    const options = await resolveOptions(chosen, uploader, defaults, Date.now());
    const optionsIn = (group: Group) => checkOptions(chosen, group, defaults, Date.now());
    return await storeUpload(context, uploader, { file, options, optionsIn, keyed }).catch(concealOwner);
  }

  return [
    bind(api.sendPicture, async ({ params, headers, request, response }) => {
      const use = await visitUnlocked(context, params.id, request);
      const secret = headers['x-sender'];
      const uploader = uploaderOf(use, request.ip ?? '', senderHash(secret));
      await admit(request, use, uploader, headers['idempotency-key']);
      await using form = await receiveForm(request, response, staging, formLimits(uploader.group));
      const file = requireFile(form);
      const fields = parsePart(senderFields, form.fields) as SenderFields;
      const sender = { ...uploader.through.sender, name: fields.from ?? '' };
      const keyed = identifyUpload(uploader, headers['idempotency-key'], `${sender.hash ?? ''} ${file.sha256}`, { ...fields });
      const { row } = await once(anyone, keyed, () =>
        store({ ...uploader, through: { ...uploader.through, sender } }, use, file, fields, keyed),
      );
      return presentSent(links, params.id, await findSentImage(db.read, row), secret !== undefined);
    }),
  ];
}

type Keyed = ReturnType<typeof identifyUpload>;

/** The account of the link's owner, for a sender without any rights in it. */
function uploaderOf(use: UsableRequest, address: string, hash: string | null) {
  const { link, owner, group } = use;
  const turn = { who: callerName({ kind: 'guest', address }), purpose: 'upload', isGuest: true } as const;
  return {
    caller: senderOf(use),
    user: owner,
    group,
    address,
    isTrusted: false,
    turn,
    through: { linkId: link.id, sender: { hash, name: '' } },
  };
}

/** What becomes of the owner's account and album while a picture is arriving is told as the state of the link, without figures. */
function concealOwner(error: unknown): never {
  if (error instanceof UnauthorizedError) throw requestClosed('paused');
  if (!(error instanceof RequestError)) throw error;
  if (error.code === 'quota_exceeded') throw requestClosed('quota');
  if (error.code === 'album_not_found') throw noRequest();
  throw error;
}
