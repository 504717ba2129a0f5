import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ADA, CARLA } from '#test/helpers/screen/account.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { pictureFile } from '#test/helpers/screen/input.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const MIKA = { ...CARLA, id: 3, username: 'mika' };
const TEAM = {
  users: [ADA, CARLA, MIKA].map(({ id, username }) => ({ id, username, name: username, avatar_url: null })),
  groups: [
    { id: 4, name: 'Writers', member_count: 2 },
    { id: 5, name: 'Nobody yet', member_count: 0 },
  ],
};
const api = { 'GET /team': TEAM } as const;
const dialog = () => page.getByRole('dialog', { name: /^Send \d/ });

test('a picture is sent from the viewer to people and groups that are chosen, and taken back', async ({ mount }) => {
  const image = anImage({ name: 'sea.jpg', has_password: true });
  const { library, service } = await mount('/', { images: [image], users: [CARLA, MIKA], api });
  await tiles().first().click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Send to…' }).click();
  await expect.element(dialog()).toMatchTextContent('Pictures with a password or a view limit don’t appear in their list.');
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(dialog()).toMatchTextContent('Choose at least one person or group.');
  const field = dialog().getByRole('combobox', { name: 'To' });
  await field.click();
  await expect.element(page.getByRole('option', { name: 'Writers' })).toMatchTextContent('2 members');
  await expect.element(page.getByRole('option', { name: 'ada' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('option', { name: 'Nobody yet' })).not.toBeInTheDocument();
  await page.getByRole('option', { name: 'Writers' }).click();
  // Enter takes the first match, and leaving the field what was typed in full.
  await field.fill('carl');
  await userEvent.keyboard('{Enter}');
  await field.fill('Mika');
  await dialog().getByRole('textbox', { name: 'Message' }).click();
  await field.click();
  await expect.element(dialog()).not.toMatchTextContent('Nobody matches');
  await dialog().getByRole('textbox', { name: 'Message' }).fill('Look');
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(service.calls('POST /sent').map(({ body }) => body)).toEqual([
    { keys: [image.key], to: [{ group_id: 4 }, { username: 'carla' }, { username: 'mika' }], message: 'Look' },
  ]);
  const notice = page.getByRole('alert');
  await expect.element(notice).toMatchTextContent('Sent 1 picture to carla, mika');
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect.element(notice).toMatchTextContent('Taken back');
  expect(library.sent).toEqual([]);
});

test('Escape closes the dialog above the viewer, not the viewer', async ({ mount }) => {
  await mount('/', { images: [anImage({ name: 'sea.jpg' })], users: [CARLA], api });
  await tiles().first().click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Send to…' }).click();
  await expect.element(page.getByRole('option', { name: 'carla' })).toBeVisible();
  // First the list, then the dialog.
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('option', { name: 'carla' })).not.toBeInTheDocument();
  await expect.element(dialog()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: 'sea.jpg' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'sea.jpg' })).not.toBeInTheDocument();
});

test('the dialog lists people and groups on a phone and a desktop', async ({ mount }) => {
  await mount('/', { images: [anImage({ name: 'sea.jpg' })], users: [CARLA, MIKA], api });
  await expect.element(tiles()).toHaveLength(1);
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Send to…' }).click();
  await dialog().getByRole('combobox', { name: 'To' }).click();
  await userEvent.keyboard('{Home}{ArrowDown}');
  await expect.element(page.getByRole('option', { name: 'Writers' })).toHaveAttribute('data-combobox-selected');
  await checkPage('choosing recipients');
  await dialog().getByRole('combobox', { name: 'To' }).fill('xyz');
  await expect.element(dialog()).toMatchTextContent('Nobody matches');
});

test('selected pictures are sent to typed names where accounts aren’t listed, and wrong ones are named', async ({ mount }) => {
  const images = [anImage({ name: 'sea.jpg' }), anImage({ name: 'boat.jpg' })];
  const { service } = await mount('/', { images, users: [CARLA], config: { team_directory: false } });
  await expect.element(tiles()).toHaveLength(2);
  await userEvent.keyboard('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Send to…' }).click();
  const field = dialog().getByRole('combobox', { name: 'To' });
  await field.fill('carl');
  await userEvent.keyboard('{Enter}');
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(dialog()).toMatchTextContent('No user of this site is called “carl”.');
  await checkPage('a recipient who doesn’t exist');
  await userEvent.keyboard('{Backspace}');
  // Leaving the field adds what was typed.
  await field.fill('carla');
  await dialog().getByRole('textbox', { name: 'Message' }).click();
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Sent 2 pictures to carla');
  expect(service.calls('POST /sent').at(-1)?.body.to).toEqual([{ username: 'carla' }]);
  expect(service.calls('POST /sent').at(-1)?.body.keys).toHaveLength(2);
  expect(service.calls('GET /team')).toEqual([]);
});

test('what was just uploaded is sent from the panel of uploads', async ({ mount }) => {
  const { library, service } = await mount('/', { users: [CARLA], api });
  await page
    .getByCss('input[type=file]')
    .first()
    .upload([await pictureFile('sea.png'), await pictureFile('boat.png', { width: 61 })]);
  const panel = page.getByRole('region', { name: 'Uploads' });
  await panel.getByRole('button', { name: 'Send to…' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Send 2 pictures' })).toBeVisible();
  await dialog().getByRole('combobox', { name: 'To' }).fill('carla');
  await userEvent.keyboard('{Enter}');
  await checkPage('sending what was just uploaded');
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'Sent 2 pictures to carla' })).toBeVisible();
  const keys = library.images.map(({ key }) => key);
  expect(service.calls('POST /sent')[0]?.body.keys.toSorted()).toEqual(keys.toSorted());
});

test('the address that the desktop app opens leads to the dialog', async ({ mount }) => {
  const image = anImage({ name: 'sea.jpg' });
  const { service } = await mount(`/sent?send=${image.key}`, { images: [image], users: [CARLA], api });
  await dialog().getByRole('combobox', { name: 'To' }).fill('carla');
  await userEvent.keyboard('{Enter}');
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(page.getByRole('main').getByRole('heading', { name: 'To carla' })).toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(service.calls('POST /sent')[0]?.body.keys).toEqual([image.key]);
});

test('an address with a picture that is gone says so', async ({ mount }) => {
  await mount('/sent?send=goneGoneGone', { users: [CARLA], api });
  await expect.element(page.getByRole('main').getByRole('alert')).toMatchTextContent('Refused: not_found');
});
