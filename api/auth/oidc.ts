import { z } from 'zod';
import { MASKED_SECRET, type SIGN_ON_FAULTS } from '#api/constants.ts';
import { asSent, instant, line, nothing, opaqueId, route, typed } from '#api/contract.ts';
import { currentPassword } from './auth.ts';

export type SignOnFault = (typeof SIGN_ON_FAULTS)[number];

const WELL_KNOWN = /\/\.well-known\/openid-configuration$/;

/** A provider's issuer address, or that of its discovery document. */
const issuer = typed(500)
  .refine((text) => text === '' || isIssuer(text), 'it must be an http or https address without a query, such as https://login.example.org')
  .transform((text) => text.replace(WELL_KNOWN, ''));

function isIssuer(text: string): boolean {
  try {
    const { protocol, search, hash, username } = new URL(text);
    return /^https?:$/.test(protocol) && !search && !hash && !username;
  } catch {
    return false; // not an address
  }
}

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'it must be a domain, such as example.org');

/** An Entra tenant id. */
const tenant = typed(100).toLowerCase().pipe(z.guid('it must be a tenant ID, such as 72f988bf-86f1-41af-91ab-2d7cd011db47'));

const groupMapEntry = z.object({ value: line(500, 1), group_id: z.int().min(1) });

/** The SSO provider of this instance. */
const oidc = z.object({
  enabled: z.boolean(),
  issuer: z.string(),
  client_id: z.string(),
  client_secret: z.string().meta({ description: `\`${MASKED_SECRET}\` if one is stored, otherwise empty` }),
  auto_create: z.boolean().meta({ description: 'Whether to create accounts for new users' }),
  allowed_email_domains: z.array(z.string()).meta({ description: 'Email domains for which accounts are created; empty: all' }),
  allow_insecure_issuer: z.boolean().meta({ description: 'Whether to allow an http issuer on another computer' }),
  trust_email: z.boolean().meta({
    description:
      'Whether to match accounts by an email address without `email_verified`; an address with `email_verified: false` never matches',
  }),
  allowed_tenants: z.array(z.string()).meta({ description: 'Entra tenant IDs (claim `tid`) whose users may sign in; empty: all' }),
  groups_claim: z
    .string()
    .meta({ description: 'The claim of the ID token or userinfo that decides in which group an account is; empty: none' }),
  group_map: z.array(groupMapEntry).meta({
    description:
      'At each sign-in, the account moves into the group of the first entry whose value the claim contains, otherwise into the default group; never the owner, and never a role',
  }),
  redirect_uri: z.string().meta({ description: 'The redirect URI to enter at the provider' }),
});
export type Oidc = z.infer<typeof oidc>;

/** What keeps users from signing in through the provider. Programs rely on these values: once published, they keep their meaning. */
const discoveryProblem = z.enum([
  'no_issuer',
  'no_client_id',
  'no_client_secret',
  'connection_refused',
  'unknown_host',
  'no_name_service',
  'connection_closed',
  'unreachable',
  'certificate',
  'timeout',
  'no_document',
  'not_a_provider',
  'incomplete_document',
  'other_issuer',
  'insecure_endpoint',
  'any_tenant',
  'no_algorithm',
  'no_keys',
  'endpoint_unreachable',
  'request_refused',
  'client_refused',
  'clocks_differ',
]);
export type DiscoveryProblem = z.infer<typeof discoveryProblem>;

/** What the claim of groups contained when an account last signed in, and where that would lead now. */
const claimed = z.object({
  username: z.string(),
  values: z.array(z.string()),
  group: z.string().meta({ description: 'The group that the account would get; the owner keeps theirs' }),
  at: instant,
});

