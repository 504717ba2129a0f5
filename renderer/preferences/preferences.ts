import { useSyncExternalStore } from 'react';
import { type Preferences, parsePreferences } from './preference-values.ts';

const KEY = 'pixdock.preferences';

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let current = parsePreferences(read());
const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};
window.addEventListener('storage', (event) => {
  if (event.key !== KEY) return;
  current = parsePreferences(event.newValue);
  announce();
});

export const getPreferences = () => current;

export function subscribePreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Changes preferences in this tab and the browser's other tabs. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage is blocked: the change lasts until the page is closed.
  }
  announce();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, getPreferences);
}
