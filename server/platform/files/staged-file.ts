import { writeFile } from 'node:fs/promises';

/** A complete file in `tmp/`, or in memory on its way there. */
export interface FileContent {
  readonly path: string;
  /** All of it, if it is in memory. Then nothing is at its path. */
  bytes?: Uint8Array | undefined;
}

/** The path of a file, where it is written first if it is in memory. */
export async function onDisk(file: FileContent): Promise<string> {
  if (!file.bytes) return file.path;
  await writeFile(file.path, file.bytes, { flag: 'wx', mode: 0o600 });
  file.bytes = undefined;
  return file.path;
}
