import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

let images = 10_000_000;

/** A new, unique picture. */
export const newImage = () => tinyPng(images++);

/** A home with a folder `in` that has new pictures at these paths. */
export async function homeWith(...paths: string[]): Promise<string> {
  const home = temporaryFolder();
  await mkdir(join(home, 'in'));
  for (const path of paths) {
    await mkdir(join(home, 'in', dirname(path)), { recursive: true });
    await writeFile(join(home, 'in', path), newImage());
  }
  return home;
}
