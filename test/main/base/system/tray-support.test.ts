import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { APPEAR_LIMIT_MS, SETTLE_TIME_MS, setupTraySupport } from '#main/base/system/tray-support.ts';
import { startPanel } from '#test/desktop/double/system/panel.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

const report = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => void report.mockClear());

/** A desktop whose panel shows icons, and what the app knows of its own. */
async function desktop({ panelIsThere = true, hasHost = true } = {}) {
  const panel = await startPanel(join(temporaryFolder(), 'bus'));
  onTestFinished(() => panel[Symbol.asyncDispose]());
  if (panelIsThere) await panel.come(hasHost);
  const clock = new FakeClock();
  const tray = setupTraySupport({ address: panel.address, mayLackTray: true, clock }, 'linux');
  const missing = vi.fn();
  tray.onMissing(missing);
  await tray.isShown(); // it follows the panel by then
  return { panel, tray, clock, missing, icon: `${panel.ownName}/StatusNotifierItem` };
}

describe.skipIf(process.platform === 'win32')('the tray icon on Linux', () => {
  it('is shown when the panel lists it, not when there is only a panel', async () => {
    const { panel, tray, icon } = await desktop();
    expect(await tray.isShown()).toBe(false);
    panel.add(icon);
    expect(await tray.isShown()).toBe(true);
    await panel.leave();
    expect(await tray.isShown()).toBe(false);
  });

  it('is found in the list of GNOME’s extension, too', async () => {
    const { panel, tray } = await desktop();
    panel.add(`${panel.ownName}@/StatusNotifierItem`);
    expect(await tray.isShown()).toBe(true);
  });

  it('isn’t an icon that belongs to another program', async () => {
    const other = await panelOfAnotherProgram();
    const tray = setupTraySupport({ address: other, mayLackTray: true, clock: new FakeClock() }, 'linux');
    expect(await tray.isShown()).toBe(false);
  });

  it('may appear a while after it was made', async () => {
    const { panel, tray, icon } = await desktop({ panelIsThere: false });
    const appears = tray.appears();
    await panel.come();
    panel.add(icon);
    expect(await appears).toBe(true);
  });

  it('isn’t waited for forever', async () => {
    const { tray, clock } = await desktop();
    const appears = tray.appears();
    clock.pass(APPEAR_LIMIT_MS);
    expect(await appears).toBe(false);
  });

  it('is missing on a panel that has started without it, and on one that shows nothing at first', async () => {
    const { panel, clock, missing, icon } = await desktop({ panelIsThere: false });
    await panel.come(false);
    await expect.poll(() => clock.isAwaited()).toBe(true);
    clock.pass(SETTLE_TIME_MS);
    await expect.poll(() => missing).toHaveBeenCalledTimes(1);
    expect(panel.add(icon)).toBe(false);
    panel.getHost();
    await expect.poll(() => clock.isAwaited()).toBe(true);
    clock.pass(SETTLE_TIME_MS);
    await expect.poll(() => missing).toHaveBeenCalledTimes(2);
  });

  it('isn’t missing where it was offered again', async () => {
    const { panel, tray, clock, missing, icon } = await desktop({ panelIsThere: false });
    await panel.come();
    panel.add(icon);
    await expect.poll(() => clock.isAwaited()).toBe(true);
    clock.pass(SETTLE_TIME_MS);
    expect(await tray.isShown()).toBe(true);
    expect(missing).not.toHaveBeenCalled();
  });

  it('is assumed where that can’t be asked', async () => {
    const options = { mayLackTray: true, clock: new FakeClock() };
    for (const address of [undefined, `unix:path=${join(temporaryFolder(), 'gone')}`]) {
      const tray = setupTraySupport({ ...options, address }, 'linux');
      expect(await tray.isShown()).toBe(true);
    }
    expect(report).toHaveBeenCalledWith(expect.stringContaining('tray icons'), expect.anything());
  });
});

/** The address of a bus on which every icon belongs to another process. */
async function panelOfAnotherProgram(): Promise<string> {
  const program = `
    const { startPanel } = await import(${JSON.stringify(import.meta.resolve('#test/desktop/double/system/panel.ts'))});
    const panel = await startPanel(${JSON.stringify(join(temporaryFolder(), 'bus'))});
    await panel.come();
    panel.add(panel.ownName + '/StatusNotifierItem');
    console.log(panel.address);
    process.stdin.on('end', () => process.exit()).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.stdin.end());
  const [address] = await once(child.stdout, 'data');
  return String(address).trim();
}
