// Measures the way of a capture through the editor, on the Electron double: from the capture's file to an editor that takes input, and from
// Send to the link on the clipboard. The time that the driver takes to ask is part of both.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { captureTools, choose, cover } from '#test/desktop/drafts.ts';
import type { Desktop } from '#test/desktop/driver.ts';
import { launchDesktop } from '#test/desktop/launch.ts';
import { openWorkshop } from './support/programs.ts';
import { record } from './support/results.ts';
import { noise } from './support/service.ts';

const RUNS = Number(process.env.PIXDOCK_BENCH_CAPTURES ?? 50);
/** A screen, with about as many bytes as a screenshot of one. */
const SCREEN = { width: 1920, height: 1080 };
/** Seconds: the editor opens before the user could look for it. */
const TARGETS = { open: 0.3 };

await using workshop = openWorkshop();
const { folder } = workshop;
const [shot, taken] = [join(folder, 'shot.png'), join(folder, 'taken')];
const desktop = await launchDesktop(
  { kind: 'double' },
  { userData: join(folder, 'user'), ...(await captureTools(folder, shot, `date +%s%N > '${taken}'`)) },
);
try {
  await choose(desktop, { afterCapture: 'edit' });
  const page = await preparedPage(desktop);
  const [opened, sent]: number[][] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    // Another picture each time: the service knows the earlier ones.
    const detail = { input: await noise(200), left: 100 + run, top: 100 };
    writeFileSync(
      shot,
      await sharp({ create: { ...SCREEN, channels: 3, background: '#e8ecee' } })
        .composite([detail])
        .png()
        .toBuffer(),
    );
    await desktop.clearClipboard();
    opened?.push(await open(page));
    await cover(page, [90, 90, 500, 400], SCREEN.width);
    sent?.push(await send(page));
  }
  for (const [name, values, target] of [
    ['from the capture’s file to the editor', opened, TARGETS.open],
    ['from Send to the link on the clipboard', sent, undefined],
  ] as const) {
    for (const part of [50, 95]) {
      const value = percentile(values ?? [], part);
      record({ row: `${name}, p${part}`, value, values: values ?? [], unit: 's', ...(target && { target }), better: 'less' });
    }
  }
} finally {
  await desktop.end();
}

/** The page for drafts, loaded but hidden. */
async function preparedPage({ app }: Desktop): Promise<Page> {
  for (;;) {
    const page = app.windows().find((each) => each.url().endsWith('/edit.html'));
    if (page) {
      await page.waitForFunction(() => document.querySelector('#root')?.childElementCount);
      return page;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Seconds from the end of the program that captures until a click on a tool of the editor has had its effect. */
async function open(page: Page): Promise<number> {
  const isReady = page.evaluate(async () => {
    const until = async (holds: () => boolean) => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
    };
    await until(() => document.querySelector('[data-testid="editor-stage"] canvas') !== null);
    const tool = document.querySelector<HTMLButtonElement>('[role="toolbar"] button[aria-pressed="false"]');
    tool?.click();
    await until(() => tool?.getAttribute('aria-pressed') === 'true');
    return Date.now();
  });
  await desktop.press('Capture…');
  const at = await isReady;
  return (at - Number(readFileSync(taken, 'utf8')) / 1e6) / 1000;
}

async function send(page: Page): Promise<number> {
  const from = performance.now();
  await page.getByRole('button', { name: 'Send' }).click();
  while (!(await desktop.clipboardText()).startsWith('http')) await new Promise((resolve) => setTimeout(resolve, 5));
  const seconds = (performance.now() - from) / 1000;
  await page.getByTestId('editor-stage').waitFor({ state: 'detached' });
  return seconds;
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * part) / 100))] ?? Number.NaN;
}