/** The result of fetching the issuer's discovery document and trying what else a sign-in needs. */
const discovery = z.object({
  ok: z.boolean(),
  message: z.string(),
  problem: discoveryProblem.nullable().meta({ description: 'What keeps users from signing in; `no_client_secret` also if `ok`' }),
  detail: z
    .string()
    .nullable()
    .meta({ description: 'What the problem is about, such as an error code, an HTTP status, an address, algorithms or minutes' }),
  issuer: z.string().nullable().meta({ description: 'The issuer that the provider reports' }),
  authorization_endpoint: z.string().nullable(),
  token_endpoint: z.string().nullable(),
  claimed: z
    .array(claimed)
    .meta({ description: 'Up to ten accounts that signed in last while this claim of groups was configured, the latest first' }),
});
export type Discovery = z.infer<typeof discovery>;

export const getOidc = route({
  method: 'GET',
  path: '/admin/oidc',
  access: 'admin',
  summary: 'Get the SSO provider, with its secret masked',
  data: oidc,
});

export const putOidc = route({
  method: 'PUT',
  path: '/admin/oidc',
  access: 'owner',
  summary:
    'Configure the SSO provider and test what a sign-in needs; the configuration is saved even if the test fails. Only for the owner',
  body: z.object({
    enabled: z.boolean(),
    issuer,
    client_id: typed(500),
    client_secret: typed(2000)
      .optional()
      .meta({ description: `Empty, absent or \`${MASKED_SECRET}\` keeps the stored one` }),
    auto_create: z.boolean().optional(),
    allowed_email_domains: z.array(domain).max(100).optional(),
    allow_insecure_issuer: z.boolean().optional(),
    trust_email: z.boolean().optional(),
    allowed_tenants: z.array(tenant).max(100).optional(),
    groups_claim: typed(200).optional(),
    group_map: z.array(groupMapEntry).max(100).optional(),
  }),
  data: oidc.extend({ discovery }),
  errors: ['conflict', 'cross_site'],
});

export const startOidc = route({
  method: 'GET',
  path: '/auth/oidc/start',
  access: 'open',
  summary: 'Redirect to the provider to sign in',
  query: z.object({
    next: z
      .string()
      .max(2000)
      .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'it must be a path on this service')
      .optional()
      .meta({ description: 'The path to open after signing in' }),
    moved: z.literal('1').optional().meta({ description: 'Set if the browser was redirected from another address of this service' }),
  }),
  redirects: true,
  errors: ['not_found'],
});

export const oidcCallback = route({
  method: 'GET',
  path: '/auth/oidc/callback',
  access: 'open',
  summary: 'Callback from the provider; signs in and redirects to the home page, or completes a link and redirects to the settings',
  query: z.looseObject({ code: asSent().optional(), state: asSent().optional(), error: asSent().optional() }),
  redirects: true,
});

/** How the caller's account can be reached through SSO. */
const signOnLinks = z.object({
  available: z.boolean().meta({ description: 'Whether SSO is turned on' }),
  links: z.array(
    z.object({
      id: opaqueId,
      issuer: z.string(),
      created_at: instant,
    }),
  ),
});
export type SignOnLinks = z.infer<typeof signOnLinks>;

export const getSignOnLinks = route({
  method: 'GET',
  path: '/user/sign-on',
  access: 'session',
  summary: "List the SSO identities that the caller's account is linked to",
  data: signOnLinks,
});

export const linkSignOn = route({
  method: 'POST',
  path: '/user/sign-on',
  access: 'session',
  summary: "Start linking the caller's account to an SSO identity: open `url` in the same browser",
  body: z.object({ current_password: currentPassword }),
  data: z.object({ url: z.string() }),
  errors: ['not_found', 'conflict', 'wrong_password', 'sign_in_again', 'rate_limited', 'unavailable', 'cross_site'],
});

export const unlinkSignOn = route({
  method: 'DELETE',
  path: '/user/sign-on/:id',
  access: 'session',
  summary: 'Remove an SSO identity from the account; rejected if it’s the only way to sign in',
  params: z.object({ id: opaqueId }),
  body: z.object({ current_password: currentPassword }),
  data: nothing,
  errors: ['not_found', 'conflict', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});
