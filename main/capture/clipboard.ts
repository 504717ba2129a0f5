import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Clipboard, ClipboardItem } from 'electron';
import { Reason } from '#main/base/reasons.ts';
import { within } from '#main/base/time-limit.ts';
import { type Captures, fileSource, type Source, type SourceOptions } from '#main/uploader/sources.ts';

/** Milliseconds. Some systems (Wayland) respond late or never. */
const READ_LIMIT = 5_000;
/** Best first: lossless formats before lossy ones. */
const IMAGE_TYPES = { 'image/png': 'png', 'image/webp': 'webp', 'image/gif': 'gif', 'image/jpeg': 'jpg', 'image/bmp': 'bmp' } as const;
const FILE_LIST = 'text/uri-list';
/** Identifies the content of the clipboard. */
const MARKING_TYPES = new Set<string>(['image/png', 'text/plain', FILE_LIST]);

type ImageType = keyof typeof IMAGE_TYPES;
const IMAGE_TYPES_BY_WORTH = Object.keys(IMAGE_TYPES) as ImageType[];

/**
 * Reads the pictures on the clipboard: copied files, otherwise a copied picture, which is saved as a capture.
 * Throws a {@link Reason} when there is none, when one name is given for several, or when the system doesn't respond.
 */
export async function clipboardSources(clipboard: Pick<Clipboard, 'read'>, captures: Captures, options?: SourceOptions): Promise<Source[]> {
  const items = await readItems(clipboard);
  const files = (await Promise.all(items.map(copiedFiles))).flat();
  if (files.length > 1 && options?.name !== undefined) throw new Reason('severalForOneName');
  if (files.length) return files.map((path) => fileSource(path, options));
  const type = IMAGE_TYPES_BY_WORTH.find((wanted) => items.some(({ types }) => types.includes(wanted)));
  const item = type && items.find(({ types }) => types.includes(type));
  if (!type || !item) throw new Reason('clipboardEmpty');
  const blob = await readType(item, type);
  if (blob.size === 0) throw new Reason('clipboardEmpty');
  return [await captures.keep(new Uint8Array(await blob.arrayBuffer()), captureName(new Date(), IMAGE_TYPES[type]), options)];
}

async function copiedFiles(item: ClipboardItem): Promise<string[]> {
  if (!item.types.includes(FILE_LIST)) return [];
  const blob = await readType(item, FILE_LIST);
  return filesOfUriList(await blob.text());
}

function readItems(clipboard: Pick<Clipboard, 'read'>) {
  return within(clipboard.read(), READ_LIMIT, () => new Reason('clipboardSilent'));
}

function readType(item: ClipboardItem, type: string): Promise<Blob> {
  return within(item.getType(type) as Promise<Blob>, READ_LIMIT, () => new Reason('clipboardSilent'));
}

/** A fingerprint of the clipboard: equal for the same pictures, files and text. */
export async function clipboardMark(clipboard: Pick<Clipboard, 'read'>): Promise<string> {
  const hash = createHash('sha256');
  for (const item of await readItems(clipboard)) {
    for (const type of item.types.filter((held) => MARKING_TYPES.has(held))) {
      hash.update(`${type}\0`).update(new Uint8Array(await (await readType(item, type)).arrayBuffer()));
    }
  }
  return hash.digest('hex');
}

/** The local files in a list in RFC 2483's format. */
export function filesOfUriList(list: string): string[] {
  const lines = list.split(/\r?\n/).filter((line) => line.startsWith('file://'));
  return lines.map((line) => fileURLToPath(line));
}

/** `clipboard-20261121-034210-123.png`, in local time. */
export function captureName(at: Date, ext: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  const time = `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}-${String(at.getMilliseconds()).padStart(3, '0')}`;
  return `clipboard-${date}-${time}.${ext}`;
}
