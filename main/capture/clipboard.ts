import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Clipboard, ClipboardItem } from 'electron';
import { Reason } from '#main/base/reasons.ts';
import { within } from '#main/base/time-limit.ts';
import type { NewItem } from '#main/journal/item.ts';
import { filesAmong } from '#main/uploader/given-files.ts';
import { fileItem, type SourceOptions, type Spool } from '#main/uploader/spool.ts';
import { captureName } from './capture-name.ts';
import { pictureTypes } from './clipboard-types.ts';

/** Some systems (Wayland) respond late or never. */
const READ_LIMIT_MS = 5_000;
/** Copied files: the same on all systems. */
const FILE_LIST = 'text/uri-list';

/** What the clipboard held at one moment. Each type was read at most once. */
export interface ClipboardContent {
  /** Equal for the same pictures, files and text. */
  mark: string;
  /** Copied files, by absolute path. */
  files: string[];
  /** A copied picture, unless files were copied. */
  picture?: { bytes: Uint8Array; ext: string };
}

/** Reads files, or else a picture, or else text. @throws Reason `clipboardSilent` when the system doesn't respond */
export async function readClipboard(clipboard: Pick<Clipboard, 'read'>): Promise<ClipboardContent> {
  return contentOf(await within(clipboard.read(), READ_LIMIT_MS, () => new Reason('clipboardSilent')));
}

/** The same for items that were read already. */
export async function contentOf(items: readonly ClipboardItem[]): Promise<ClipboardContent> {
  const lists = await Promise.all(items.filter(({ types }) => types.includes(FILE_LIST)).map((item) => readType(item, FILE_LIST)));
  const files = (await Promise.all(lists.map((list) => list.text()))).flatMap(filesOfUriList);
  if (files.length) return { files, mark: markOf(FILE_LIST, files.join('\n')) };
  const picture = await copiedPicture(items);
  if (picture) return { files, picture, mark: markOf(picture.ext, picture.bytes) };
  const textItem = items.find(({ types }) => types.includes('text/plain'));
  const words = textItem ? await (await readType(textItem, 'text/plain')).text() : '';
  return { files, mark: markOf('text/plain', words) };
}

/** The best format that isn't empty: some programs announce formats that they can't deliver. */
async function copiedPicture(items: readonly ClipboardItem[]): Promise<ClipboardContent['picture']> {
  for (const item of items) {
    for (const { type, ext } of pictureTypes(item.types)) {
      const bytes = new Uint8Array(await (await readType(item, type)).arrayBuffer());
      if (bytes.length > 0) return { bytes, ext };
    }
  }
  return undefined;
}

function readType(item: ClipboardItem, type: string): Promise<Blob> {
  return within(item.getType(type) as Promise<Blob>, READ_LIMIT_MS, () => new Reason('clipboardSilent'));
}

function markOf(type: string, content: string | Uint8Array) {
  return createHash('sha256').update(`${type}\0`).update(content).digest('hex');
}

/**
 * The pictures among the clipboard's content: copied files and those in copied folders, otherwise a copied picture, which is kept in the spool.
 * Throws a {@link Reason} when there is none, or when one name is given for several.
 */
export async function clipboardItems(
  { files: copied, picture }: ClipboardContent,
  spool: Spool,
  takesVideos: () => Promise<boolean>,
  options?: SourceOptions,
): Promise<NewItem[]> {
  const files = await filesAmong(copied, takesVideos);
  if (files.length > 1 && options?.name !== undefined) throw new Reason('severalForOneName');
  if (files.length) return files.map((path) => fileItem(path, options));
  if (copied.length > 0) throw new Reason('noPicturesGiven');
  if (!picture) throw new Reason('clipboardEmpty');
  return [await spool.keep(picture.bytes, captureName('clipboard', new Date(), picture.ext), options)];
}

/** The local files in a list in RFC 2483's format. */
export function filesOfUriList(list: string): string[] {
  const lines = list.split(/\r?\n/).filter((line) => line.startsWith('file://'));
  return lines.map((line) => fileURLToPath(line));
}
