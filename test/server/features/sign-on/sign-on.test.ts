import { afterAll, describe, expect, it } from 'vitest';
import { createGroup, deleteGroup, listGroups } from '#api/admin/groups.ts';
import { changeUser } from '#api/admin/users.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const { service, owner } = await startFileService();
const provider = await startOidcProvider([`${service.url}${CALLBACK}`]);
await signOnWith(owner, provider);
afterAll(() => provider.stop());

const rowOf = (username: string) =>
  withDatabase(service, (db) => db.read.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst());
const change = (
  id: number,
  changes: { disabled_at?: number | null; email_source?: 'user' | 'admin'; email?: string; email_key?: string },
) =>
  withDatabase(service, (db) => db.as('job').write((queries) => queries.updateTable('users').set(changes).where('id', '=', id).execute()));
const newGroup = async (name: string) => (await owner.client.call(createGroup, { body: { name } })).id;
const groupsBy = async (kind: 'default' | 'owner' | 'guest') => {
  const group = (await owner.client.call(listGroups, { query: {} })).items.find((one) => one.kind === kind);
  if (!group) throw new Error(`no ${kind} group`);
  return group;
};
const countUsers = () => withDatabase(service, async (db) => (await db.read.selectFrom('users').select('id').execute()).length);

describe('a user without an account', () => {
  it('gets one, is signed in, and reaches the start page', async () => {
    provider.people.mia = { email: 'mia@example.net', email_verified: true, preferred_username: 'mia.m', name: 'Mia M' };
    const { location, username, jar } = await signOn(service, 'mia');
    expect({ location, username }).toEqual({ location: '/', username: 'mia.m' });
    expect(await rowOf('mia.m')).toMatchObject({
      email: 'mia@example.net',
      email_source: 'provider',
      role: 'user',
      is_owner: 0,
      password_hash: null,
    });
    expect(jar.cookies(`${service.url}${CALLBACK}`).map(({ name }) => name)).not.toContainEqual(expect.stringContaining('sign_on'));
    expect(provider.requests).toContain('POST /token');
  });

  it('keeps the account the next time, whatever has changed at the provider', async () => {
    const before = await countUsers();
    provider.people.mia = { email: 'married@example.net', preferred_username: 'other' };
    expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia.m' });
    provider.people.mia = {};
    expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia.m' });
    expect(await countUsers()).toBe(before);
  });

  it.each([
    ['the part of the address before the @', { email: 'noah.w@example.net' }, 'noah.w'],
    ['a name with a number where it is taken', { email: 'x1@example.net', preferred_username: 'ADA' }, 'ADA-2'],
    ['an address without its domain', { email: 'x2@example.net', preferred_username: 'olga@corp.example' }, 'olga'],
    ['a name without invalid characters', { email: 'x3@example.net', preferred_username: ' Ol/ga \u202e\u0000 K ' }, 'Ol-ga-K'],
    ['the address where no valid character is left', { email: 'x4@example.net', preferred_username: '@@' }, 'x4'],
    ['a name cut between characters', { email: 'x6@example.net', preferred_username: `${'n'.repeat(45)}👍🏽🇨🇳` }, `${'n'.repeat(45)}`],
    ['the address for letters of several writing systems', { email: 'x7@example.net', preferred_username: 'Иван Petrov' }, 'x7'],
    ['the address for a name that looks like another', { email: 'x8@example.net', preferred_username: 'аda' }, 'x8'],
    ['Chinese with Latin letters', { email: 'x9@example.net', preferred_username: '李 雷 Ray' }, '李-雷-Ray'],
    ['a truncated name', { email: 'x5@example.net', preferred_username: 'n'.repeat(500) }, 'n'.repeat(48)],
  ])('takes as its user name %s', async (_name, claims, expected) => {
    const person = `person-${expected.length}-${expected.slice(0, 5)}`;
    provider.people[person] = claims;
    expect((await signOn(service, person)).username).toBe(expected);
  });

  it('sees an error when the provider returns no valid e-mail address', async () => {
    const before = await countUsers();
    for (const claims of [{}, { preferred_username: 'pia' }, { email: '' }, { email: 'not an address' }] as const) {
      provider.people.pia = claims;
      expect(await signOn(service, 'pia')).toMatchObject({ location: '/login?error=oidc_no_email', username: undefined });
    }
    expect(await countUsers()).toBe(before);
  });

  it('gets none when creation is off or the domain isn’t allowed', async () => {
    const before = await countUsers();
    provider.people.quinn = { email: 'quinn@example.net' };
    await signOnWith(owner, provider, { auto_create: false });
    expect(await signOn(service, 'quinn')).toMatchObject({ location: '/login?error=oidc_not_allowed', username: undefined });
    await signOnWith(owner, provider, { auto_create: true, allowed_email_domains: ['Example.org'] });
    provider.people.evil = { email: 'evil@example.org.evil.net' };
    provider.people.sub = { email: 'x@sub.example.org' };
    provider.people.claims = { email: 'claims@example.org', email_verified: false };
    for (const person of ['quinn', 'evil', 'sub', 'claims']) {
      expect(await signOn(service, person)).toMatchObject({ location: '/login?error=oidc_not_allowed', username: undefined });
    }
    expect(await countUsers()).toBe(before);
    provider.people.silent = { email: 'silent@example.org' };
    expect(await signOn(service, 'silent')).toMatchObject({ location: '/login?error=oidc_not_allowed', username: undefined });
    provider.people.rosa = { email: 'rosa@EXAMPLE.org', email_verified: true };
    expect((await signOn(service, 'rosa')).username).toBe('rosa');
    await signOnWith(owner, provider, { allowed_email_domains: [] });
  });

  it('gets one even if registration is closed', async () => {
    const config = await (await fetch(`${service.url}/api/v1/config`)).json();
    expect(config.data.registration_mode).toBe('closed');
    provider.people.sara = { email: 'sara@example.net' };
    expect((await signOn(service, 'sara')).username).toBe('sara');
  });
});

