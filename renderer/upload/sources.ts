/** A file to upload, under the name that people will see. */
export interface NamedFile {
  file: File;
  name: string;
}

/** Whether a drag brings files; text and links from the page itself do not. */
export const bringsFiles = (transfer: DataTransfer | null): transfer is DataTransfer => !!transfer?.types.includes('Files');

/**
 * The files of a drop, those in dropped folders included.
 * Must be called while the event is being handled: its entries cannot be read later.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return plain.map((file) => ({ file, name: file.name }));
  const files = (await Promise.all(entries.map(filesIn))).flat();
  // Folders hold all kinds of things; only what may be a picture was meant.
  return files
    .filter((file) => file.type.startsWith('image/') || /\.(heic|heif|avif)$/i.test(file.name))
    .map((file) => ({ file, name: file.name }));
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  // A reader hands out a directory in portions, and says with an empty one that it is done.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!portion.length) return found;
    for (const inner of portion) found.push(...(await filesIn(inner)));
  }
}

/** The files of a paste. Screenshots all come as «image.png», so they get the name that `nameFor` makes up. */
export function pastedFiles(transfer: DataTransfer, nameFor: () => string): NamedFile[] {
  return [...transfer.files].map((file) => {
    const nameless = /^image\.\w+$/.test(file.name);
    return { file, name: nameless ? `${nameFor()}${file.name.slice(file.name.lastIndexOf('.'))}` : file.name };
  });
}
