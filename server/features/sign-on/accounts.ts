import type { Discovery } from '#api/auth/oidc.ts';
import { cutText } from '#api/plain-text.ts';
import { findGroupForMembers, groupOfKind } from '#server/core/accounts/groups.ts';
import { findUserByEmail, insertUser, isUsernameFree } from '#server/core/accounts/users.ts';
import { moveToGroup } from '#server/core/albums/members.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { OidcProvider } from './provider.ts';
import { SignOnError } from './sign-on-error.ts';

/** A person as the provider describes them. */
export interface Person {
  issuer: string;
  subject: string;
  /** Undefined when the provider sends none. */
  email: string | undefined;
  /** True only when the provider says so, or is trusted without it (`trust_email`). */
  emailVerified: boolean;
  /** The preferred user name of a new account. */
  preferredName: string;
  /** What the claim of groups contains; undefined while none is configured. */
  groups: readonly string[] | undefined;
}

type Rules = Pick<OidcProvider, 'autoCreate' | 'allowedEmailDomains' | 'groupMap'>;

interface SignOn {
  rules: Rules;
  origin: AuditOrigin;
  now: number;
}

/**
 * The account of a person: the linked one, otherwise the one with their address, otherwise a new one. It moves into the group that the
 * provider names. Runs in one unit of writing.
 * @throws SignOnError when there is none and none may be created
 */
export async function accountOf(queries: Queries, person: Person, signOn: SignOn): Promise<UserRow> {
  const user = await findOrCreate(queries, person, signOn);
  return followGroups(queries, user, person, signOn);
}

async function findOrCreate(queries: Queries, person: Person, { rules, origin, now }: SignOn): Promise<UserRow> {
  const linked = await findLinked(queries, person);
  if (linked) return requireEnabled(linked);
  if (person.email === undefined) throw new SignOnError('oidc_no_email', 'the provider sent no email address');
  const known = await findMatching(queries, person, person.email);
  const user = known ?? (await createAccount(queries, { ...person, email: person.email }, rules, now));
  await addIdentity(queries, { user, person, action: known ? 'user.linked' : 'user.registered', origin, now });
  return user;
}

