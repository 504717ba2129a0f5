import { HOUR } from '#api/durations.ts';
import { anyone } from '#server/core/accounts/authorize.ts';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { requireStrong } from '#server/core/accounts/password-strength.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { insertUser, requireFree, toKey } from '#server/core/accounts/users.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { readSettings, type Settings } from '#server/core/settings/settings.ts';
import { strangersTurn } from '#server/platform/admission/hashing.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { InviteRow, UserRow } from '#server/platform/db/schema/accounts.ts';
import { requirePoint, requirePointsLeft } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { findOpenInvite, spendInvite } from './invites/invites.ts';

interface RegistrationData {
  username: string;
  email: string;
  password: string;
  /** The code of an invite. */
  invite?: string | undefined;
}

/** Creates accounts for users who register themselves, as far as the registration mode allows. */
export interface Registration {
  /** @throws RequestError `forbidden` by the mode or for an invalid invite, `conflict` for a name or address in use, `rate_limited` */
  register(mode: Settings['registration_mode'], data: RegistrationData, origin: AuditOrigin, signal?: AbortSignal): Promise<UserRow>;
  /**
   * Checks an invite before its form is filled in; says no more than `register` would. Only invalid ones count as attempts.
   * @throws RequestError `forbidden` by the mode or for an invalid invite, `rate_limited`
   */
  checkInvite(mode: Settings['registration_mode'], code: string, address: string): Promise<void>;
}

const TRIES_PER_HOUR = 30;
const TOO_MANY = 'Too many registrations from your address.';

export function createRegistration(db: Database, limits: Limits): Registration {
  const tries = limits.counter('registrations', { points: TRIES_PER_HOUR, duration: HOUR });
  return {
    async register(mode, data, origin, signal) {
      refuseIfClosed(mode);
      await requirePoint(tries, networkOf(origin.address), TOO_MANY);
      // Before the slow hash, so that an invalid invite costs nothing.
      await admit(db.read, mode, data);
      await requireStrong(data.password, 'password', [data.username, data.email]);
      const passwordHash = await hashPassword(data.password, strangersTurn(networkOf(origin.address), signal));
      return db.as(anyone).write(async (queries) => {
        // It may have been closed while the password was hashed.
        const { registration_mode: current } = await readSettings(queries);
        refuseIfClosed(current);
        const user = await createAccount(queries, current, data, passwordHash);
        const self = { ...origin, actorId: user.id, actorName: user.username };
        await recordAudit(queries, self, { action: 'user.registered', target: user.username });
        return user;
      });
    },
    async checkInvite(mode, code, address) {
      refuseIfClosed(mode);
      await requirePointsLeft(tries, networkOf(address), TOO_MANY);
      if (await findOpenInvite(db.read, code, Date.now())) return;
      await requirePoint(tries, networkOf(address), TOO_MANY);
      throw invalidInvite();
    },
  };
}

function refuseIfClosed(mode: Settings['registration_mode']) {
  if (mode === 'closed') throw new ForbiddenError('Registration is closed. Ask an administrator for an account.');
}

const invalidInvite = () =>
  new ForbiddenError('This invite isn’t valid. It may have expired or been used. Ask an administrator for a new one.');

async function createAccount(queries: Queries, mode: Settings['registration_mode'], data: RegistrationData, passwordHash: string) {
  const invite = await admit(queries, mode, data);
  const { username, email } = data;
  await requireFree(queries, { username, email });
  const groupId = invite?.group_id ?? (await groupOfKind(queries, 'default')).id;
  // An address that an admin has entered in the invite is trusted; one that the user has entered isn't.
  const emailSource = invite?.email ? 'admin' : 'user';
  const now = Date.now();
  const user = await insertUser(queries, { username, email, emailSource, passwordHash, role: 'user', isOwner: false, groupId }, now);
  if (invite) await spendInvite(queries, { id: invite.id, userId: user.id, now });
  return user;
}

/** The invite that permits a registration, if the mode requires one or the user has one. */
async function admit(
  queries: Queries,
  mode: Settings['registration_mode'],
  { invite: code, email }: RegistrationData,
): Promise<InviteRow | undefined> {
  if (code === undefined && mode === 'open') return undefined;
  const invite = code === undefined ? undefined : await findOpenInvite(queries, code, Date.now());
  if (!invite) throw invalidInvite();
  if (invite.email && toKey(invite.email) !== toKey(email))
    throw new ForbiddenError('This invite is for another email address. Use the address it was sent to.');
  return invite;
}
