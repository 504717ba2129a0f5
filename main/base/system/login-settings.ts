import { shell } from 'electron';

/** The pages of the systems' settings where the user allows programs to start at login. */
const PAGES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension',
  win32: 'ms-settings:startupapps',
};

/** Opens them; on Linux, desktops have no such page. @throws the system's error */
export async function openLoginSettings(platform = process.platform): Promise<undefined> {
  const page = PAGES[platform];
  if (page !== undefined) await shell.openExternal(page);
}
