import type { DesktopBridge } from '#api/desktop.ts';
import type { Preferences } from './preference-values.ts';

declare global {
  interface Window {
    pixdock?: DesktopBridge;
  }
}

/** The bridge when the page runs in the desktop window, else undefined. The web application is complete without it. */
export function desktopBridge(): DesktopBridge | undefined {
  return window.pixdock;
}

/** Lets the desktop's tray and notifications speak the page's language and copy in its format, whichever has changed. */
export async function tellDesktop({ linkFormat, language }: Partial<Pick<Preferences, 'linkFormat' | 'language'>>): Promise<void> {
  await desktopBridge()?.setPreferences({
    ...(language && { language: language === 'auto' ? 'system' : language }),
    // The tray copies links to pictures, never to thumbnails.
    ...(linkFormat && linkFormat !== 'thumbnail' && { linkFormat }),
  });
}

/** Calls back whenever main's own uploader (tray, shortcut, folders) has brought a picture. Answers what ends it. */
export function onDesktopUpload(listener: () => void): () => void {
  return desktopBridge()?.onUploadEvent((event) => event.state === 'done' && listener()) ?? (() => undefined);
}