describe('an existing account', () => {
  it('is found by an address that an admin has set, whatever its case, and linked', async () => {
    const bea = await addUser(service, 'bea');
    provider.people['bea-at-work'] = { email: 'BEA@example.org', email_verified: true };
    expect(await signOn(service, 'bea-at-work')).toMatchObject({ location: '/', userId: bea.id });
    await change(bea.id, { email: 'elsewhere@example.org', email_key: 'elsewhere@example.org' });
    expect((await signOn(service, 'bea-at-work')).userId).toBe(bea.id);
  });

  it('is found without reported verification only where the provider is trusted, and never by an address reported as unverified', async () => {
    const cleo = await addUser(service, 'cleo');
    provider.people.c = { email: 'cleo@example.org' };
    provider.people.n = { email: 'cleo@example.org', email_verified: null };
    provider.people.u = { email: 'cleo@example.org', email_verified: false };
    for (const person of ['c', 'n', 'u'])
      expect(await signOn(service, person)).toMatchObject({ location: '/login?error=oidc_email_taken', username: undefined });
    await signOnWith(owner, provider, { trust_email: true });
    expect((await signOn(service, 'u')).location).toBe('/login?error=oidc_email_taken');
    expect((await signOn(service, 'c')).userId).toBe(cleo.id);
    await signOnWith(owner, provider, { trust_email: false });
  });

  it.each([
    [1, false],
    [2, 'false'],
    [3, 'False'],
    [4, 0],
    [5, 'no'],
    [6, null],
    [7, undefined],
  ])('is never found by an unverified address (%i: %j)', async (number, email_verified) => {
    const victim = `victim-${number}`;
    const user = await addUser(service, victim);
    const person = `attacker-${number}`;
    provider.people[person] = { email: `${victim}@example.org`, email_verified };
    const before = await countUsers();
    expect(await signOn(service, person)).toMatchObject({ location: '/login?error=oidc_email_taken', username: undefined });
    expect(await countUsers()).toBe(before);
    // The real user can still sign in.
    provider.people[`real-${person}`] = { email: `${victim}@example.org`, email_verified: true };
    expect((await signOn(service, `real-${person}`)).userId).toBe(user.id);
  });

  it('is never found by an address that its user entered, which could be a colleague’s', async () => {
    const mallory = await addUser(service, 'mallory');
    const change = await mallory.fetch('/api/v1/user', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'boss@example.org', current_password: 'another good password' }),
    });
    expect(change.status).toBe(200);
    provider.people.boss = { email: 'boss@example.org', email_verified: true };
    expect(await signOn(service, 'boss')).toMatchObject({ location: '/login?error=oidc_email_taken', username: undefined });
  });

  it('is not found by an address that a new user brought unverified', async () => {
    provider.people.early = { email: 'late@example.net', email_verified: false };
    expect((await signOn(service, 'early')).username).toBe('late');
    expect(await rowOf('late')).toMatchObject({ email_source: 'user' });
    provider.people.late = { email: 'late@example.net', email_verified: true };
    expect((await signOn(service, 'late')).location).toBe('/login?error=oidc_email_taken');
    // Until an admin sets the address.
    const id = (await rowOf('late'))?.id ?? 0;
    await owner.client.call(changeUser, { params: { id }, body: { email: 'late@example.net' } });
    expect((await signOn(service, 'late')).userId).toBe(id);
  });

  it('stays closed while disabled, linked or not', async () => {
    const dora = await addUser(service, 'dora');
    provider.people.dora = { email: 'dora@example.org', email_verified: true };
    await change(dora.id, { disabled_at: 1 });
    expect(await signOn(service, 'dora')).toMatchObject({ location: '/login?error=oidc_disabled', username: undefined });
    await change(dora.id, { disabled_at: null });
    expect((await signOn(service, 'dora')).userId).toBe(dora.id);
    await change(dora.id, { disabled_at: 1 });
    expect(await signOn(service, 'dora')).toMatchObject({ location: '/login?error=oidc_disabled', username: undefined });
  });

  it('is never found by its address if its user is the owner or an administrator', async () => {
    const carol = await addUser(service, 'carol', 'admin');
    await signOnWith(owner, provider, { trust_email: true });
    for (const [person, claims] of [
      ['as-owner', { email: 'ada@example.org', email_verified: true }],
      ['as-owner-unsaid', { email: 'ADA@example.org' }],
      ['as-admin', { email: 'carol@example.org', email_verified: true }],
      ['as-admin-unverified', { email: 'carol@example.org', email_verified: false }],
    ] as const) {
      provider.people[person] = claims;
      expect(await signOn(service, person)).toMatchObject({ location: '/login?error=oidc_link_first', username: undefined });
    }
    await signOnWith(owner, provider, { trust_email: false });
    // A member who is linked and becomes an administrator stays linked.
    await owner.client.call(changeUser, { params: { id: carol.id }, body: { role: 'user' } });
    expect((await signOn(service, 'as-admin')).userId).toBe(carol.id);
    await owner.client.call(changeUser, { params: { id: carol.id }, body: { role: 'admin' } });
    expect((await signOn(service, 'as-admin')).userId).toBe(carol.id);
  });
});

