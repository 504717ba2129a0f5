import { stat } from 'node:fs/promises';
import { PICTURE_EXTS, VIDEO_EXTS } from '#api/formats.ts';
import { compileFilters } from '#transfer/select.ts';
import { walk } from '#transfer/walk.ts';

/** What one action may add, as the pages know it. */
const MAX_FILES = 10_000;

const VIDEOS_TOO = [`**/*.{${[...PICTURE_EXTS, ...VIDEO_EXTS].join(',')}}`];

/**
 * The files that a user has given, by absolute path, with the pictures in folders among them, and the videos where these are taken. What isn't
 * there or can't be read stays in the list: its upload fails with the reason.
 */
export async function filesAmong(paths: readonly string[], takesVideos: () => Promise<boolean>): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (await isFolder(path)) await addPictures(path, files, await takesVideos());
    else files.push(path);
  }
  return files.slice(0, MAX_FILES);
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function addPictures(folder: string, files: string[], takesVideos: boolean) {
  const events = {
    onSkip: () => undefined,
    onError: async ({ relative }: { relative: string }, error: Error) => {
      if (relative === '') throw error;
      console.error('Couldn’t read a part of a folder:', error);
    },
  };
  const filters = compileFilters({ recursive: true, ...(takesVideos && { include: VIDEOS_TOO }) });
  for await (const { path } of walk(folder, filters, events)) {
    files.push(path.toString());
    if (files.length > MAX_FILES) return;
  }
}
