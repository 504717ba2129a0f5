// What Electron does rarely or on some computers only, and the double only on request: ELECTRON_DOUBLE_HOSTILE names the traits, separated by
// commas, or is `all`. Each is in the file of its API. Whatever Electron always does, the double always does, too.

const TRAITS = {
  'never-ready-to-show': 'Windows don’t emit `ready-to-show` (Wayland).',
  'wayland-windows': 'Programs can’t move windows, keep them on top, or show them without focus.',
  'early-events': 'The app’s files and links arrive as events before it is ready, and so does `activate` (macOS).',
  'slow-quit': 'The app takes a moment to exit.',
  relaunches: '`app.relaunch` starts the app again.',
  'notifications-time-out': 'Notifications close by themselves; a click comes afterwards (Windows).',
  'notifications-fail': 'Notifications emit `failed` instead of `show` (unsigned apps on macOS).',
  'notifications-unsupported': 'There are no notifications.',
  'shortcuts-never-fire': 'Shortcuts can be registered, but pressing them does nothing (Wayland).',
  'shortcuts-stay': 'Shortcuts can’t be unregistered (Wayland).',
  'tray-late': 'The panel shows the icon a while after it was made (Linux).',
  'tray-never': 'The panel never shows the icon (Linux).',
  'tray-missed': 'The icon is made before the panel is there, and isn’t offered again (Linux).',
  'tray-restarts': 'The panel restarts once, and icons aren’t offered again (Linux).',
  'clipboard-slow': 'A picture takes a while to read.',
  'dialogs-fail': 'Message boxes can’t be shown.',
  'cookies-slow': 'The cookie store responds late.',
  'cookies-refused': 'The cookie store refuses the first cookie.',
  'keyring-refused': 'The system’s keyring is locked.',
  sleeps: 'The computer suspends and resumes all the time.',
  'shutdown-kills': 'The system ends the app soon after `shutdown` (Linux, macOS).',
} as const;

export type Trait = keyof typeof TRAITS;

/** With these, an API isn’t used at all, which would hide its other traits: `all` leaves them out. */
const ALONE: readonly Trait[] = ['notifications-unsupported', 'tray-never', 'dialogs-fail'];

export function isHostile(trait: Trait): boolean {
  return hostileTraits().includes(trait);
}

export function hostileTraits(): Trait[] {
  const given = (process.env.ELECTRON_DOUBLE_HOSTILE ?? '').split(',').filter(Boolean);
  const known = Object.keys(TRAITS) as Trait[];
  if (given.includes('all')) return known.filter((trait) => !ALONE.includes(trait));
  const unknown = given.filter((name) => !known.includes(name as Trait));
  if (unknown.length > 0) throw new Error(`electron double: no such trait: ${unknown.join(', ')}`);
  return given as Trait[];
}
