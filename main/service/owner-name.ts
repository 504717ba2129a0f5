import { username } from '#api/auth/auth.ts';

/** A username for the owner, derived from the user's name on this computer. */
export function ownerName(systemName: string): string {
  const parsed = username.safeParse(systemName.trim().replace(/[\s@/\\]+/gu, '-'));
  return parsed.success ? parsed.data : 'owner';
}
