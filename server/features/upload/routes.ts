import { MAX_POSTER_BYTES } from '#api/constants.ts';
import { DAY, HOUR, MINUTE } from '#api/durations.ts';
import { toSlug } from '#api/images/slug-rules.ts';
import type { UploadFields } from '#api/images/upload.ts';
import * as api from '#api/images/upload.ts';
import { type Actor, fullMember, type Member } from '#server/core/accounts/actor.ts';
import { memberOf } from '#server/core/accounts/authorize.ts';
import { callerName } from '#server/core/accounts/caller-turn.ts';
import { type Group, groupById, groupOfKind } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { presentOwnImage } from '#server/core/images/present.ts';
import { displayName } from '#server/core/images/text/display-name.ts';
import { bind } from '#server/core/routes.ts';
import { readSettings } from '#server/core/settings/settings.ts';
import { RequestError, tooManyRequests, UnauthorizedError } from '#server/platform/base/errors.ts';
import type { Caller } from '#server/platform/db/database.ts';
import { createAddressRules } from '#server/platform/fetching/addresses.ts';
import { FETCH_TIMEOUT_MS, fetchImage, MAX_DECODED_BYTES, MAX_REDIRECTS } from '#server/platform/fetching/fetch-image.ts';
import { announcedBytes, type ReceivedFile, receiveForm, requireAnnouncedFits, requireFile } from '#server/platform/http/form.ts';
import type { DecodingTurn } from '#server/platform/imaging/decoding.ts';
import type { Counter } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { identifyUpload, type KeyedUpload } from './keys.ts';
import { createOnce } from './once.ts';
import { checkOptions, readFields, resolveOptions, uploadDefaults } from './options.ts';
import { setPoster, withPoster } from './poster.ts';
import { requireGuestQuota } from './quota.ts';
import { replaceFile, requireReplaceable } from './replace.ts';
import { storeUpload } from './upload.ts';
import { formLimits, type MemberUploader, maxUploadBytes, type Uploader, type UploadResult } from './uploader.ts';

/** An upload's place among those whose pictures are decoded. It is kept for clients that disconnect once they have sent everything. */
const turnOf = (actor: Actor): DecodingTurn => ({ who: callerName(actor), purpose: 'upload', isGuest: actor.kind === 'guest' });

/** Guests, as long as they may upload. */
const guests: Caller = {
  async confirm(queries) {
    if ((await readSettings(queries)).guest_upload_enabled) return;
    throw new RequestError('guest_disabled', 'Guests can’t upload here. Sign in or send a token.');
  },
};

/** A page may not know yet that its session has ended: its pictures must not become a guest's or another user's. */
function requireUser(actor: Actor, id: number) {
  if (actor.kind === 'member' && actor.user.id === id) return;
  throw new UnauthorizedError('You’re no longer signed in to the account that started this upload. Sign in and upload again.');
}

