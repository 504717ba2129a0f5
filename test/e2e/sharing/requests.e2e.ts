import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { changeRequest, createRequest, listRequests } from '#api/sharing/requests.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser } from '#test/helpers/service/data/users.ts';

const photo = async (name: string, seed: number) => ({ name, mimeType: 'image/jpeg', buffer: await photoJpeg({ seed }) });

test('an owner asks for pictures, others send and remove some, and the owner sees who sent what', { tag: '@essential' }, async ({
  page,
  browser,
  owner,
  baseURL,
}) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Wedding' } });
  await page.goto(`/albums/${album.id}`);
  await page.getByRole('button', { name: 'Share Wedding' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Wedding' });
  const form = page.getByRole('dialog', { name: 'Create request link' });
  await expect(dialog.getByText('At first, only you and the album’s members can see them.')).toBeVisible();
  await checkPage(page, 'request links, none');
  await dialog.getByRole('button', { name: 'Create request link' }).click();
  const title = form.getByRole('textbox', { name: 'Title' });
  await expect(title).toHaveValue('Wedding');
  await title.clear();
  await form.getByRole('button', { name: 'Create request link' }).click();
  await expect(form.getByText('Enter a title.')).toBeVisible();
  await title.fill('Our wedding');
  await form.getByRole('textbox', { name: 'Message' }).fill('Please send us your best pictures.');
  await form.getByRole('radio', { name: 'Their own pictures' }).check();
  await checkPage(page, 'request link, new');
  await form.getByRole('button', { name: 'Create request link' }).click();
  await expect(dialog.getByRole('heading', { name: 'Our wedding' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy link: Our wedding' })).toHaveText('Copy link');
  await dialog.getByRole('button', { name: 'QR code' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  await checkPage(page, 'request links');
  const { items } = await owner.client.call(listRequests, { params: { id: album.id }, query: {} });
  const link = new URL(items[0]?.url ?? '').pathname;

  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB', viewport: { width: 390, height: 844 } });
  const guest = await context.newPage();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'Our wedding' })).toBeVisible();
  await expect(guest.getByText('and those with whom they share the album, can see your pictures')).toBeVisible();
  await checkPage(guest, 'request page');
  await expect(guest.getByText('No account needed')).toBeVisible();
  await expect(guest.getByText('Photos and pictures: JPG, PNG, HEIC and others')).toBeVisible();
  await guest
    .locator('input[type=file]')
    .setInputFiles([
      await photo('church.jpg', 1),
      await photo('cake.jpg', 2),
      await photo('dance.jpg', 3),
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
    ]);
  const status = guest.getByRole('status');
  await expect(status).toContainText('3 pictures sent');
  await expect(status).toContainText('1 picture couldn’t be sent');
  await expect(guest.getByText('This kind of file can’t be sent. Photos and pictures such as JPG, PNG or HEIC can.')).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Retry notes.txt' })).toHaveCount(0);
  await guest.getByRole('button', { name: 'Remove notes.txt from the list' }).click();
  await expect(status).toContainText('Thank you! You can close this page now.');
  await expect(guest.locator('section img')).toHaveCount(3);
  await checkPage(guest, 'request page, sent');

  // What was sent is in the album at once, and its owner is told of it.
  await expect(page.getByText('Someone sent 3 pictures')).toBeVisible();
  await expect(page.getByText('New pictures in “Our wedding”')).toBeVisible();
  // A name that is given afterwards counts as well.
  const told = guest.waitForResponse((response) => response.url().endsWith('/done'));
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Ann');
  expect((await told).status()).toBe(200);
  await page.keyboard.press('Escape');
  await expect(tiles(page)).toHaveCount(3);

  await guest.reload();
  await expect(guest.getByRole('textbox', { name: 'Your name' })).toHaveValue('Ann');
  await guest.getByRole('button', { name: 'Remove cake.jpg' }).click();
  const question = guest.getByRole('dialog', { name: 'Remove “cake.jpg”?' });
  await expect(question).toContainText('It moves to the trash of the person who made this link.');
  await checkPage(guest, 'request page, removing');
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(question).toHaveCount(0);
  await expect(guest.getByText('cake.jpg')).toHaveCount(0);
  await expect(tiles(page)).toHaveCount(2);

  // In the trash it's marked, and restored only on its own, once its owner has agreed.
  const albumPage = page.url();
  await page.goto('/trash');
  await expect(tiles(page).first()).toHaveAccessibleName(/Removed by its sender/);
  await page.getByRole('button', { name: 'Restore all' }).click();
  await expect(page.getByText('1 picture stays in the trash: its sender removed it.')).toBeVisible();
  await checkPage(page, 'trash, removed by its sender');
  await tiles(page).first().click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('dialog', { name: 'Restore what its sender removed?' }).getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Picture restored')).toBeVisible();
  await guest.reload();
  await guest.getByRole('button', { name: 'Remove cake.jpg' }).click();
  await guest.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(guest.getByText('cake.jpg')).toHaveCount(0);
  await page.goto(albumPage);

  await page.getByRole('button', { name: 'Share Wedding' }).click();
  await dialog.getByRole('button', { name: 'More actions for Our wedding' }).click();
  await page.getByRole('menuitem', { name: 'Who sent what' }).click();
  const received = page.getByRole('dialog', { name: 'Who sent what: Our wedding' });
  await expect(received.getByText('Ann sent 2 pictures')).toBeVisible();
  await expect(received.getByRole('link', { name: 'Open picture' })).toHaveCount(2);
  await checkPage(page, 'who sent what');
  await received.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: 'More actions for Our wedding' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(dialog.getByText('Paused', { exact: true })).toBeVisible();
  await guest.reload();
  // What they were asked for and what they have sent stay.
  await expect(guest.getByRole('heading', { name: 'Our wedding' })).toBeVisible();
  await expect(guest.getByText('Not taking pictures at the moment')).toBeVisible();
  await expect(guest.locator('section img')).toHaveCount(2);
  await expect(guest.getByRole('textbox')).toHaveCount(0);
  await checkPage(guest, 'request page, paused');
  // The page notices on its own that the link is open again.
  await dialog.getByRole('button', { name: 'More actions for Our wedding' }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await expect(dialog.getByText('Open', { exact: true })).toBeVisible();
  await guest.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(guest.getByRole('button', { name: 'Choose pictures' })).toBeVisible();
  await context.close();
  await page.keyboard.press('Escape');

  // The password comes first, in the language of the sender.
  const secret = await owner.client.call(createRequest, {
    params: { id: album.id },
    body: { title: 'Zweite Runde', show: 'all', access_password: 'open sesame' },
  });
  const chinese = await browser.newContext({ baseURL: baseURL ?? '', locale: 'zh-CN', colorScheme: 'dark' });
  const other = await chinese.newPage();
  await other.goto(new URL(secret.url).pathname);
  await expect(other.getByRole('heading', { name: '此链接受密码保护' })).toBeVisible();
  await expect(other.getByText('Zweite Runde')).toHaveCount(0);
  await other.getByLabel('密码', { exact: true }).fill('open sesame');
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'Zweite Runde' })).toBeVisible();
  await checkPage(other, 'request page, Chinese');
  await other.locator('input[type=file]').setInputFiles([await photo('1.jpg', 11)]);
  await expect(other.getByRole('status')).toContainText('已发送 1 张图片');
  await owner.client.call(changeRequest, { params: { id: album.id, request: secret.id }, body: { expires_in: 0 } });
  await other.getByRole('button', { name: '移除 1.jpg' }).click();
  await other.getByRole('dialog').getByRole('button', { name: '移除' }).click();
  await expect(other.getByText('此链接已结束').first()).toBeVisible();
  await chinese.close();
});

test('a sender waits for the connection, and sends again what a full link has refused', async ({ browser, owner, baseURL }) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Hike' } });
  const body = { title: 'The hike', show: 'none', max_files: 1 } as const;
  const link = await owner.client.call(createRequest, { params: { id: album.id }, body });
  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB', viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(new URL(link.url).pathname);
  await expect(page.getByText('Room for 1 more picture')).toBeVisible();
  const status = page.getByRole('status');
  await context.setOffline(true);
  await page.locator('input[type=file]').setInputFiles([await photo('summit.jpg', 1)]);
  await expect(status).toContainText('The connection is lost.');
  await context.setOffline(false);
  await expect(status).toContainText('1 picture sent');
  await expect(page.getByText('This link is full')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'The hike' })).toBeVisible();
  await expect(page.getByText('This link is full')).toBeVisible();

  await page.getByRole('button', { name: 'Remove summit.jpg' }).click();
  await owner.client.call(changeRequest, { params: { id: album.id, request: link.id }, body: { max_files: 3 } });
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  // What was removed keeps its place.
  await expect(page.getByText('Room for 2 more pictures')).toBeVisible();
  await expect(page.getByText('Sent by you')).toHaveCount(0);
  // Only what there is room for is sent, in order.
  const uploads: string[] = [];
  page.on('request', (request) => request.url().endsWith('/upload') && uploads.push(request.url()));
  await page.locator('input[type=file]').setInputFiles([await photo('a.jpg', 3), await photo('b.jpg', 4), await photo('c.jpg', 5)]);
  await expect(page.getByText('Only the first 2 of the pictures you chose are sent. 1 picture isn’t.')).toBeVisible();
  await expect(status).toContainText('2 pictures sent');
  await expect(page.getByText('This link is full')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose more pictures' })).toHaveCount(0);
  expect(uploads).toHaveLength(2);
  await expect(page.getByText('Sent by you (2)')).toBeVisible();
  // The count follows what is removed; the room doesn’t.
  for (const name of ['a.jpg', 'b.jpg']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toHaveCount(0);
    if (name === 'a.jpg') await expect(status).toContainText('1 picture sent');
  }
  await expect(status).toHaveCount(0);
  await expect(page.getByText('This link is full')).toBeVisible();
  await owner.client.call(changeRequest, { params: { id: album.id, request: link.id }, body: { max_files: 5 } });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('Room for 2 more pictures')).toBeVisible();
  await owner.client.call(changeRequest, { params: { id: album.id, request: link.id }, body: { paused: true } });
  await page.locator('input[type=file]').setInputFiles([await photo('valley.jpg', 2)]);
  await expect(status).toContainText('1 picture couldn’t be sent');
  await expect(page.getByText('Not taking pictures at the moment').first()).toBeVisible();
  await owner.client.call(changeRequest, { params: { id: album.id, request: link.id }, body: { paused: false } });
  await expect(page.getByRole('button', { name: 'Retry valley.jpg' })).toHaveCount(0);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('button', { name: 'Retry valley.jpg' }).click();
  await expect(status).toContainText('1 picture sent');
  await context.close();
});

test('the owner of an album pauses and ends the link of a manager, and can’t change or resume it', async ({ page, service, owner }) => {
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Regatta' } });
  const mika = await addUser(service, 'mika');
  await owner.client.call(putMember, { params: { id }, body: { username: 'mika', role: 'manager' } });
  await mika.client.call(createRequest, { params: { id }, body: { title: 'The finish', show: 'none' } });
  await page.goto(`/albums/${id}`);
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  const dialog = page.getByRole('dialog');
  const actions = dialog.getByRole('button', { name: 'More actions for The finish' });
  await actions.click();
  await expect(page.getByRole('menuitem')).toHaveText(['Who sent what', 'Pause', 'End', 'Delete']);
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(dialog.getByText('Paused', { exact: true })).toBeVisible();
  await actions.click();
  await expect(page.getByRole('menuitem')).toHaveText(['Who sent what', 'End', 'Delete']);
  await page.getByRole('menuitem', { name: 'End' }).click();
  const question = page.getByRole('dialog', { name: 'End “The finish”?' });
  await expect(question).toContainText('unless the member who created it chooses a new end.');
  await question.getByRole('button', { name: 'End' }).click();
  await expect(dialog.getByText('Ended', { exact: true })).toBeVisible();
});
