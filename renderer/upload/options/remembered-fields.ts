import type { FormFields } from '#api/images/upload.ts';
import type { StoredOptions } from '#renderer/preferences/preference-values.ts';

/** The options that uploads of this user have without being asked. They are kept in this browser. */
export function rememberedFields(stored: StoredOptions | null, user: number | undefined): FormFields {
  return stored && stored.user === user ? stored.fields : {};
}