export function uploadRoutes(context: Context) {
  const { db, settings, staging, diskReserve, links } = context;
  const rates = createUploadRates(context.limits);
  const once = createOnce(db);

  async function memberUploader(member: Member, caller: Caller): Promise<MemberUploader> {
    const { user, address } = member;
    const group = await groupById(db.read, user.group_id);
    return { caller, user, group, address, isTrusted: fullMember(member) !== undefined, turn: turnOf(member) };
  }

  async function uploaderOf(actor: Actor, caller: Caller): Promise<Uploader> {
    if (actor.kind === 'member') return memberUploader(actor, caller);
    await guests.confirm(db.read);
    const group = await groupOfKind(db.read, 'guest');
    return { caller: guests, user: undefined, group, address: actor.address, isTrusted: false, turn: turnOf(actor) };
  }

  /** Rejects everything that can be rejected before a byte is read. */
  async function admit({ group, user, turn }: Uploader, announced: number) {
    requireAnnouncedFits(announced, maxUploadBytes(group));
    await rates.take(turn.who, group);
    if (!user) await requireGuestQuota(db.read, group, 1);
    // Last: it removes copies of pictures to make room for this one.
    await diskReserve.require(staging.folder, announced);
  }

  async function store(uploader: Uploader, file: ReceivedFile, fields: UploadFields, keyed: KeyedUpload | undefined) {
    const defaults = await uploadDefaults(db.read, uploader.user, uploader.group);
    const options = await resolveOptions(fields, uploader, defaults, Date.now());
    const optionsIn = (group: Group) => checkOptions(fields, group, defaults, Date.now());
    const result = await storeUpload(context, uploader, { file, options, optionsIn, keyed });
    return await withPoster(context, uploader, result, file.poster);
  }

  /** @param sent what the client calls its image: the links of an image it may not know about must use no other name */
  async function present(
    { isTrusted }: Uploader,
    { row, reused, isOwn }: UploadResult,
    sent: Pick<UploadFields, 'name' | 'title' | 'alt' | 'slug'>,
  ) {
    if (isOwn || isTrusted) return { ...(await presentOwnImage(db.read, row, links)), reused };
    const { name, title = '', alt = '' } = sent;
    const slug = sent.slug && toSlug(sent.slug) === row.slug ? row.slug : null;
    const known = { ...row, slug, name: displayName(name, `picture.${row.ext}`), title, alt };
    return { key: row.key, links: links.of(known), reused };
  }

  return [
    bind(api.upload, async ({ actor, caller, query, headers, request, response }) => {
      if (query.as_user !== undefined) requireUser(actor, query.as_user);
      const uploader = await uploaderOf(actor, caller);
      await admit(uploader, announcedBytes(request));
      await using form = await receiveForm(request, response, staging, formLimits(uploader.group));
      const file = requireFile(form);
      const fields = readFields(form.fields);
      const keyed = identifyUpload(uploader, headers['idempotency-key'], file.sha256, fields);
      const result = await once(uploader.caller, keyed, () => store(uploader, file, fields, keyed));
      return present(uploader, result, { ...fields, name: fields.name ?? file.name });
    }),

    bind(api.replaceFile, async ({ actor, caller, params, headers, request, response }) => {
      const uploader = await memberUploader(memberOf(actor), caller);
      await requireReplaceable(db.read, uploader, params.key);
      await admit(uploader, announcedBytes(request));
      await using form = await receiveForm(request, response, staging, formLimits(uploader.group));
      const file = requireFile(form);
      const keyed = identifyUpload(uploader, headers['idempotency-key'], `${params.key} ${file.sha256}`, {});
      const { row, reused } = await once(uploader.caller, keyed, () => replaceFile(context, uploader, { key: params.key, file, keyed }));
      return { ...(await presentOwnImage(db.read, row, links)), reused };
    }),

    bind(api.setPoster, async ({ actor, caller, params, request, response }) => {
      const uploader = await memberUploader(memberOf(actor), caller);
      await requireReplaceable(db.read, uploader, params.key);
      await admit(uploader, announcedBytes(request));
      await using form = await receiveForm(request, response, staging, { maxBytes: MAX_POSTER_BYTES });
      const row = await setPoster(context, uploader, params.key, requireFile(form));
      return presentOwnImage(db.read, row, links);
    }),

    bind(api.uploadUrl, async ({ actor, caller, query, headers, body }) => {
      if (query.as_user !== undefined) requireUser(actor, query.as_user);
      const uploader = await memberUploader(memberOf(actor), caller);
      await admit(uploader, 0);
      const { url, ...rest } = body;
      const fields = readFields(rest);
      const rules = createAddressRules(settings.current().fetch_allowed_hosts);
      const limits = {
        maxBytes: maxUploadBytes(uploader.group),
        maxDecodedBytes: MAX_DECODED_BYTES,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxRedirects: MAX_REDIRECTS,
      };
      const keyed = identifyUpload(uploader, headers['idempotency-key'], url, fields);
      const result = await once(uploader.caller, keyed, async () => {
        await using file = await fetchImage(url, { rules, staging, limits });
        return await store(uploader, file, fields, keyed);
      });
      return present(uploader, result, fields);
    }),
  ];
}

/** Counts uploads per uploader against their group's limits. */
interface UploadRates {
  /** @throws RequestError `rate_limited` */
  take(uploader: string, group: Pick<Group, 'uploads_per_minute' | 'uploads_per_hour' | 'uploads_per_day'>): Promise<void>;
}

const WINDOWS = [
  { seconds: MINUTE, limit: 'uploads_per_minute', name: 'minute' },
  { seconds: HOUR, limit: 'uploads_per_hour', name: 'hour' },
  { seconds: DAY, limit: 'uploads_per_day', name: 'day' },
] as const;

function createUploadRates(limits: Limits): UploadRates {
  const counters = WINDOWS.map((window) => ({
    ...window,
    counter: limits.counter(`uploads per ${window.name}`, { points: Number.MAX_SAFE_INTEGER, duration: window.seconds }),
  }));
  return {
    async take(uploader, group) {
      const counted: Counter[] = [];
      for (const { counter, limit, name } of counters) {
        if (group[limit] === 0) continue;
        const state = await counter.consume(uploader);
        counted.push(counter);
        if (state.consumedPoints <= group[limit]) continue;
        // A rejected upload counts in no window, so waiting for the shortest one is enough.
        for (const one of counted) await one.reward(uploader);
        const count = group[limit];
        throw tooManyRequests(`You can upload at most ${count} ${count === 1 ? 'picture' : 'pictures'} per ${name}.`, state.msBeforeNext);
      }
    },
  };
}
