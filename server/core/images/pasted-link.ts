const LINK = /\/(?:i|t|s|delete)\/([0-9A-Za-z]{12})(?![0-9A-Za-z])/;
const KEY = /^[0-9A-Za-z]{12}$/;

/**
 * The key in a pasted link: direct, thumbnail, share or deletion link, alone or inside Markdown and the like. The host does
 * not matter, since links with a former address are still about the same picture.
 * @param exists tells a bare key from a word that only looks like one
 */
export async function pastedKey(text: string | undefined, exists: (key: string) => Promise<boolean>): Promise<string | undefined> {
  if (!text) return undefined;
  const [, key] = LINK.exec(text) ?? [];
  if (key) return key;
  return KEY.test(text) && (await exists(text)) ? text : undefined;
}
