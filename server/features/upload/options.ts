import type { Preferences } from '#api/auth/user.ts';
import type { Conversion } from '#api/constants.ts';
import { extOf } from '#api/formats.ts';
import { type UploadFields, uploadFields, type Visibility } from '#api/images/upload.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { DEFAULT_PREFERENCES, preferencesOf } from '#server/core/accounts/preferences.ts';
import { findAddableAlbums } from '#server/core/albums/members.ts';
import { expiryOf, requireExpiryWithin } from '#server/core/images/asked-expiry.ts';
import { readSlug, type WantedSlug } from '#server/core/images/slugs.ts';
import { cleanTags } from '#server/core/images/text/tags.ts';
import { parsePart } from '#server/core/routes.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ConvertedExt } from '#server/platform/imaging/types.ts';
import { hashTurnOf, type Uploader } from './uploader.ts';

/** The uploader's options, checked against the group's limits. */
export interface UploadOptions {
  visibility: Visibility;
  /** Milliseconds since 1970, or null: permanent. */
  expiresAt: number | null;
  /** 0: unlimited. */
  maxViews: number;
  passwordHash: string | null;
  /** The album for a picture that needn't be in others. A repeat must be in it. */
  albumId: string | undefined;
  /** All albums, if the upload names them: those of a repeat are added to its own. */
  albums: readonly string[] | undefined;
  policyId: number;
  slug: WantedSlug | undefined;
  /** The format that the uploader wants; undefined: none. The policy's own takes precedence. */
  convertTo: ConvertedExt | undefined;
  name: string | undefined;
  /** The texts that describe the image, as far as the upload names them. */
  descriptions: { title?: string; caption?: string; alt?: string };
  /** Milliseconds since 1970. */
  takenAt: number | undefined;
  tags: readonly string[];
}

/** Reads the text fields of an upload. @throws RequestError for a malformed field */
export const readFields = (fields: Record<string, unknown>) => parsePart(uploadFields, fields) as UploadFields;

/**
 * Resolves the fields of an upload.
 * @throws RequestError for a field over the group's caps
 */
export async function resolveOptions(
  parsed: UploadFields,
  { group, turn }: Pick<Uploader, 'group' | 'turn'>,
  defaults: UploadDefaults,
  now: number,
): Promise<UploadOptions> {
  const options = checkOptions(parsed, group, defaults, now);
  const passwordHash = parsed.access_password === undefined ? null : await hashPassword(parsed.access_password, hashTurnOf({ turn }));
  return { ...options, passwordHash };
}

/** The options but for the password, which takes long to hash. @throws RequestError for what the group doesn't allow */
export function checkOptions(
  parsed: UploadFields,
  group: Group,
  defaults: UploadDefaults,
  now: number,
): Omit<UploadOptions, 'passwordHash'> {
  const guest = group.kind === 'guest';
  if (parsed.albums && parsed.album_id !== undefined)
    throw new InvalidRequestError('Specify either album_id or albums.', { field: 'albums' });
  if (parsed.albums && guest)
    throw new InvalidRequestError('Guests have no albums. Sign in to upload to one.', { field: 'albums', problem: 'not_available' });
  if (parsed.slug && guest)
    throw new InvalidRequestError('Guests can’t choose addresses. Sign in to upload with one.', {
      field: 'slug',
      problem: 'not_available',
    });
  return {
    visibility: guest ? 'public' : (parsed.visibility ?? visibilityOfLsky(parsed.permission) ?? defaults.visibility),
    expiresAt: resolveExpiry(parsed, group, now),
    maxViews: maxViewsOf(parsed.max_views, group),
    albumId: parsed.albums ? undefined : (parsed.album_id ?? defaults.albumId),
    albums: parsed.albums && [...new Set(parsed.albums)],
    policyId: policyOf(parsed.policy_id ?? parsed.strategy_id ?? defaults.policyId, group),
    slug: slugOf(parsed),
    convertTo: conversionOf(parsed.convert, group),
    name: parsed.name,
    descriptions: descriptionsOf(parsed),
    takenAt: parsed.taken_at === undefined ? undefined : Date.parse(parsed.taken_at),
    tags: cleanTags(parsed.tags ?? []),
  };
}

