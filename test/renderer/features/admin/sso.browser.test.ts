import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { Discovery, Oidc } from '#api/auth/oidc.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import { ADA } from '#test/helpers/screen/account.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';

const SAVED: Oidc = {
  enabled: true,
  issuer: 'https://login.example.org',
  client_id: 'pixdock',
  client_secret: MASKED_SECRET,
  auto_create: true,
  allowed_email_domains: [],
  allow_insecure_issuer: false,
  trust_email: false,
  allowed_tenants: [],
  groups_claim: 'teams',
  group_map: [],
  redirect_uri: 'https://pictures.example.org/api/v1/auth/oidc/callback',
};
const FOUND: Discovery = {
  ok: true,
  message: '',
  problem: null,
  detail: null,
  issuer: SAVED.issuer,
  authorization_endpoint: `${SAVED.issuer}/authorize`,
  token_endpoint: `${SAVED.issuer}/token`,
  claimed: [],
};

test('testing single sign-on shows what the claim of groups contained at the latest sign-ins, and where it leads', async ({ mount }) => {
  const at = '2026-11-28T18:00:00.000Z';
  let claimed: Discovery['claimed'] = [];
  await mount('/admin/sso', {
    user: { ...ADA, is_owner: true },
    api: {
      'GET /admin/oidc': SAVED,
      'GET /admin/groups': { items: [], next_cursor: null },
      'PUT /admin/oidc': () => ({ ...SAVED, discovery: { ...FOUND, claimed } }),
    },
  });
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect.element(page.getByRole('status')).toMatchTextContent('Nobody has signed in with this claim yet.');
  claimed = [
    { username: 'mika', values: ['design', 'all-staff'], group: 'Designers', at },
    { username: 'noor', values: [], group: 'Default', at },
  ];
  await page.getByRole('button', { name: 'Save and test' }).click();
  const list = page.getByRole('list', { name: 'What the claim contained at the latest sign-ins' });
  await expect.element(list).toMatchTextContent(/mika.*design\s*all-staff\s*→ Designers.*noor.*nothing\s*→ Default/);
  await checkPage('the test of single sign-on');
});
