import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { CARLA } from '#test/helpers/screen/account.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { aReceived, aSent } from '#test/helpers/screen/sent.ts';

const MIKA = { ...CARLA, id: 3, username: 'mika' };
const main = () => page.getByRole('main');

test('what was sent to the user is counted until they see it, opens in the viewer, and can be removed', async ({ mount }) => {
  const [sea, boat] = [anImage({ name: 'sea.jpg', visibility: 'private' }), anImage({ name: 'boat.jpg' })];
  const received = [aReceived(CARLA, [sea, boat], { message: 'The harbour\nthis morning', image_count: 3 })];
  const { library, service } = await mount('/', { users: [CARLA], received });
  const link = page.getByRole('navigation').getByRole('link', { name: 'Sent and received' });
  await expect.element(link).toMatchTextContent('1');
  expect(service.calls('GET /sent').map(({ query }) => query.limit)).toEqual([0]);
  await link.click();
  await expect.element(main().getByRole('heading', { name: 'carla' })).toMatchTextContent('New');
  await expect.element(main()).toMatchTextContent('The harbour this morning');
  await expect.element(main()).toMatchTextContent('1 picture can’t be shown here');
  await expect.poll(() => library.received[0]?.seen_at).not.toBeNull();
  await expect.element(link).not.toMatchTextContent('1');
  // It stays new on the page on which it was.
  await expect.element(main().getByRole('heading', { name: 'carla' })).toMatchTextContent('New');
  await checkPage('what was sent to the user');
  await main().getByRole('button', { name: 'Open boat.jpg' }).click();
  const viewer = page.getByRole('dialog', { name: 'boat.jpg' });
  await expect.element(viewer.getByRole('link', { name: 'Download' })).toHaveAttribute('href', `/i/${boat.key}.${boat.ext}?download=1`);
  await checkPage('a picture that was sent');
  await viewer.getByRole('button', { name: 'Close' }).click();
  await main().getByRole('button', { name: 'Remove what carla sent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.element(main()).toMatchTextContent('Nothing has been sent to you');
  expect(library.received).toEqual([]);
});

test('what arrives while the page is open is announced, counted and listed, and disappears when it is taken back', async ({ mount }) => {
  const { library, service } = await mount('/sent', { users: [CARLA] });
  await expect.element(main()).toMatchTextContent('Nothing has been sent to you');
  await checkPage('nothing was sent');
  const arrived = aReceived(CARLA, [anImage({ name: 'sea.jpg' })]);
  library.received.unshift(arrived);
  service.tell('sent.received', arrived.id);
  await expect.element(page.getByRole('alert')).toMatchTextContent('carla sent you 1 picture');
  await expect.element(main().getByRole('button', { name: 'Open sea.jpg' })).toBeVisible();
  library.received = [];
  service.tell('sent.changed', arrived.id);
  await expect.element(main()).toMatchTextContent('Nothing has been sent to you');
});

test('the sender sees live who has seen it, and takes it back', async ({ mount }) => {
  const sent = [aSent([CARLA, MIKA], [anImage({ name: 'sea.jpg' })], { message: 'Look' })];
  const { library, service } = await mount('/sent', { users: [CARLA, MIKA], sent });
  await main().getByText('Sent by me', { exact: true }).click();
  await expect.element(main().getByRole('heading', { name: 'To carla, mika' })).toBeVisible();
  const who = main().getByRole('list', { name: 'Who has seen it' });
  await expect.element(who.getByRole('listitem').first()).toMatchTextContent('carlaNot seen yet');
  (library.sent[0]?.recipients?.[0] as { seen_at: string }).seen_at = new Date().toISOString();
  service.tell('sent.changed', library.sent[0]?.id ?? '');
  await expect.element(who.getByRole('listitem').first()).toMatchTextContent('Seen');
  await expect.element(who.getByRole('listitem').last()).toMatchTextContent('mikaNot seen yet');
  await checkPage('what the user has sent');
  await main().getByRole('button', { name: 'Take back what you sent to carla, mika' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect.element(main()).toMatchTextContent('You haven’t sent anything yet');
  expect(library.sent).toEqual([]);
});

test('received pictures go into an album of the user’s, one from the viewer, or all that were sent at once', async ({ mount }) => {
  const [sea, boat] = [anImage({ name: 'sea.jpg' }), anImage({ name: 'boat.jpg' })];
  const received = [aReceived(CARLA, [sea, boat])];
  const albums = [anAlbum({ id: 'harbours01', name: 'Harbours' }), anAlbum({ name: 'Team', role: 'contributor' })];
  const { library, service } = await mount('/sent', { users: [CARLA], received, albums });
  await main().getByRole('button', { name: 'Open boat.jpg' }).click();
  await page.getByRole('dialog', { name: 'boat.jpg' }).getByRole('button', { name: 'Add to album' }).click();
  const choice = page.getByRole('dialog', { name: 'Add to album' });
  await expect.element(choice.getByRole('button', { name: 'Harbours' })).toBeVisible();
  await expect.element(choice.getByRole('button', { name: 'Team' })).not.toBeInTheDocument();
  await checkPage('choosing an album for a received picture');
  await choice.getByRole('button', { name: 'Harbours' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Added to Harbours');
  expect(library.inAlbums).toEqual({ harbours01: [boat.key] });
  await page.getByRole('dialog', { name: 'boat.jpg' }).getByRole('button', { name: 'Close' }).click();
  await main().getByRole('button', { name: 'Add what carla sent to an album' }).click();
  await choice.getByRole('button', { name: 'Harbours' }).click();
  await expect.element(choice).not.toBeInTheDocument();
  expect(service.calls('POST /albums/:id/received').map(({ body }) => [body.sent_id, body.keys.length])).toEqual([
    [received[0]?.id, 1],
    [received[0]?.id, 2],
  ]);
});

test('an album shows its owner what was sent to them in it, until it is taken back: the viewer says so', async ({ mount }) => {
  const [sea, boat] = [anImage({ name: 'sea.jpg' }), anImage({ name: 'boat.jpg' })];
  const albums = [anAlbum({ id: 'harbours01', name: 'Harbours' })];
  const { library, service } = await mount('/albums', { users: [CARLA], received: [aReceived(CARLA, [sea, boat])], albums });
  library.inAlbums.harbours01 = [sea.key, boat.key];
  await main()
    .getByRole('link', { name: /^Harbours/ })
    .click();
  const section = main().getByRole('region', { name: 'Sent to me' });
  await expect.element(section).toMatchTextContent('Only you see them in this album.');
  await checkPage('received pictures in an album');
  await section.getByRole('button', { name: 'Open boat.jpg' }).click();
  await page.getByRole('dialog', { name: 'boat.jpg' }).getByRole('button', { name: 'Remove from album' }).click();
  await expect.element(section.getByRole('button', { name: 'Open boat.jpg' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await section.getByRole('button', { name: 'Open sea.jpg' }).click();
  await expect.element(page.getByRole('dialog', { name: 'sea.jpg' })).toBeVisible();
  library.received = [];
  service.tell('sent.changed', 'any');
  await expect.element(page.getByRole('alert')).toMatchTextContent('sea.jpg is no longer here');
  await expect.element(page.getByRole('dialog', { name: 'sea.jpg' })).not.toBeInTheDocument();
  await expect.element(section).not.toBeInTheDocument();
});
