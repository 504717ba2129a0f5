import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '#api/client.ts';
import type { NewItem } from '#main/journal/item.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { type SourceOptions, type Spool, sourceOptions } from './spool.ts';

const OPTIONS_EXT = '.json';
/** Names that releases before 0.4 gave to the clipboard's content and to editors' files. */
const CAPTURE_NAME = /^(clipboard-\d{8}-\d{6}-\d{3}\.\w+|editor-[0-9a-f-]{36})$/;

/** Moves what releases before 0.4 had kept into the spool, one by one; whatever else is in the folder stays. `onTaken` puts each into the journal. */
export async function takeOldCaptures(folder: string, spool: Spool, onTaken: (item: NewItem) => void): Promise<void> {
  const names: string[] = await ifMissing(readdir(folder), []);
  for (const name of names.filter((found) => CAPTURE_NAME.test(found)).sort()) {
    const path = join(folder, name);
    onTaken(await spool.adopt(path, await optionsOf(path, names.includes(name + OPTIONS_EXT))));
    await rm(path + OPTIONS_EXT, { force: true });
  }
  if (names.length > 0 && (await readdir(folder)).length === 0) await rmdir(folder);
}

/** Reads the options of a capture. If a power cut has damaged them, the picture is private. */
async function optionsOf(path: string, exist: boolean): Promise<SourceOptions> {
  if (!exist) return {};
  const parsed = sourceOptions.safeParse(parseJson(await readFile(path + OPTIONS_EXT, 'utf8')));
  if (parsed.success) return parsed.data;
  console.error('Couldn’t read the options of a capture, which is uploaded as private:', parsed.error);
  return { fields: { visibility: 'private' } };
}
