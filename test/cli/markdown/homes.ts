import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newImage } from '#test/cli/homes.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** A home with these files; pictures where the content is `undefined`. */
export async function homeOf(files: Record<string, string | Buffer | undefined>): Promise<string> {
  const home = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(home, dirname(path)), { recursive: true });
    await writeFile(join(home, path), content ?? newImage());
  }
  return home;
}
