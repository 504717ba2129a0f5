import { formatOfFile, formatOfType } from '#api/formats.ts';
import { isVideoFile } from '#renderer/upload/queue/refusal.ts';

/** A file to upload, with the name to show for it. */
export interface NamedFile {
  file: File;
  name: string;
  /** The names of the folders that it was dropped in, from the dropped one down. */
  folder?: readonly string[];
}

/** Files that were dropped, chosen or pasted together. */
export interface Incoming {
  files: NamedFile[];
  /** Whether there were more than are taken at once. */
  isCut: boolean;
}

/** The desktop app's queue takes as many at once. */
export const MAX_FILES = 10_000;
/** Bounds for folders that hold few pictures: entries looked at, and folders inside each other. */
const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 32;

/** Whether a drag carries files, not text or links from the page itself. */
export const bringsFiles = (transfer: DataTransfer | null): transfer is DataTransfer => !!transfer?.types.includes('Files');

/** Chosen files; those of a chosen folder with their folders. */
export function chosenFiles(list: FileList | null): Incoming {
  const files = [...(list ?? [])].map((file) => {
    const folder = file.webkitRelativePath.split('/').slice(0, -1);
    return folder.length ? { file, name: file.name, folder } : { file, name: file.name };
  });
  return cut(files.filter(({ file, folder }) => !folder || mayBeImage(file)));
}

/**
 * The files of a drop, including those in dropped folders.
 * Must be called while the event is being handled: its entries can't be read later.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<Incoming> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return cut(plain.map((file) => ({ file, name: file.name })));
  const walk = new Walk();
  for (const entry of entries) await walk.visit(entry, []);
  return { files: walk.files, isCut: walk.isFull };
}

/** The same with the folders themselves, for the desktop app: pages loaded from files can't look into them. */
export async function droppedPaths({ files }: DataTransfer): Promise<Incoming> {
  return cut([...files].map((file) => ({ file, name: file.name })));
}

const cut = (files: NamedFile[]): Incoming => ({ files: files.slice(0, MAX_FILES), isCut: files.length > MAX_FILES });

/** What was given where no videos are taken: those in folders, which nobody has chosen one by one, are left out like other files. */
export const withoutVideos = ({ files, isCut }: Incoming): Incoming => ({
  files: files.filter(({ file, folder }) => !folder || !isVideoFile(file)),
  isCut,
});

/** Folders hold other files too; only those that may be images are uploaded. Not all systems know the types of all images. */
const mayBeImage = ({ name, type }: File) => formatOfFile(name) !== undefined || formatOfType(type) !== undefined;

/** Collects the images in dropped folders, within bounds. */
class Walk {
  readonly files: NamedFile[] = [];
  isFull = false;
  #entries = 0;

  async visit(entry: FileSystemEntry, folder: readonly string[]): Promise<void> {
    this.#entries += 1;
    if (this.files.length >= MAX_FILES || this.#entries > MAX_ENTRIES || folder.length > MAX_DEPTH) this.isFull = true;
    else if (entry.isDirectory) await this.#visitAll(entry as FileSystemDirectoryEntry, [...folder, entry.name]);
    else await this.#take(entry as FileSystemFileEntry, folder);
  }

  async #visitAll(entry: FileSystemDirectoryEntry, folder: readonly string[]): Promise<void> {
    const reader = entry.createReader();
    // A reader returns a directory in portions, and an empty one at the end.
    for (;;) {
      const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (!portion.length || this.isFull) return;
      for (const inner of portion) await this.visit(inner, folder);
    }
  }

  async #take(entry: FileSystemFileEntry, folder: readonly string[]): Promise<void> {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    if (mayBeImage(file)) this.files.push(folder.length ? { file, name: file.name, folder } : { file, name: file.name });
  }
}

/** The files of a paste. Screenshots are all called image.png, so they get the name from `nameFor`. */
export function pastedFiles(transfer: DataTransfer, nameFor: () => string): Incoming {
  return cut(
    [...transfer.files].map((file) => {
      const nameless = /^image\.\w+$/.test(file.name);
      return { file, name: nameless ? `${nameFor()}${file.name.slice(file.name.lastIndexOf('.'))}` : file.name };
    }),
  );
}
