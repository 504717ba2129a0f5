import { app } from 'electron';

/** Chromium's implementation of shortcuts for Wayland, and its use on GNOME. */
const FEATURES = ['GlobalShortcutsPortal', 'GlobalShortcutsPortalPreferredTrigger'];

/** Under Wayland, registers shortcuts through the desktop's portal. Must be called before Electron is ready. */
export function enableShortcutPortal(platform = process.platform): void {
  if (platform !== 'linux') return;
  const given = app.commandLine.getSwitchValue('enable-features');
  app.commandLine.appendSwitch('enable-features', [given, ...FEATURES].filter(Boolean).join(','));
}
