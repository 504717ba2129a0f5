import type { PhonePoll, PhoneState } from '#api/auth/phones.ts';
import * as api from '#api/auth/phones.ts';
import { HOUR, MINUTE, MINUTE_MS } from '#api/durations.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import { anyone, memberOf } from '#server/core/accounts/authorize.ts';
import { issueToken } from '#server/core/accounts/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { bind } from '#server/core/routes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { newReadableCode } from '#server/platform/base/readable-code.ts';
import { hashSecret, randomSecret } from '#server/platform/base/secret-text.ts';
import type { Author, Database, Queries } from '#server/platform/db/database.ts';
import type { PhoneCodeRow } from '#server/platform/db/schema/accounts.ts';
import { requirePoint } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

export function phoneRoutes({ db, links, limits }: Context) {
  const phones = createPhones(db, limits);
  return [
    bind(api.createPhoneCode, async ({ actor, caller }) => {
      const { code, expiresIn } = await phones.createCode(caller, memberOf(actor).user.id);
      // The code is behind the `#`, so that it stays out of logs.
      return { code, url: `${links.address()}/phone#code=${code}`, expires_in: expiresIn };
    }),

    bind(api.findPhone, ({ actor, body }) => phones.find(memberOf(actor).user.id, body.code)),

    bind(api.decidePhone, async ({ actor, caller, body, request }) => {
      const { code, check_code: checkCode, decision } = body;
      await phones.decide(caller, memberOf(actor).user.id, { code, checkCode, decision }, auditOrigin({ actor, request }));
      return {};
    }),

    bind(api.requestPhone, async ({ actor, body }) => {
      const asked = await phones.request(body.code, body.name, actor.address);
      if (asked.state !== 'asking') return { state: asked.state };
      const { state, phoneCode, checkCode, interval, expiresIn } = asked;
      return { state, phone_code: phoneCode, check_code: checkCode, interval, expires_in: expiresIn };
    }),

    bind(api.pollPhone, ({ actor, body }) => phones.poll(body.phone_code, actor.address)),
  ];
}

/** Of a code until a phone asks with it, and then of the request. */
const LIFETIME_MS = 5 * MINUTE_MS;
/** Seconds between two polls. */
const INTERVAL = 2;

const CODES_PER_HOUR = 60;
const REQUESTS_PER_HOUR = 60;
/** Four phones of one network that poll as they should. */
const POLLS_PER_MINUTE = 120;
const TOO_MANY = 'Too many requests from your address.';

type Asked = { state: 'used' | 'expired' } | { state: 'asking'; phoneCode: string; checkCode: string; interval: number; expiresIn: number };

interface Choice {
  code: string;
  checkCode: string;
  decision: 'approve' | 'deny';
}

/** Phones that ask for a token with a code that a user shows to them. */
interface Phones {
  /** Replaces the user's code before, unless its phone is about to get its token. @throws RequestError `rate_limited` */
  createCode(author: Author, userId: number): Promise<{ code: string; expiresIn: number }>;
  find(userId: number, code: string): Promise<PhoneState>;
  /** @throws NotFoundError unless a phone that shows this check code is asking */
  decide(author: Author, userId: number, choice: Choice, origin: AuditOrigin): Promise<void>;
  /** Asks with a code, which no other phone can do from then on. @throws RequestError `rate_limited` */
  request(code: string, name: string, address: string): Promise<Asked>;
  /** @throws RequestError `rate_limited` */
  poll(phoneCode: string, address: string): Promise<PhonePoll>;
}

