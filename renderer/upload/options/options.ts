import { CONVERSIONS, type Conversion, type SlugChoice } from '#api/constants.ts';
import { albumFields, albumsOf } from '#api/images/album-fields.ts';
import { toSlug } from '#api/images/slug-rules.ts';
import type { FormFields, Visibility } from '#api/images/upload.ts';
import { askedExpiry } from '#renderer/components/forms/expiries.ts';

/** The options of a batch, as a form holds them. */
export interface Options {
  /** Empty: none of its own. */
  albums: string[];
  /** The name of the album to create, where {@link NEW_ALBUM} is one of `albums`. */
  newAlbum: string;
  visibility: Visibility;
  /** An expiry's text, as an `ExpiryField` has it; `''`: as the group has it. */
  expiresIn: string;
  /** `''`: as the group has it. */
  maxViews: number | string;
  password: string;
  /** A custom address; empty: none. */
  slug: string;
  /** What replaces it where it is taken; `''`: nothing. */
  slugOr: SlugChoice | '';
  convert: Conversion;
  tags: string[];
}

export const NEW_ALBUM = 'new';

/** A form's first values. `target` is the album of the page. */
export function firstOptions(
  fields: FormFields,
  target: string | undefined,
  account: { visibility: Visibility; album_id: string | null } | undefined,
  usualFormat: Conversion = 'original',
): Options {
  return {
    albums: target ? [target] : firstAlbums(fields, account?.album_id),
    newAlbum: '',
    visibility: (fields.visibility as Visibility | undefined) ?? account?.visibility ?? 'public',
    expiresIn: fields.expires_in ?? '',
    maxViews: fields.max_views ? Number(fields.max_views) : '',
    password: '',
    slug: '',
    slugOr: '',
    convert: CONVERSIONS.find((format) => format === fields.convert) ?? usualFormat,
    tags: fields.tags?.split(',') ?? [],
  };
}

function firstAlbums(fields: FormFields, usual: string | null | undefined): string[] {
  const own = albumsOf(fields);
  return own.length > 0 || !usual ? own : [usual];
}

/** Whether an album is to be created that has no name yet. */
export const lacksName = ({ albums, newAlbum }: Options): boolean => albums.includes(NEW_ALBUM) && !newAlbum.trim();

/** The fields of each upload with these options, into these albums. */
export function toFields(options: Options, albumIds: readonly string[]): FormFields {
  const { visibility, expiresIn, maxViews, password, convert, tags } = options;
  return {
    visibility,
    // Also the original: this computer may usually have uploads converted.
    convert,
    ...slugFields(options),
    ...albumFields(albumIds),
    ...expiryFields(expiresIn),
    ...(maxViews && { max_views: String(maxViews) }),
    ...(password && { access_password: password }),
    ...(tags.length > 0 && { tags: tags.map((tag) => tag.replaceAll(',', ' ')).join(',') }),
  };
}

function slugFields({ slug, slugOr }: Options): FormFields {
  const address = toSlug(slug);
  return address ? { slug: address, ...(slugOr && { slug_or: slugOr }) } : {};
}

function expiryFields(text: string): FormFields {
  const asked = text === '' ? undefined : askedExpiry(text);
  if (!asked) return {};
  return 'expires_at' in asked ? asked : { expires_in: String(asked.expires_in) };
}

/**
 * What is kept for later uploads: never the password, which would be readable in the browser's storage, nor an exact expiry, which would
 * be over some day, nor an address, which one picture has.
 */
export function toRemember({
  access_password: _password,
  expires_at: _expiry,
  slug: _slug,
  slug_or: _other,
  ...fields
}: FormFields): FormFields {
  return fields;
}
