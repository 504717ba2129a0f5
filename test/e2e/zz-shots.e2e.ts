import { setUp } from '#test/helpers/service.ts';
import { startOidcProvider } from '#test/helpers/oidc-provider.ts';
import { CALLBACK, signOnWith } from '#test/helpers/sign-on.ts';
import { writeSettings } from '#server/settings/settings.ts';
import { withDatabase } from '#test/helpers/users.ts';
import { test } from './web.ts';
test('shots', async ({ page, service, complaints }) => {
  const owner = await setUp(service);
  await using provider = await startOidcProvider([`${service.url}${CALLBACK}`], {});
  await signOnWith(owner, provider);
  await withDatabase(service, (db) => db.write((q) => writeSettings(q, { registration_mode: 'open' })));
  await service.restart();
  for (const [w, h] of [[1440, 900], [390, 844]] as const) {
    await page.setViewportSize({ width: w, height: h });
    await page.goto(`${service.url}/login?error=oidc_email_taken`);
    await page.getByRole('alert').waitFor();
    await page.screenshot({ path: `/tmp/shots-auth/login-${w}.png` });
    await page.goto(`${service.url}/register`);
    await page.getByLabel('User name').waitFor();
    await page.screenshot({ path: `/tmp/shots-auth/register-${w}.png` });
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel('User name').first().waitFor();
  await page.screenshot({ path: `/tmp/shots-auth/login-dark.png` });
  complaints.splice(0);
});