it('admits only users of the named tenants, linked ones included', async () => {
  const [ours, theirs] = ['72f988bf-86f1-41af-91ab-2d7cd011db47', '9188040d-6c67-4c5b-b112-36a304b66dad'];
  const people = {
    tess: { email: 'tess@example.net', tid: ours.toUpperCase() },
    otto: { email: 'otto@example.net', tid: theirs },
    nora: {},
  };
  const claims = { openid: ['sub', 'tid'], email: ['email'] };
  await using entra = await startOidcProvider([`${service.url}${CALLBACK}`], {
    people,
    configuration: { claims, conformIdTokenClaims: false },
  });
  await signOnWith(owner, entra);
  expect((await signOn(service, 'otto')).username).toBe('otto');
  await signOnWith(owner, entra, { allowed_tenants: [ours] });
  expect((await signOn(service, 'tess')).username).toBe('tess');
  for (const person of ['otto', 'nora'])
    expect(await signOn(service, person)).toMatchObject({ location: '/login?error=oidc_not_allowed', username: undefined });
  await signOnWith(owner, provider, { allowed_tenants: [] });
});

describe('a claim of groups', () => {
  const claims = { openid: ['sub', 'teams'], email: ['email'] };
  const groupOf = async (username: string) => (await rowOf(username))?.group_id;

  it('moves an account at each sign-in: the first entry of the map counts, otherwise the default group', async () => {
    const [writers, artists] = [await newGroup('Writers'), await newGroup('Artists')];
    const byDefault = (await groupsBy('default')).id;
    await using teams = await startOidcProvider([`${service.url}${CALLBACK}`], { people: {}, configuration: { claims } });
    await signOnWith(owner, teams, {
      groups_claim: 'teams',
      group_map: [
        { value: 'art', group_id: artists },
        { value: 'text', group_id: writers },
      ],
    });
    for (const [sent, expected] of [
      [['text', 'art'], artists],
      ['text', writers],
      [['other', 7, null], byDefault],
      [['TEXT'], byDefault],
      ['art', artists],
      [undefined, byDefault],
    ] as const) {
      teams.people.tara = { email: 'tara@example.net', teams: sent };
      expect(await signOn(service, 'tara')).toMatchObject({ location: '/', username: 'tara' });
      expect([sent, await groupOf('tara')]).toEqual([sent, expected]);
    }
    // A group that is gone is passed over.
    await owner.client.call(deleteGroup, { params: { id: artists } });
    teams.people.tara = { email: 'tara@example.net', teams: ['art', 'text'] };
    await signOn(service, 'tara');
    expect(await groupOf('tara')).toBe(writers);
    await signOnWith(owner, teams, { groups_claim: '' });
    teams.people.tara = { email: 'tara@example.net', teams: [] };
    await signOn(service, 'tara');
    expect(await groupOf('tara')).toBe(writers);
    await signOnWith(owner, provider, { group_map: [] });
  });

  it('tells the owner what it contained at the latest sign-ins, and where that leads now', async () => {
    const [writers, artists] = [await newGroup('Authors'), await newGroup('Painters')];
    const byDefault = (await groupsBy('default')).name;
    await using teams = await startOidcProvider([`${service.url}${CALLBACK}`], { people: {}, configuration: { claims } });
    const save = async (changes: object) => (await signOnWith(owner, teams, changes)).discovery.claimed;
    expect(await save({ groups_claim: 'teams', group_map: [{ value: 'text', group_id: writers }] })).toEqual([]);
    teams.people.vito = { email: 'vito@example.net', teams: ['text', 'x'.repeat(600)] };
    teams.people.wim = { email: 'wim@example.net', teams: [] };
    for (const person of ['vito', 'wim']) await signOn(service, person);
    expect(await save({})).toEqual([
      { username: 'wim', values: [], group: byDefault, at: expect.any(String) },
      { username: 'vito', values: ['text', 'x'.repeat(500)], group: 'Authors', at: expect.any(String) },
    ]);
    // Another map shows where the same values would lead; nobody moves before they sign in again.
    const [, vito] = await save({ group_map: [{ value: 'text', group_id: artists }] });
    expect([vito?.group, await groupOf('vito')]).toEqual(['Painters', writers]);
    // Another claim says nothing about these.
    expect(await save({ groups_claim: 'other' })).toEqual([]);
    expect(await save({ groups_claim: 'teams' })).toEqual([]);
    await signOnWith(owner, provider, { groups_claim: '', group_map: [] });
  });

  it('never changes a role, and moves no account into the groups of guests or the owner', async () => {
    await using teams = await startOidcProvider([`${service.url}${CALLBACK}`], { people: {}, configuration: { claims } });
    for (const kind of ['owner', 'guest'] as const) {
      const map = [{ value: 'all', group_id: (await groupsBy(kind)).id }];
      await expect(signOnWith(owner, teams, { groups_claim: 'teams', group_map: map })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { field: 'group_map.0.group_id', problem: 'not_available' },
      });
    }
    const group = await newGroup('All');
    await signOnWith(owner, teams, { groups_claim: 'teams', group_map: [{ value: 'admin', group_id: group }] });
    teams.people.ulla = { email: 'ulla@example.net', teams: ['admin'] };
    await signOn(service, 'ulla');
    expect(await rowOf('ulla')).toMatchObject({ role: 'user', is_owner: 0, group_id: group });
    await signOnWith(owner, provider, { groups_claim: '', group_map: [] });
  });
});