/** Into the group of the first entry whose value the claim contains, otherwise into the default one. The owner stays in a group of their own. */
async function followGroups(queries: Queries, user: UserRow, person: Person, { rules, origin, now }: SignOn): Promise<UserRow> {
  const { groups, issuer, subject } = person;
  if (groups === undefined) return user;
  const claimed_groups = JSON.stringify(groups.slice(0, MAX_CLAIMED).map((value) => cutText(value, MAX_CLAIMED_LENGTH)));
  await queries
    .updateTable('identities')
    .set({ claimed_groups, claimed_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
  if (user.is_owner === 1) return user;
  const group = await groupFor(queries, groups, rules);
  if (group.id === user.group_id) return user;
  await moveToGroup(queries, user, group.id);
  const self = { ...origin, actorId: user.id, actorName: user.username };
  await recordAudit(queries, self, { action: 'user.changed', target: user.username, details: { group_id: group.id } });
  return { ...user, group_id: group.id };
}

/** Values of the claim that are kept for an admin to see, and the length of each. */
const MAX_CLAIMED = 100;
const MAX_CLAIMED_LENGTH = 500;

const groupFor = async (queries: Queries, groups: readonly string[], rules: Pick<Rules, 'groupMap'>) =>
  (await mappedGroup(queries, groups, rules)) ?? (await groupOfKind(queries, 'default'));

/** The accounts that signed in last, with what the claim of groups contained, and where that would lead now. */
export async function listClaimed(queries: Queries, rules: Pick<Rules, 'groupMap'>): Promise<Discovery['claimed']> {
  const rows = await queries
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .innerJoin('groups', 'groups.id', 'users.group_id')
    .select(['username', 'is_owner', 'claimed_groups', 'claimed_at', 'groups.name'])
    .where('claimed_groups', 'is not', null)
    .orderBy('claimed_at', 'desc')
    .orderBy('identities.id', 'desc')
    .limit(10)
    .execute();
  return Promise.all(
    rows.map(async ({ username, is_owner, claimed_groups, claimed_at, name }) => {
      const values = readList<string>(claimed_groups ?? '[]');
      const group = is_owner === 1 ? name : (await groupFor(queries, values, rules)).name;
      return { username, values, group, at: toInstant(claimed_at ?? 0) };
    }),
  );
}

/** Another claim says nothing about what this one contained. */
export async function forgetClaimed(queries: Queries): Promise<void> {
  await queries.updateTable('identities').set({ claimed_groups: null, claimed_at: null }).execute();
}

/** Entries of groups that were deleted meanwhile don't count. */
async function mappedGroup(queries: Queries, groups: readonly string[], { groupMap }: Pick<Rules, 'groupMap'>) {
  for (const { value, group_id } of groupMap) {
    const group = groups.includes(value) ? await findGroupForMembers(queries, group_id) : undefined;
    if (group) return group;
  }
  return undefined;
}

interface NewIdentity {
  user: Pick<UserRow, 'id' | 'username'>;
  person: Person;
  action: 'user.linked' | 'user.registered';
  origin: AuditOrigin;
  now: number;
}

/** Records that a person has an account. Runs in the caller's unit of writing. */
export async function addIdentity(queries: Queries, { user, person, action, origin, now }: NewIdentity): Promise<void> {
  const { issuer, subject } = person;
  await queries.insertInto('identities').values({ user_id: user.id, issuer, subject, created_at: now }).execute();
  const self = { ...origin, actorId: user.id, actorName: user.username };
  await recordAudit(queries, self, { action, target: user.username, details: { issuer, subject } });
}

export function findLinked(queries: Queries, { issuer, subject }: Person): Promise<UserRow | undefined> {
  return queries
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/**
 * The account with the person's address. An address that its user has entered proves nothing: an attacker could have entered
 * a colleague's, who would later sign in to the attacker's account. Nor does an address that the provider hasn't verified.
 * Administrators are never found by it: the provider decides about addresses, and must not decide who administers.
 */
async function findMatching(queries: Queries, { emailVerified }: Person, email: string): Promise<UserRow | undefined> {
  const holder = await findUserByEmail(queries, email);
  if (!holder) return undefined;
  const about = { who: holder.username };
  if (holder.role === 'admin' || holder.is_owner === 1)
    throw new SignOnError('oidc_link_first', 'an administrator’s account has this address; only its user can link it', about);
  if (!emailVerified)
    throw new SignOnError('oidc_email_taken', 'an account here has this address, which the provider hasn’t verified', about);
  if (holder.email_source === 'user')
    throw new SignOnError('oidc_email_taken', 'an account here has this address, which its user entered', about);
  return requireEnabled(holder);
}

function requireEnabled(user: UserRow): UserRow {
  if (user.disabled_at !== null) throw new SignOnError('oidc_disabled', 'the account is disabled', { who: user.username });
  return user;
}

async function createAccount(queries: Queries, person: Person & { email: string }, rules: Rules, now: number): Promise<UserRow> {
  const { email } = person;
  if (!rules.autoCreate) throw new SignOnError('oidc_not_allowed', 'no account, and accounts aren’t created automatically', { who: email });
  if (!isDomainAllowed(person, email, rules.allowedEmailDomains))
    throw new SignOnError('oidc_not_allowed', 'the domain of the address isn’t allowed', { who: email });
  const group = await groupOfKind(queries, 'default');
  const username = await freeName(queries, person.preferredName);
  const emailSource = person.emailVerified ? 'provider' : 'user';
  return insertUser(queries, { username, email, emailSource, passwordHash: null, role: 'user', isOwner: false, groupId: group.id }, now);
}

function isDomainAllowed({ emailVerified }: Person, email: string, domains: string[]): boolean {
  if (domains.length === 0) return true;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return emailVerified && domains.includes(domain);
}

/** An available user name similar to the preferred one. */
async function freeName(queries: Queries, preferred: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? preferred : `${preferred}-${number}`;
    if (await isUsernameFree(queries, name)) return name;
  }
}
