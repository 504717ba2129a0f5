import { username } from '#api/auth.ts';

/** A user name for the owner, from the name that the person has on this computer. */
export function ownerName(systemName: string): string {
  const parsed = username.safeParse(systemName.trim().replace(/[\s@/\\]+/gu, '-'));
  return parsed.success ? parsed.data : 'owner';
}
