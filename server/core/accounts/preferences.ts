import { type Preferences, preferences } from '#api/auth/user.ts';
import { DEFAULT_TEMPLATE } from '#api/sharing/link-template.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

export const DEFAULT_PREFERENCES: Preferences = {
  visibility: 'public',
  album_id: null,
  policy_id: null,
  link_format: 'url',
  link_template: DEFAULT_TEMPLATE,
  delete_expired: false,
  keep_copyright: false,
};

/** Once: making a schema takes longer than checking with it. */
const storedPreferences = preferences.partial();

/** A user's preferences, completed with defaults. */
export function preferencesOf({ preferences: stored }: Pick<UserRow, 'preferences'>): Preferences {
  const known = storedPreferences.safeParse(JSON.parse(stored));
  return { ...DEFAULT_PREFERENCES, ...known.data };
}
