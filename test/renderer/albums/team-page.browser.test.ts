import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { CARLA } from '#test/helpers/screen/account.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';

const design = { id: 7, name: 'Design', member_count: 4 };
const albums = () => [
  anAlbum({ name: 'Mine' }),
  anAlbum({ name: 'Named', role: 'viewer', owner: CARLA }),
  anAlbum({ name: 'Ours', for_team: true }),
  anAlbum({ name: 'Both', role: 'viewer', owner: CARLA, for_team: true }),
  anAlbum({ name: 'Drafts', role: 'viewer', owner: CARLA, shared_through: { kind: 'group', name: 'Design' } }),
  anAlbum({ name: 'Party', role: 'contributor', owner: CARLA, shared_through: { kind: 'everyone' } }),
];

test('the team’s page shows who has an account, the groups, and what is shared with all of them', async ({ mount }) => {
  localStorage.clear();
  const { service } = await mount('/albums', { albums: albums(), users: [CARLA], groups: [design] });
  await page.getByRole('link', { name: 'Team' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Team' })).toBeVisible();
  const shared = page.getByRole('list', { name: 'Shared with the team' });
  await expect.element(shared.getByRole('link', { name: /^Drafts, .*for Design$/ })).toBeVisible();
  await expect.element(shared.getByRole('link', { name: /^Party, .*for everyone$/ })).toBeVisible();
  // One’s own, and one that is shared with the user by name as well.
  for (const name of ['Ours', 'Both']) await expect.element(shared.getByRole('link', { name })).toBeVisible();
  for (const other of ['Mine', 'Named']) expect(shared.getByRole('link', { name: other }).elements()).toEqual([]);
  await expect.element(page.getByRole('list', { name: 'People' })).toMatchTextContent(/ada\s*You.*carla/);
  await expect.element(page.getByRole('list', { name: 'Groups' })).toMatchTextContent(/Design\s*4 people/);
  // The first visit has nothing to compare with.
  expect(service.calls('GET /team/new')).toEqual([]);
  await checkPage('the team');
});

test('a later visit says what has come since the one before, and shows it first', async ({ mount }) => {
  localStorage.setItem('pixdock.team.1', '2026-01-02T03:04:05.000Z');
  const all = albums();
  const party = all.find(({ name }) => name === 'Party')?.id ?? '';
  const { service } = await mount('/team', { albums: all, users: [CARLA], news: { [party]: 3 } });
  await expect.element(page.getByText('3 new pictures since your last visit')).toBeVisible();
  const shared = page.getByRole('list', { name: 'Shared with the team' });
  await expect.element(shared.getByRole('link').first()).toHaveAccessibleName(/^Party/);
  expect(service.calls('GET /team/new').map(({ query }) => query)).toEqual([{ since: '2026-01-02T03:04:05.000Z' }]);
  expect(Date.parse(localStorage.getItem('pixdock.team.1') ?? '')).toBeGreaterThan(Date.parse('2026-01-03'));
  await checkPage('the team with new pictures');
});

test('an admin who is alone is led to invitations', async ({ mount }) => {
  await mount('/team', { albums: [], users: [] });
  await expect.element(page.getByRole('link', { name: 'Invite someone' })).toHaveAttribute('href', '/admin/invites');
  await checkPage('a team of one');
});

test('a list of many people is searched', async ({ mount }) => {
  const users = Array.from({ length: 14 }, (_, at) => ({ ...CARLA, id: at + 2, username: `person-${at}` }));
  await mount('/team', { albums: [], users });
  await page.getByLabelText('Find a person').fill('Person-13');
  await expect.element(page.getByRole('list', { name: 'People' })).toMatchTextContent(/^\S*\s*person-13$/i);
  await page.getByLabelText('Find a person').fill('nobody');
  await expect.element(page.getByText('Nobody has such a name.')).toBeVisible();
});

test('where an admin has turned the list off, the page says so and asks nobody', async ({ mount }) => {
  const { service } = await mount('/team', { albums: [], config: { team_directory: false } });
  await expect.element(page.getByText('An admin has turned off the list of people.')).toBeVisible();
  expect(service.calls('GET /team')).toEqual([]);
});

test('the page explains itself on the first visit, and says who is connected', async ({ mount }) => {
  localStorage.clear();
  const users = ([undefined, 'app', 'browser', null] as const).map((connected, at) => ({
    id: at + 1,
    username: ['ada', 'carla', 'mika', 'noor'][at] ?? '',
    name: ['ada', 'carla', 'mika', 'noor'][at] ?? '',
    avatar_url: null,
    connected,
  }));
  const { reopen } = await mount('/team', { albums: [], api: { 'GET /team': { users, groups: [] } } });
  const introduction = page.getByRole('alert').filter({ hasText: 'Everyone who has an account here' });
  await expect.element(introduction).toBeVisible();
  await expect
    .element(page.getByRole('list', { name: 'People' }))
    .toMatchTextContent(/ada\s*You.*carla\s*Connected with the app.*mika\s*Connected now.*noor$/);
  await checkPage('the first visit to the team’s page');
  await introduction.getByRole('button', { name: 'Got it' }).click();
  await expect.element(introduction).not.toBeInTheDocument();
  await reopen();
  await expect.element(page.getByRole('list', { name: 'People' })).toBeVisible();
  await expect.element(introduction).not.toBeInTheDocument();
});
