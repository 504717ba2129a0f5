import type { FormFields, Visibility } from '#api/images/upload.ts';
import type { StoredOptions } from '#renderer/preferences/preference-values.ts';

/** The options of a batch, as a form holds them. */
export interface Options {
  /** `''`: none of its own. */
  album: string;
  /** The name of the album to create, where `album` is {@link NEW_ALBUM}. */
  newAlbum: string;
  visibility: Visibility;
  /** Seconds, as text; `''`: as the group has it. */
  expiresIn: string;
  /** `''`: as the group has it. */
  maxViews: number | string;
  password: string;
  tags: string[];
}

export const NEW_ALBUM = 'new';

/** The options that uploads of this user have without being asked. They are kept in this browser. */
export function rememberedFields(stored: StoredOptions | null, user: number | undefined): FormFields {
  return stored && stored.user === user ? stored.fields : {};
}

/** A form's first values. `target` is the album of the page. */
export function firstOptions(
  fields: FormFields,
  target: string | undefined,
  account: { visibility: Visibility; album_id: string | null } | undefined,
): Options {
  return {
    album: target ?? fields.album_id ?? account?.album_id ?? '',
    newAlbum: '',
    visibility: (fields.visibility as Visibility | undefined) ?? account?.visibility ?? 'public',
    expiresIn: fields.expires_in ?? '',
    maxViews: fields.max_views ? Number(fields.max_views) : '',
    password: '',
    tags: fields.tags?.split(',') ?? [],
  };
}

/** The fields of each upload with these options; the album is `albumId`, if any. */
export function toFields({ visibility, expiresIn, maxViews, password, tags }: Options, albumId: string | undefined): FormFields {
  return {
    visibility,
    ...(albumId && { album_id: albumId }),
    ...(expiresIn && { expires_in: expiresIn }),
    ...(maxViews && { max_views: String(maxViews) }),
    ...(password && { access_password: password }),
    ...(tags.length > 0 && { tags: tags.map((tag) => tag.replaceAll(',', ' ')).join(',') }),
  };
}

/** What is kept for later uploads: never the password, which would be readable in the browser's storage. */
export function toRemember({ access_password: _, ...fields }: FormFields): FormFields {
  return fields;
}
