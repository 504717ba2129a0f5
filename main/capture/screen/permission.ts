import type { DesktopCapturer, Shell, SystemPreferences } from 'electron';
import type { messageBox } from '#main/base/system/message-box.ts';
import type { Texts } from '#main/texts/en.ts';

const SETTINGS = 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture';

/** Whether macOS lets the app record the screen. Without that permission, captures fail or show nothing but the wallpaper. */
export interface ScreenPermission {
  isGranted(): boolean;
  /** Explains what is missing, and opens the page of the system's settings if the user wants. */
  explain(): Promise<void>;
}

interface Options {
  platform: NodeJS.Platform;
  systemPreferences: Pick<SystemPreferences, 'getMediaAccessStatus'>;
  desktopCapturer: Pick<DesktopCapturer, 'getSources'>;
  messageBox: typeof messageBox;
  shell: Pick<Shell, 'openExternal'>;
  texts(): Texts;
}

export function screenPermission({ platform, systemPreferences, desktopCapturer, messageBox, shell, texts }: Options): ScreenPermission {
  /** Tries to record the screen, since the settings list only apps that have tried. */
  async function tryToRecord() {
    try {
      await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width: 0, height: 0 } });
    } catch (error) {
      console.warn('Screen recording isn’t permitted:', error);
    }
  }

  return {
    isGranted: () => platform !== 'darwin' || systemPreferences.getMediaAccessStatus('screen') === 'granted',
    async explain() {
      const button = await messageBox({
        type: 'warning',
        message: texts().captureTitle,
        detail: texts().screenNotAllowed,
        buttons: [texts().openSystemSettings, texts().later],
        defaultId: 0,
        cancelId: 1,
      });
      if (button !== 0) return;
      await tryToRecord();
      await shell.openExternal(SETTINGS);
    },
  };
}
