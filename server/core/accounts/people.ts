import type { Person } from '#api/albums/albums.ts';
import { HOUR } from '#api/durations.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { Counter } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { avatarUrlOf } from './avatars.ts';

/** A user as others see them who share something with them. */
export const presentPerson = ({ id, username, avatar }: Pick<UserRow, 'id' | 'username' | 'avatar'>): Person => ({
  id,
  username,
  avatar_url: avatarUrlOf({ id, avatar }),
});

/** Users by their ids. */
export async function findPeople(queries: Queries, ids: readonly (number | null)[]): Promise<Map<number, Person>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  if (known.length === 0) return new Map();
  const users = await queries.selectFrom('users').select(['id', 'username', 'avatar']).where('id', 'in', known).execute();
  return new Map(users.map((user) => [user.id, presentPerson(user)]));
}

const NAMES_PER_HOUR = 30;

/** Counts how often a user names others, for an album or to send them something: it reveals who has an account. */
export const namingCounter = (limits: Limits): Counter =>
  limits.counter('users named for albums', { points: NAMES_PER_HOUR, duration: HOUR, durable: true, keepsAll: true });
