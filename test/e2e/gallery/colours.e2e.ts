import { readFile, writeFile } from 'node:fs/promises';
import { openEditor, openKey, save, tool } from '#test/e2e/editing.ts';
import { expect, test } from '#test/e2e/web.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { colourSamples, coloursIn, RECORDED, type Recorded } from '#test/helpers/pictures/colours.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

// `RECORD_COLOURS=1 npx playwright test --project=web colours` records what this Chromium shows.

const readRecorded = async () => JSON.parse(await readFile(RECORDED, 'utf8')) as Recorded;

/** The largest difference between two lists of colours. */
const difference = (one: Buffer, other: Buffer) => Math.max(...one.map((value, i) => Math.abs(value - (other[i] ?? 0))));

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
  const { colours } = await readRecorded();
  expect(Object.keys(recorded.colours)).toEqual(Object.keys(colours));
  // An encoder of another version may change a number by one or two.
  for (const [name, shown] of Object.entries(recorded.colours))
    expect(difference(Buffer.from(shown, 'base64'), Buffer.from(colours[name] ?? '', 'base64')), name).toBeLessThanOrEqual(2);
});

test('an HDR picture that is edited has the colours that Chromium shows of it', async ({ page, service, owner }) => {
  const name = 'PNG, cICP 9/16, 16 bits';
  const sample = (await colourSamples()).find((other) => other.name === name);
  const image = await uploadImage(service, await owner.token('upload'), sample?.file ?? Buffer.alloc(0), {}, 'hdr.png');
  await openEditor(page, image.key);
  for (const _ of [1, 2]) await tool(page, 'Rotate right').click();
  await save(page, 'Save as a copy');
  await expect.poll(() => openKey(page)).not.toBe(image.key);
  const saved = await contentOf(fetch(`${service.url}/i/${openKey(page)}.png`));
  // Turned by a half, the last colour comes first.
  const shown = Buffer.from((await readRecorded()).colours[name] ?? '', 'base64');
  const turned = Buffer.concat(
    Array.from({ length: shown.length / 3 }, (_, i) => shown.subarray(shown.length - 3 * i - 3, shown.length - 3 * i)),
  );
  expect(difference(await coloursIn(saved), turned)).toBeLessThanOrEqual(1);
  // The page's rules are for pictures of more than a few pixels.
  await page.goto('about:blank');
});
