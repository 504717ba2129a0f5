import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'playwright/test';
import { colourSamples, coloursIn, RECORDED, type Recorded } from '#test/helpers/pictures/colours.ts';

// `RECORD_COLOURS=1 npx playwright test --project=web colours` records what this Chromium shows.

test('Chromium shows every colour as it was recorded for the unit tests', async ({ page, browser }) => {
  const recorded: Recorded = { browser: browser.version(), colours: {} };
  for (const { name, type, file } of await colourSamples()) {
    await page.setContent('<body style="margin: 0"><img style="display: block">');
    const img = page.locator('img');
    await img.evaluate(
      (element: HTMLImageElement, address) => {
        element.src = address;
        return element.decode();
      },
      `data:${type};base64,${file.toString('base64')}`,
    );
    recorded.colours[name] = (await coloursIn(await img.screenshot())).toString('base64');
  }
  if (process.env.RECORD_COLOURS) await writeFile(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
  const { colours } = JSON.parse(await readFile(RECORDED, 'utf8')) as Recorded;
  expect(Object.keys(recorded.colours)).toEqual(Object.keys(colours));
  for (const [name, shown] of Object.entries(recorded.colours)) {
    const [now, then] = [Buffer.from(shown, 'base64'), Buffer.from(colours[name] ?? '', 'base64')];
    // An encoder of another version may change a number by one or two.
    expect(Math.max(...now.map((value, i) => Math.abs(value - (then[i] ?? 0)))), name).toBeLessThanOrEqual(2);
  }
});
