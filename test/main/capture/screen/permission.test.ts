import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import { createScreenCapture } from '#main/capture/screen/capture.ts';
import { screenPermission } from '#main/capture/screen/permission.ts';
import { program } from '#main/capture/screen/programs.ts';
import { createTriggers } from '#main/capture/triggers.ts';
import { en } from '#main/texts/en.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

/** The system's part: what it was asked to do, in order. */
function system(platform: NodeJS.Platform, status: 'granted' | 'denied', button = 0) {
  const done: string[] = [];
  const permission = screenPermission({
    platform,
    systemPreferences: { getMediaAccessStatus: () => status },
    desktopCapturer: {
      async getSources() {
        done.push('tried to record');
        throw new Error('Failed to get sources.');
      },
    },
    messageBox: async ({ detail, buttons }) => {
      done.push(`${detail} ${buttons?.join(', ')}`);
      return button;
    },
    shell: { openExternal: async (url) => void done.push(url) },
    texts: () => en,
  });
  return { permission, done };
}

/** The triggers of an app without an account; `tool` leaves a mark when it runs. */
function triggersWith(permission: ReturnType<typeof screenPermission>) {
  const folder = temporaryFolder();
  const mark = join(folder, 'ran');
  const spool = openSpool(folder);
  const notify = vi.fn();
  const tool = program('sh', () => ['-c', `touch '${mark}'; exit 1`]);
  const options = {
    spool,
    notify,
    screenCapture: createScreenCapture({ tools: { region: [tool], window: [], screen: [] }, permission, spool, aside: (take) => take() }),
    preferences: () => DEFAULT_PREFERENCES,
    screenPermission: permission,
    clipboardWatch: { without: (capture: () => unknown) => capture() },
    texts: () => en,
  };
  const triggers = createTriggers(options as unknown as Parameters<typeof createTriggers>[0]);
  return { triggers, notify, hasRun: () => existsSync(mark) };
}

const SETTINGS = 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture';

test('without the permission of macOS, a capture explains it and leads to the settings, where the app is then listed', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  const { permission, done } = system('darwin', 'denied');
  const { triggers, notify, hasRun } = triggersWith(permission);
  await triggers.captureScreen();
  await expect.poll(() => done).toEqual([`${en.screenNotAllowed} Open System Settings, Later`, 'tried to record', SETTINGS]);
  expect([hasRun(), notify.mock.calls]).toEqual([false, []]);
  log.mockRestore();
});

test('the command line gets the same words, and “Later” changes nothing', async () => {
  const { permission, done } = system('darwin', 'denied', 1);
  const { triggers } = triggersWith(permission);
  expect(await triggers.captureScreenFor({ fields: {}, mode: 'region', delay: 0 })).toEqual({ ok: false, message: en.screenNotAllowed });
  await expect.poll(() => done).toHaveLength(1);
});

test.each([
  ['darwin', 'granted'],
  ['linux', 'denied'],
] as const)('captures on %s where the status is %s', async (platform, status) => {
  const { permission, done } = system(platform, status);
  const { triggers, hasRun } = triggersWith(permission);
  await triggers.captureScreen();
  expect([hasRun(), done]).toEqual([true, []]);
});

test('settings that don’t open are reported', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const { permission } = system('darwin', 'denied');
  const { triggers, notify } = triggersWith({ ...permission, explain: () => Promise.reject(new Reason('captureFailed')) });
  await triggers.captureScreen();
  await expect.poll(() => notify.mock.calls).toEqual([[{ title: en.captureTitle, body: en.captureFailed, failure: true }]]);
  log.mockRestore();
});
