import type { putOidc } from '#api/auth/oidc.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import { findGroupForMembers } from '#server/core/accounts/groups.ts';
import { findOwner } from '#server/core/accounts/users.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Author, Database, Queries } from '#server/platform/db/database.ts';
import { forgetClaimed } from './accounts.ts';
import { requireAllowedIssuer, requireNamedTenants } from './issuer.ts';
import type { OidcProvider, OidcStore } from './provider.ts';

/**
 * Saves the owner's configuration; omitted values, and a masked or empty secret, stay unchanged.
 * @throws InvalidRequestError for an http issuer on another machine, one of any organisation, or a group that can't have members, RequestError `conflict` while the owner has no password
 */
export async function configureProvider(
  db: Database,
  store: OidcStore,
  author: Author,
  changes: RouteParsed<typeof putOidc, 'body'>,
  origin: AuditOrigin,
): Promise<OidcProvider> {
  const { enabled, issuer, client_id, client_secret, auto_create, allowed_email_domains, allow_insecure_issuer } = changes;
  const { trust_email, allowed_tenants, groups_claim, group_map } = changes;
  const before = await store.read();
  const next = {
    enabled,
    issuer,
    clientId: client_id,
    clientSecret: !client_secret || client_secret === MASKED_SECRET ? before.clientSecret : client_secret,
    autoCreate: auto_create ?? before.autoCreate,
    allowedEmailDomains: allowed_email_domains ?? before.allowedEmailDomains,
    allowInsecureIssuer: allow_insecure_issuer ?? before.allowInsecureIssuer,
    trustEmail: trust_email ?? before.trustEmail,
    allowedTenants: allowed_tenants ?? before.allowedTenants,
    groupsClaim: groups_claim ?? before.groupsClaim,
    groupMap: group_map ?? before.groupMap,
  };
  requireAllowedIssuer(next);
  requireNamedTenants(next);
  if (enabled) await requireOwnerPassword(db);
  const details = {
    enabled,
    client_id,
    secret_changed: next.clientSecret !== before.clientSecret,
    trust_email: next.trustEmail,
    groups_claim: next.groupsClaim,
  };
  return store.changeWith(author, next, async (queries) => {
    if (group_map) await requireGroups(queries, group_map);
    if (next.groupsClaim !== before.groupsClaim || next.issuer !== before.issuer) await forgetClaimed(queries);
    await recordAudit(queries, origin, { action: 'oidc.changed', target: issuer, details });
  });
}

async function requireGroups(queries: Queries, map: OidcProvider['groupMap']) {
  for (const [index, { group_id }] of map.entries())
    if (!(await findGroupForMembers(queries, group_id)))
      throw new InvalidRequestError('This group no longer exists, or is reserved for guests or the owner. Choose another one.', {
        field: `group_map.${index}.group_id`,
        problem: 'not_available',
      });
}

/** The desktop's owner may have none, but needs one to sign in from other devices once sign-on is enabled. */
async function requireOwnerPassword(db: Database) {
  const owner = await findOwner(db.read);
  if (owner && owner.password_hash === null)
    throw new RequestError('conflict', 'The owner’s account has no password yet. Set one under Settings → Account first.', {
      problem: 'owner_without_password',
    });
}
