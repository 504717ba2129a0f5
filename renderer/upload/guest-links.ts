import { useSyncExternalStore } from 'react';
import type { Uploaded } from '#api/images/upload.ts';

// A guest has no account in which to look their links up, so this browser keeps them.

const KEY = 'pixdock.guest-uploads';
/** The latest; each takes about a kilobyte of the browser's five megabytes. */
const MAX_KEPT = 200;

const listeners = new Set<() => void>();

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function parse(text: string | null): readonly Uploaded[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isUploaded) : [];
  } catch {
    return [];
  }
}

/** Another release may have stored something else. */
const isUploaded = (value: Partial<Uploaded> | null): value is Uploaded =>
  typeof value?.key === 'string' && typeof value.name === 'string' && typeof value.links?.url === 'string';

let current = parse(read());

const isLive = ({ expires_at }: Uploaded) => !expires_at || Date.parse(expires_at) > Date.now();

function store(kept: readonly Uploaded[]): void {
  try {
    if (kept.length > 0) localStorage.setItem(KEY, JSON.stringify(kept));
    else localStorage.removeItem(KEY);
    current = kept;
  } catch {
    // Storage is blocked or full: the page says that it doesn't keep these links.
    current = parse(read());
  }
  for (const listener of listeners) listener();
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY) return;
  current = parse(event.newValue);
  for (const listener of listeners) listener();
});

/** Keeps the links of a guest's pictures in this browser until the pictures expire. Does nothing for those that it has. */
export function keepGuestLinks(images: readonly Uploaded[]): void {
  const added = images.filter(({ key }) => !current.some((kept) => kept.key === key));
  if (added.length > 0) store([...added.toReversed(), ...parse(read())].filter(isLive).slice(0, MAX_KEPT));
}

/** Forgets one picture's links, or all. */
export function forgetGuestLinks(forgotten?: string): void {
  const kept = parse(read());
  store(forgotten === undefined ? [] : kept.filter(({ key }) => key !== forgotten));
}

/** The pictures whose links this browser keeps and that haven't expired, the latest first. */
export function useGuestLinks(): readonly Uploaded[] {
  const kept = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  return kept.filter(isLive);
}