function createPhones(db: Database, limits: Limits): Phones {
  const created = limits.counter('codes for phones', { points: CODES_PER_HOUR, duration: HOUR });
  const asked = limits.counter('requests of phones', { points: REQUESTS_PER_HOUR, duration: HOUR });
  const polls = limits.counter('polls of phones', { points: POLLS_PER_MINUTE, duration: MINUTE });

  return {
    async createCode(author, userId) {
      await requirePoint(created, String(userId), 'Too many new codes.');
      const code = randomSecret();
      const row = { code_hash: hashSecret(code), user_id: userId, state: 'waiting', expires_at: Date.now() + LIFETIME_MS } as const;
      await db.as(author).write(async (queries) => {
        await queries.deleteFrom('phone_codes').where('expires_at', '<=', Date.now()).execute();
        await queries.deleteFrom('phone_codes').where('user_id', '=', userId).where('state', '<>', 'approved').execute();
        await queries
          .insertInto('phone_codes')
          .values({ ...row, phone_hash: null, check_code: '', name: '', address: '' })
          .execute();
      });
      return { code, expiresIn: LIFETIME_MS / 1000 };
    },

    async find(userId, code) {
      const row = await live(db.read, 'code_hash', code);
      return row?.user_id === userId ? present(row) : { state: 'expired' };
    },

    async decide(author, userId, { code, checkCode, decision }, origin) {
      const isApproved = decision === 'approve';
      await db.as(author).write(async (queries) => {
        const row = await live(queries, 'code_hash', code);
        const isAsking = row?.user_id === userId && row.state === 'asking' && row.check_code === checkCode;
        if (!isAsking || !(await change(queries, row, { state: isApproved ? 'approved' : 'denied' })))
          throw new NotFoundError('No phone is asking with this code. Show a new code, and scan it again.');
        const action = isApproved ? 'device.approved' : 'device.denied';
        await recordAudit(queries, origin, { action, target: row.name, details: { address: row.address } });
      });
    },

    async request(code, name, address) {
      await requirePoint(asked, networkOf(address), TOO_MANY);
      return db.as(anyone).write(async (queries) => {
        const row = await live(queries, 'code_hash', code);
        if (row?.state !== 'waiting') return { state: row ? 'used' : 'expired' };
        const [phoneCode, checkCode] = [randomSecret(), newReadableCode(1)];
        const phone = { phone_hash: hashSecret(phoneCode), check_code: checkCode, name, address };
        const isFirst = await change(queries, row, { ...phone, state: 'asking', expires_at: Date.now() + LIFETIME_MS });
        if (!isFirst) return { state: 'used' };
        return { state: 'asking', phoneCode, checkCode, interval: INTERVAL, expiresIn: LIFETIME_MS / 1000 };
      });
    },

    async poll(phoneCode, address) {
      await requirePoint(polls, networkOf(address), TOO_MANY);
      const row = await live(db.read, 'phone_hash', phoneCode);
      if (row?.state !== 'approved') return { state: POLLED[row?.state ?? 'expired'] };
      return db.as(anyone).write(async (queries) => {
        // Another poll may have been faster, or the approval withdrawn.
        const current = await live(queries, 'phone_hash', phoneCode);
        if (current?.state !== 'approved') return { state: POLLED[current?.state ?? 'expired'] };
        if (!(await change(queries, current, { state: 'connected' }))) return { state: 'used' };
        const issued = await issueToken(queries, { userId: current.user_id, name: current.name, scope: 'upload' });
        return issued ? { state: 'approved', token: issued.secret, username: issued.username } : { state: 'expired' };
      });
    },
  };
}

/** What a phone learns, unless it gets its token. */
const POLLED = {
  waiting: 'pending',
  asking: 'pending',
  connected: 'used',
  denied: 'denied',
  approved: 'pending',
  expired: 'expired',
} as const;

/** The row with a secret, unless it has expired. */
function live(queries: Queries, column: 'code_hash' | 'phone_hash', secret: string): Promise<PhoneCodeRow | undefined> {
  return queries
    .selectFrom('phone_codes')
    .selectAll()
    .where(column, '=', hashSecret(secret))
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
}

/** Changes a row, unless another service on the same database has changed its state since it was read; returns whether it did. */
async function change(queries: Queries, { code_hash, state }: PhoneCodeRow, values: Partial<PhoneCodeRow>): Promise<boolean> {
  const update = queries.updateTable('phone_codes').set(values).where('code_hash', '=', code_hash).where('state', '=', state);
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

function present({ state, name, check_code, address, expires_at }: PhoneCodeRow): PhoneState {
  if (state === 'waiting') return { state, expires_at: toInstant(expires_at) };
  if (state === 'asking') return { state, name, check_code, address, expires_at: toInstant(expires_at) };
  return { state, name };
}
