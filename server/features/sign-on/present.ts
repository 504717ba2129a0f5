import type { Oidc } from '#api/auth/oidc.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import type { OidcProvider } from './provider.ts';

/** The provider as admins see it, without its secret. */
export function presentProvider(provider: OidcProvider, redirectUri: string): Oidc {
  return {
    enabled: provider.enabled,
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret === null ? '' : MASKED_SECRET,
    auto_create: provider.autoCreate,
    allowed_email_domains: provider.allowedEmailDomains,
    allow_insecure_issuer: provider.allowInsecureIssuer,
    trust_email: provider.trustEmail,
    allowed_tenants: provider.allowedTenants,
    redirect_uri: redirectUri,
  };
}
