/** A file to upload, with the name to show for it. */
export interface NamedFile {
  file: File;
  name: string;
}

/** Whether a drag carries files, not text or links from the page itself. */
export const bringsFiles = (transfer: DataTransfer | null): transfer is DataTransfer => !!transfer?.types.includes('Files');

/**
 * The files of a drop, including those in dropped folders.
 * Must be called while the event is being handled: its entries can't be read later.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return plain.map((file) => ({ file, name: file.name }));
  const files = (await Promise.all(entries.map(filesIn))).flat();
  // Folders hold other files too; upload only those that may be images.
  return files
    .filter((file) => file.type.startsWith('image/') || /\.(heic|heif|avif)$/i.test(file.name))
    .map((file) => ({ file, name: file.name }));
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  // A reader returns a directory in portions, and an empty one at the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!portion.length) return found;
    for (const inner of portion) found.push(...(await filesIn(inner)));
  }
}

/** The files of a paste. Screenshots are all called image.png, so they get the name from `nameFor`. */
export function pastedFiles(transfer: DataTransfer, nameFor: () => string): NamedFile[] {
  return [...transfer.files].map((file) => {
    const nameless = /^image\.\w+$/.test(file.name);
    return { file, name: nameless ? `${nameFor()}${file.name.slice(file.name.lastIndexOf('.'))}` : file.name };
  });
}
