import { expect, it, vi } from 'vitest';
import { Reason } from '#main/base/reasons.ts';
import { startOrExplain } from '#main/fatal.ts';
import { zh } from '#main/texts/zh.ts';

const { app, showErrorBox } = vi.hoisted(() => ({
  app: { whenReady: async () => undefined, getLocale: () => 'zh-CN', exit: vi.fn() },
  showErrorBox: vi.fn(),
}));
vi.mock('electron', () => ({ app, dialog: { showErrorBox } }));

it('explains in the system’s language why the app can’t start, and ends it', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  startOrExplain(() => {
    throw new Reason('newerJournal');
  });
  await vi.waitFor(() => expect(app.exit).toHaveBeenCalledWith(1));
  expect(showErrorBox).toHaveBeenCalledWith('Pixdock 无法启动', zh.newerJournal);
  log.mockRestore();
});
