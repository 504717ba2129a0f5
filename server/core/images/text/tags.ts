import { MAX_TAGS } from '#api/constants.ts';

/** Tags as they are stored: each once, ignoring case, in the given order. */
export function cleanTags(tags: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const tag of tags) {
    if (!seen.has(tag.toLowerCase())) seen.set(tag.toLowerCase(), tag);
  }
  return [...seen.values()];
}

/** The tags of an image after a change; undefined when there would be too many. */
export function changeTags(current: readonly string[], mode: 'add' | 'remove' | 'set', tags: readonly string[]): string[] | undefined {
  const named = new Set(cleanTags(tags).map((tag) => tag.toLowerCase()));
  const kept = current.filter((tag) => !named.has(tag.toLowerCase()));
  const changed = { add: cleanTags([...current, ...tags]), remove: kept, set: cleanTags(tags) }[mode];
  return changed.length > MAX_TAGS ? undefined : changed;
}
