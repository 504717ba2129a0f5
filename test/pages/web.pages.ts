import { test } from 'playwright/test';
import { startTestService } from '#test/helpers/service/service.ts';
import { DEMO_OWNER, fillDemo, signInToDemo } from '../../scripts/dev/demo.ts';
import { demoPages } from '../../scripts/dev/pages.ts';
import { LANGUAGES, takePictures } from './pictures.ts';

test.describe.configure({ mode: 'parallel' });

for (const language of LANGUAGES)
  test(`the web application: ${language}`, async ({ browser }) => {
    test.setTimeout(1_800_000);
    await using service = await startTestService({});
    const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
    const visitor = await browser.newContext({ locale, baseURL: service.url });
    const visitorPage = await visitor.newPage();
    await visitorPage.goto('/');
    await visitorPage.getByRole('heading', { level: 1 }).waitFor();
    await takePictures(visitorPage, 'public-setup', language);

    await fillDemo(
      service.url,
      async () => service.setupCode ?? '',
      () => undefined,
    );
    const owner = await browser.newContext({ locale, baseURL: service.url });
    const { username, password } = DEMO_OWNER;
    await owner.request.post('/api/v1/auth/login', { data: { login: username, password } });
    const ownerPage = await owner.newPage();
    for (const { name, path, isPublic } of await demoPages(await signInToDemo(service.url))) {
      const page = isPublic ? visitorPage : ownerPage;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(path);
      await takePictures(page, name, language);
    }
  });
