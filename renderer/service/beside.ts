import { loadLaterStyles } from './later-styles.ts';

const others = [loadLaterStyles];

/** Has something loaded with every part of the application that isn't in its first file. Called again after a failure, and when it is there. */
export function loadBeside(get: () => Promise<void>): void {
  others.push(get);
}

/** Loads a part, and what it needs besides its code: styles and texts. */
export async function withOthers<T>(get: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([get(), ...others.map((other) => other())]);
  return part;
}
