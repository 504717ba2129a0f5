import * as api from '#api/upload.ts';
import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { groupById, groupOfKind } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { presentImage } from '#server/core/images/present.ts';
import { bind } from '#server/core/routes.ts';
import { fileTooLarge, InvalidRequestError, RequestError, UnauthorizedError } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { createAddressRules } from '#server/platform/fetching/addresses.ts';
import { FETCH_TIMEOUT_MS, fetchImage, MAX_REDIRECTS } from '#server/platform/fetching/fetch-image.ts';
import { requireSpace } from '#server/platform/storage/reserve.ts';
import { announcedBytes, type ReceivedFile, receiveForm } from './form.ts';
import { readOptions, uploadDefaults } from './options.ts';
import { createUploadRates } from './rates.ts';
import { storeUpload, type Uploader } from './upload.ts';

/** A page may not know yet that its session has ended: its pictures must not become a guest's or another user's. */
function requireUser(actor: Actor, id: number) {
  if (actor.kind === 'member' && actor.user.id === id) return;
  throw new UnauthorizedError('You’re no longer signed in to the account that started this upload. Sign in and upload again.');
}

/** Allowance for the parts of a form around its file: boundaries, names, text fields. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

export function uploadRoutes(context: Context) {
  const { db, settings, staging, links } = context;
  const rates = createUploadRates();

  async function uploaderOf(actor: Actor): Promise<Uploader> {
    if (actor.kind === 'member') return { user: actor.user, group: await groupById(db.read, actor.user.group_id), address: actor.address };
    if (!settings.current().guest_upload_enabled)
      throw new RequestError('guest_disabled', 'Guests can’t upload here. Sign in or send a token.');
    return { user: undefined, group: await groupOfKind(db.read, 'guest'), address: actor.address };
  }

  /** Rejects everything that can be rejected before a byte is read. */
  async function admit({ group, user, address }: Uploader, announced: number) {
    if (group.max_file_bytes > 0 && announced > group.max_file_bytes + FORM_OVERHEAD_BYTES) throw fileTooLarge(group.max_file_bytes);
    await requireSpace(staging.folder, settings.current().disk_reserve_bytes, announced);
    await rates.take(user ? `user ${user.id}` : `guest ${networkOf(address)}`, group);
  }

  async function store(actor: Actor, uploader: Uploader, file: ReceivedFile, fields: Record<string, unknown>) {
    if (file.size === 0) throw new RequestError('damaged_image', 'The file is empty.', { field: 'file' });
    const defaults = await uploadDefaults(db.read, uploader.user, uploader.group);
    const options = await readOptions(fields, uploader.group, defaults, Date.now());
    const { row, reused } = await storeUpload(context, uploader, file, options);
    const image = presentImage(row, links);
    // An upload-only token gets no delete link of an existing image.
    return reused && !fullMember(actor) ? { ...image, links: links.of(row), reused } : { ...image, reused };
  }

  return [
    bind(api.upload, async ({ actor, query, request, response }) => {
      if (query.as_user !== undefined) requireUser(actor, query.as_user);
      const uploader = await uploaderOf(actor);
      await admit(uploader, announcedBytes(request));
      await using form = await receiveForm(request, response, staging, uploader.group.max_file_bytes);
      if (!form.file) throw new InvalidRequestError('The form contains no picture. Send it in the field “file”.', { field: 'file' });
      return await store(actor, uploader, form.file, form.fields);
    }),

    bind(api.uploadUrl, async ({ actor, body }) => {
      const uploader = await uploaderOf(memberOf(actor));
      await admit(uploader, 0);
      const { url, ...fields } = body;
      const rules = createAddressRules(settings.current().fetch_allowed_hosts);
      const limits = { maxBytes: uploader.group.max_file_bytes, timeoutMs: FETCH_TIMEOUT_MS, maxRedirects: MAX_REDIRECTS };
      await using file = await fetchImage(url, { rules, staging, limits });
      return await store(actor, uploader, file, fields);
    }),
  ];
}
