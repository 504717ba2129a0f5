import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const { service, owner } = await startFileService();
const provider = await startOidcProvider([`${service.url}${CALLBACK}`], { configuration: { conformIdTokenClaims: false } });
beforeEach(() => signOnWith(owner, provider));
afterAll(() => provider.stop());

const TAKEN = '/login?error=oidc_email_taken';
let count = 0;

/** Signs on a person whose address, ADDRESS in the claims, is that of a member; returns whether it matched. */
async function matches(claims: (address: string) => (typeof provider.people)[string]): Promise<boolean> {
  const name = `member-${++count}`;
  const { id } = await addUser(service, name);
  provider.people[`person-${count}`] = claims(`${name}@example.org`);
  const { location, userId } = await signOn(service, `person-${count}`);
  expect([
    { location: '/', userId: id },
    { location: TAKEN, userId: undefined },
  ]).toContainEqual({ location, userId });
  return userId === id;
}

describe('an address counts as verified', () => {
  it.each<[string, (address: string) => (typeof provider.people)[string]]>([
    ['by userinfo alone', (email) => ({ email, userinfo: { email_verified: true } })],
    ['by userinfo, which has no address', (email) => ({ idToken: { email }, userinfo: { email_verified: true } })],
    [
      'by userinfo, where the address is written otherwise',
      (email) => ({ idToken: { email }, userinfo: { email: email.toUpperCase(), email_verified: 'True' } }),
    ],
    [
      'by userinfo, beside null in the ID token',
      (email) => ({ email, idToken: { email_verified: null }, userinfo: { email_verified: true } }),
    ],
    ['by the ID token alone, with the address in userinfo', (email) => ({ idToken: { email_verified: true }, userinfo: { email } })],
    ['where the ID token has null for an address', (email) => ({ idToken: { email: null }, userinfo: { email, email_verified: true } })],
    ['where the ID token has an empty address', (email) => ({ idToken: { email: '' }, userinfo: { email, email_verified: true } })],
    ['where the ID token has a blank address', (email) => ({ idToken: { email: ' ' }, userinfo: { email, email_verified: true } })],
    ['where the ID token has an empty list', (email) => ({ idToken: { email: [] }, userinfo: { email, email_verified: true } })],
    ['where the ID token has no valid address', (email) => ({ idToken: { email: 'member' }, userinfo: { email, email_verified: true } })],
    ['where it is a list of one', (email) => ({ email: [email], email_verified: [true] })],
    ['where the provider sends a number', (email) => ({ email, email_verified: 1 })],
  ])('%s', async (_name, claims) => {
    expect(await matches(claims)).toBe(true);
  });
});

describe('an address counts as unverified', () => {
  it.each<[string, (address: string) => (typeof provider.people)[string]]>([
    ['where nothing says more', (email) => ({ email })],
    ['where userinfo verifies another one', (email) => ({ idToken: { email }, userinfo: { email: `x${email}`, email_verified: true } })],
    ['where the ID token denies it', (email) => ({ email, idToken: { email_verified: false }, userinfo: { email_verified: true } })],
    ['where userinfo denies it', (email) => ({ email, idToken: { email_verified: true }, userinfo: { email_verified: false } })],
    ['where it is one of several', (email) => ({ email: [email, `x${email}`], email_verified: true })],
    [
      'where it follows another one',
      (email) => ({ idToken: { email: [email] }, userinfo: { email: [`x${email}`, email], email_verified: true } }),
    ],
    ['where the list of verifications is longer', (email) => ({ email, email_verified: [false, true] })],
    ['where the verification is an object', (email) => ({ email, email_verified: { value: true } })],
  ])('%s', async (_name, claims) => {
    expect(await matches(claims)).toBe(false);
  });

  it('even where addresses are trusted, if the provider denies it anywhere', async () => {
    await signOnWith(owner, provider, { trust_email: true });
    expect(await matches((email) => ({ email, userinfo: { email_verified: false } }))).toBe(false);
    expect(await matches((email) => ({ email: [email, `x${email}`], email_verified: false }))).toBe(false);
    expect(await matches((email) => ({ email: [email, `x${email}`] }))).toBe(true);
    await signOnWith(owner, provider, { trust_email: false });
  });
});

it('counts an address that only userinfo verifies for the list of domains', async () => {
  await signOnWith(owner, provider, { allowed_email_domains: ['example.net'] });
  provider.people.vera = { email: 'vera@example.net', userinfo: { email_verified: true } };
  expect(await signOn(service, 'vera')).toMatchObject({ location: '/', username: 'vera' });
  provider.people.viktor = { email: 'viktor@example.net' };
  expect((await signOn(service, 'viktor')).location).toBe('/login?error=oidc_not_allowed');
  await signOnWith(owner, provider, { allowed_email_domains: [] });
});

it('takes the name from userinfo where only it has one, or the ID token’s is empty', async () => {
  provider.people.n1 = { email: 'n1@example.net', email_verified: true, userinfo: { preferred_username: 'nadia' } };
  provider.people.n2 = { email: 'n2@example.net', email_verified: true, preferred_username: ['nils'], idToken: { preferred_username: '' } };
  expect((await signOn(service, 'n1')).username).toBe('nadia');
  expect((await signOn(service, 'n2')).username).toBe('nils');
});
