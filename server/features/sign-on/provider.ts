import type { Insertable, Selectable } from 'kysely';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Author, Database, Queries } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { isMultiTenant } from './issuer.ts';
import { SignOnError } from './sign-on-error.ts';

/** The sign-on provider as an admin has configured it. */
export interface OidcProvider {
  enabled: boolean;
  /** Empty until configured. */
  issuer: string;
  clientId: string;
  /** Null: none stored, or stored under a `secrets.json` that is gone. */
  clientSecret: string | null;
  /** Whether users without an account get one. */
  autoCreate: boolean;
  /** The e-mail domains whose users get an account; empty for all. */
  allowedEmailDomains: string[];
  /** Whether an http issuer on another machine may be used. */
  allowInsecureIssuer: boolean;
  /** Whether an address counts as verified if the provider doesn't say that it isn't. */
  trustEmail: boolean;
  /** The tenants (claim `tid`) whose users may sign on, in lower case; empty for all. */
  allowedTenants: string[];
  /** The claim that decides in which group an account is; empty for none. */
  groupsClaim: string;
  /** The first entry whose value the claim contains counts. */
  groupMap: GroupOfValue[];
}

interface GroupOfValue {
  value: string;
  group_id: number;
}

const THE_ROW = 1;
const SECRET_PURPOSE = 'oidc';
const NONE: OidcProvider = {
  enabled: false,
  issuer: '',
  clientId: '',
  clientSecret: null,
  autoCreate: true,
  allowedEmailDomains: [],
  allowInsecureIssuer: false,
  trustEmail: false,
  allowedTenants: [],
  groupsClaim: '',
  groupMap: [],
};

/** The provider's configuration. */
export interface OidcStore {
  read(): Promise<OidcProvider>;
  /** Changes it in one unit of writing with `work`. */
  changeWith(author: Author, changes: Partial<OidcProvider>, work: (queries: Queries) => Promise<void>): Promise<OidcProvider>;
}

export function createOidcStore(db: Database, secrets: Secrets): OidcStore {
  const key = secrets.key(SECRET_PURPOSE);
  const read = () =>
    db.cached('oidc provider', async () => {
      const stored = await db.read.selectFrom('oidc_providers').selectAll().where('id', '=', THE_ROW).executeTakeFirst();
      return stored ? fromRow(stored, key) : NONE;
    });
  return {
    read,
    async changeWith(author, changes, work) {
      const next = { ...(await read()), ...changes };
      const row = toRow(next, key);
      await db.as(author).write(async (queries) => {
        await queries
          .insertInto('oidc_providers')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute();
        await work(queries);
      });
      return next;
    },
  };
}

/**
 * Checks, in the unit that signs a user in, that the provider is still the one that has identified them.
 * @throws SignOnError
 */
export async function requireUnchanged(queries: Queries, { issuer, clientId }: OidcProvider): Promise<void> {
  const present = await queries.selectFrom('oidc_providers').selectAll().where('id', '=', THE_ROW).executeTakeFirst();
  if (present?.enabled !== 1 || present.issuer !== issuer || present.client_id !== clientId)
    throw new SignOnError('oidc_failed', 'the provider’s settings changed during the sign-on');
}

/** Whether users can sign in with it: enabled and complete. */
export function isReady({ enabled, issuer, clientId, clientSecret, allowedTenants }: OidcProvider): boolean {
  const isLimited = !isMultiTenant(issuer) || allowedTenants.length > 0;
  return enabled && issuer !== '' && clientId !== '' && clientSecret !== null && isLimited;
}

function fromRow(row: Selectable<Tables['oidc_providers']>, key: Buffer): OidcProvider {
  return {
    enabled: row.enabled === 1,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: (row.sealed_secret !== null && unseal(key, row.sealed_secret)) || null,
    autoCreate: row.auto_create === 1,
    allowedEmailDomains: readList(row.allowed_email_domains),
    allowInsecureIssuer: row.allow_insecure_issuer === 1,
    trustEmail: row.trust_email === 1,
    allowedTenants: readList(row.allowed_tenants),
    groupsClaim: row.groups_claim,
    groupMap: readList(row.group_map),
  };
}

function toRow(provider: OidcProvider, key: Buffer): Insertable<Tables['oidc_providers']> {
  return {
    id: THE_ROW,
    enabled: provider.enabled ? 1 : 0,
    issuer: provider.issuer,
    client_id: provider.clientId,
    sealed_secret: provider.clientSecret === null ? null : seal(key, provider.clientSecret),
    auto_create: provider.autoCreate ? 1 : 0,
    allowed_email_domains: storeList(provider.allowedEmailDomains),
    allow_insecure_issuer: provider.allowInsecureIssuer ? 1 : 0,
    trust_email: provider.trustEmail ? 1 : 0,
    allowed_tenants: storeList(provider.allowedTenants),
    groups_claim: provider.groupsClaim,
    group_map: JSON.stringify(provider.groupMap),
  };
}
