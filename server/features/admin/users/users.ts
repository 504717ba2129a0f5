import { sql } from 'kysely';
import { toKey } from '#server/core/accounts/users.ts';
import { inTrash } from '#server/core/images/lifetime/trash.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { contains } from '#server/platform/db/dialect.ts';
import { keysetPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/** An account with what the list of accounts shows beside it. */
export interface UserWithGroup extends UserRow {
  group_name: string;
  storage_quota_bytes: number;
  last_seen_at: number | null;
  trash_count: number;
  two_factor: number;
  deletion_images: number | null;
  deletion_started_at: number | null;
  heir_id: number | null;
  recipient_name: string | null;
}

export interface UserFilter {
  /** A part of the name or e-mail. */
  q?: string | undefined;
  group_id?: number | undefined;
}

const BY_ID: Order = { direction: 'asc', columns: { 'users.id': 'number' } };

/** Accounts, oldest first. */
export function listUsers(db: Database, { q, group_id, ...page }: UserFilter & PageRequest): Promise<Page<UserWithGroup>> {
  const matching = usersWithGroup(db.read)
    .$if(group_id !== undefined, (query) => query.where('users.group_id', '=', group_id ?? 0))
    .$if(!!q, (query) =>
      query.where((row) => row.or([contains('users.username_key', toKey(q ?? '')), contains('users.email_key', toKey(q ?? ''))])),
    );
  return keysetPage(matching, BY_ID, page);
}

export function findUser(queries: Queries, id: number): Promise<UserWithGroup | undefined> {
  return usersWithGroup(queries).where('users.id', '=', id).executeTakeFirst();
}

function usersWithGroup(queries: Queries) {
  return queries
    .selectFrom('users')
    .innerJoin('groups', 'groups.id', 'users.group_id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .leftJoin('users as recipients', 'recipients.id', 'account_deletions.heir_id')
    .selectAll('users')
    .select(['groups.name as group_name', 'groups.storage_quota_bytes'])
    .select(['account_deletions.images as deletion_images', 'account_deletions.started_at as deletion_started_at'])
    .select(['account_deletions.heir_id', 'recipients.username as recipient_name'])
    .select((row) =>
      row
        .selectFrom('sessions')
        .select((session) => session.fn.max('sessions.last_seen_at').as('seen'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last_seen_at'),
    )
    .select(({ exists, or, selectFrom }) =>
      or([
        exists(selectFrom('two_factor').select('user_id').whereRef('two_factor.user_id', '=', 'users.id')),
        exists(selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id')),
      ])
        .$castTo<number>()
        .as('two_factor'),
    )
    .select(inTrash(queries).where('owner_id', '=', sql.ref<number>('users.id')).$asScalar().$notNull().as('trash_count'));
}
