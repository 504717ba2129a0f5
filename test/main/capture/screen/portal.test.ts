import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hasPortal, portalTool } from '#main/capture/screen/portal.ts';
import { ToolMissing } from '#main/capture/screen/tool.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startBus, startBusWithShortcuts } from './fake-portal.ts';

describe.skipIf(process.platform === 'win32')('the desktop’s dialog for screenshots', () => {
  it('is opened for a selection and returns the file that the user took', async () => {
    const path = join(temporaryFolder(), 'Screenshot from today.png');
    await using bus = await startBus({ code: 0, uri: pathToFileURL(path).href });
    expect(await portalTool(bus.address).capture('')).toEqual({ kind: 'file', path });
    expect(bus.asked).toEqual([{ handle_token: expect.stringMatching(/^pixdock_\w{32}$/), interactive: true }]);
  });

  it('takes all of the screen without a selection', async () => {
    await using bus = await startBus({ code: 0, uri: 'file:///tmp/all.png' });
    expect(await portalTool(bus.address, false).capture('')).toEqual({ kind: 'file', path: '/tmp/all.png' });
    expect(bus.asked).toEqual([expect.objectContaining({ interactive: false })]);
  });

  it('reports which parts of the portal there are', async () => {
    await using bus = await startBusWithShortcuts();
    expect(await hasPortal(bus.address, 'GlobalShortcuts')).toBe(true);
    expect(await hasPortal(bus.address, 'Camera')).toBe(false);
  });

  it('returns nothing when the user cancels', async () => {
    await using bus = await startBus({ code: 1 });
    expect(await portalTool(bus.address).capture('')).toBeUndefined();
  });

  it('fails when it ends in another way', async () => {
    await using bus = await startBus({ code: 2 });
    await expect(portalTool(bus.address).capture('')).rejects.toThrow('it closed without providing a picture.');
  });

  it('is missing on a bus without a portal, and without a bus', async () => {
    await using bus = await startBus();
    await expect(portalTool(bus.address).capture('')).rejects.toBeInstanceOf(ToolMissing);
    const gone = `unix:path=${join(temporaryFolder(), 'gone')}`;
    await expect(portalTool(gone).capture('')).rejects.toBeInstanceOf(ToolMissing);
    expect(await hasPortal(gone, 'GlobalShortcuts')).toBe(false);
    expect(await hasPortal(bus.address, 'GlobalShortcuts')).toBe(false);
    expect(await hasPortal(undefined, 'GlobalShortcuts')).toBe(false);
  });
});