function slugOf({ slug, slug_or }: UploadFields): WantedSlug | undefined {
  const wanted = slug === undefined ? null : readSlug(slug);
  return wanted === null ? undefined : { slug: wanted, otherwise: slug_or };
}

function conversionOf(asked: Conversion | undefined, group: Group): ConvertedExt | undefined {
  const to = asked === undefined || asked === 'original' ? undefined : extOf(asked);
  if (to && !group.allow_convert)
    throw new InvalidRequestError('Your group can’t have pictures converted. Upload the picture without `convert`.', {
      field: 'convert',
      problem: 'not_available',
    });
  return to;
}

function descriptionsOf({ title, caption, alt }: UploadFields): UploadOptions['descriptions'] {
  return { ...(title !== undefined && { title }), ...(caption !== undefined && { caption }), ...(alt !== undefined && { alt }) };
}

function visibilityOfLsky(permission: UploadFields['permission']): Visibility | undefined {
  if (permission === undefined) return undefined;
  return permission === '1' ? 'public' : 'private';
}

/** Absent means the group's default. So does 0 for guests and where the group has a cap; otherwise 0 means permanent. */
function resolveExpiry({ expires_in, expires_at }: UploadFields, group: Group, now: number): number | null {
  const cap = group.max_expires_in;
  const isPermanent = expires_in === 0 && cap === 0 && group.kind !== 'guest';
  const seconds = isPermanent ? 0 : expires_in || group.default_expires_in || cap;
  const asked = expires_at === undefined ? { expires_in: seconds } : { expires_in, expires_at };
  requireExpiryWithin(group, asked, now);
  return expiryOf(asked, now) ?? null;
}

function maxViewsOf(asked: number | undefined, group: Group): number {
  const cap = group.max_max_views;
  if (asked === 0 && cap === 0) return 0;
  const views = asked || group.default_max_views || cap;
  if (cap > 0 && views > cap) {
    throw new RequestError('max_views_over_group', `The view limit can be at most ${cap}. Choose a lower one.`, {
      field: 'max_views',
      limit: cap,
    });
  }
  return views;
}

/**
 * The storage policy to use.
 * @throws RequestError when the group may not use the one asked for, or none at all
 */
export function policyOf(asked: number | undefined, group: Group): number {
  if (asked !== undefined && !group.policy_ids.includes(asked)) {
    throw new RequestError('policy_not_allowed', 'Your group can’t use this storage policy.', { field: 'policy_id' });
  }
  const id = asked ?? group.policy_ids[0];
  if (id === undefined)
    throw new InvalidRequestError('Your group has no storage policy. Ask an administrator to allow one.', {
      field: 'policy_id',
      problem: 'no_policy',
    });
  return id;
}

/** The options of an upload that sets none. */
export interface UploadDefaults {
  visibility: Preferences['visibility'];
  albumId: string | undefined;
  policyId: number | undefined;
}

/** The policy of an uploader whose upload names none; undefined if their group has none. */
export function preferredPolicy({ user, group }: Pick<Uploader, 'user' | 'group'>): number | undefined {
  const { policy_id } = user ? preferencesOf(user) : DEFAULT_PREFERENCES;
  return group.policy_ids.find((id) => id === policy_id) ?? group.policy_ids[0];
}

/** The uploader's preferences, without an album or policy that no longer exists. Guests have none. */
export async function uploadDefaults(queries: Queries, user: UserRow | undefined, group: Group): Promise<UploadDefaults> {
  const { visibility, album_id } = user ? preferencesOf(user) : DEFAULT_PREFERENCES;
  const albums = user && album_id ? await findAddableAlbums(queries, user.id, [album_id]) : undefined;
  return {
    visibility,
    albumId: albums?.size ? (album_id ?? undefined) : undefined,
    policyId: preferredPolicy({ user, group }),
  };
}
