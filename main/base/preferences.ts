import { EventEmitter } from 'node:events';
import Store from 'electron-store';
import { z } from 'zod';
import { DEFAULT_PREFERENCES, type Preferences, preferences as schema } from '#api/desktop/preferences.ts';

/** Position and size of the window, in device-independent pixels. */
const windowState = z.object({ x: z.int(), y: z.int(), width: z.int().min(200), height: z.int().min(200), maximized: z.boolean() });
export type WindowState = z.infer<typeof windowState>;

/** The windows whose place is remembered; default: the main one. */
type StoredWindow = 'main' | 'drop' | 'edit';
/** Their keys in the file. */
const WINDOW_KEYS = { main: 'window', drop: 'dropWindow', edit: 'editWindow' } as const;

/** An explanation that the user needs only once. */
export type Hint = 'closes-to-tray' | 'minimizes' | 'data-stays';

/** Settings that the app keeps between starts. */
export interface PreferenceStore {
  get(): Preferences;
  set(change: Partial<Preferences>): void;
  onChange(listener: (next: Preferences) => void): void;
  windowState(which?: StoredWindow): WindowState | undefined;
  rememberWindow(state: WindowState, which?: StoredWindow): void;
  wasSeen(hint: Hint): boolean;
  markSeen(hint: Hint): void;
}

/** Opens `preferences.json` in the app's folder. Invalid values, edited by hand or by another version, count as absent. */
export function setupPreferences(): PreferenceStore {
  const store = new Store<Record<string, unknown>>({ name: 'preferences', clearInvalidConfig: true });
  const events = new EventEmitter<{ change: [Preferences] }>();
  events.setMaxListeners(30); // one for each part of the app that follows them

  function read(): Preferences {
    const { editorAlbum, ...others } = z.record(z.string(), z.unknown()).safeParse(store.get('preferences')).data ?? {};
    // Release 0.4 has a single album.
    const stored: Record<string, unknown> = {
      ...(editorAlbum ? { editorAlbums: [editorAlbum] } : {}),
      // Nor do those who want no notifications, in a release before 0.6, want cards.
      ...(others.notifications === false && { captureCards: false }),
      ...others,
    };
    const entries = Object.entries(schema.shape).map(([name, field]) => {
      const value = field.safeParse(stored[name]);
      return [name, value.success ? value.data : DEFAULT_PREFERENCES[name as keyof Preferences]];
    });
    return schema.parse(Object.fromEntries(entries));
  }

  let current = read();
  return {
    get: () => current,
    set(change) {
      current = schema.parse({ ...current, ...change });
      store.set('preferences', current);
      events.emit('change', current);
    },
    onChange: (listener) => void events.on('change', listener),
    windowState: (which = 'main') => windowState.safeParse(store.get(WINDOW_KEYS[which])).data,
    rememberWindow: (state, which = 'main') => store.set(WINDOW_KEYS[which], state),
    wasSeen: (hint) => store.get(`seen.${hint}`) === true,
    markSeen: (hint) => store.set(`seen.${hint}`, true),
  };
}
