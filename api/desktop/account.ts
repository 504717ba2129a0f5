import { z } from 'zod';
import type { Call } from './call.ts';

/** An account that the app can upload with. */
export const accountChoice = z.object({
  id: z.int(),
  username: z.string(),
  is_owner: z.boolean(),
  disabled: z.boolean(),
});
export type AccountChoice = z.infer<typeof accountChoice>;

export const accountCalls = {
  /** The accounts that the app can upload with; the preference `account` chooses one. */
  getAccounts: { pages: ['app'], input: z.tuple([]), output: z.array(accountChoice) },
  /** The albums of the account that the app uploads with, which need not be that of the user in the window; another user’s is called `owner/name`. */
  getAlbums: { pages: ['app'], input: z.tuple([]), output: z.array(z.object({ id: z.string(), name: z.string() })) },
  /** Signs the owner in to the window, unless someone already is. They may have no password. */
  signInOwner: { pages: ['app'], input: z.tuple([]), output: z.undefined() },
} as const satisfies Record<string, Call>;