it('does not mix up users of two providers with the same name', async () => {
  provider.people.twin = { email: 'twin@example.net' };
  const first = await signOn(service, 'twin');
  await using second = await startOidcProvider([`${service.url}${CALLBACK}`], { people: { twin: { email: 'other-twin@example.net' } } });
  await signOnWith(owner, second);
  expect((await signOn(service, 'twin')).userId).not.toBe(first.userId);
  await signOnWith(owner, provider);
});

it.each([
  ['empty', ''],
  ['blank', ' '],
  ['longer than 255 characters', 's'.repeat(256)],
])('admits nobody with a subject that is %s, which users may share', async (_name, subject) => {
  await using careless = await providerOf(subject);
  await signOnWith(owner, careless);
  const before = await countUsers();
  for (const person of ['rhea', 'rory']) {
    expect(await signOn(service, person)).toMatchObject({ location: '/login?error=oidc_failed', username: undefined });
  }
  expect(await countUsers()).toBe(before);
});

it('admits users with a subject of 255 characters', async () => {
  await using wordy = await providerOf('s'.repeat(255));
  await signOnWith(owner, wordy);
  expect(await signOn(service, 'rhea')).toMatchObject({ location: '/', username: 'rhea' });
});

/** A provider that gives all its users the same subject. */
const providerOf = (subject: string) =>
  startOidcProvider([`${service.url}${CALLBACK}`], {
    people: { rhea: { email: 'rhea@example.net' }, rory: { email: 'rory@example.net' } },
    client: { subject_type: 'pairwise' },
    configuration: { conformIdTokenClaims: false, subjectTypes: ['pairwise'], pairwiseIdentifier: () => subject },
  });
