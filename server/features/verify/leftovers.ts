import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { WEB_FORMATS } from '#server/core/images/formats.ts';
import { isRecorded, refOf } from '#server/platform/storage/blob-rows.ts';
import { filesBelow } from '#server/platform/storage/local.ts';
import type { Finding, Subject } from './finding.ts';

const NAMES = new Set<string>(THUMBNAIL_WIDTHS.flatMap((width) => ['jpg', ...WEB_FORMATS].map((ext) => `${width}.${ext}`)));

/** Checks that every thumbnail belongs to a blob. The service replaces damaged ones when they are opened (decision 126). */
export async function* checkThumbnails(subject: Subject): AsyncGenerator<Finding> {
  const root = join(subject.dataDir, 'thumbs');
  if (!existsSync(root)) return;
  for await (const path of filesBelow(root)) {
    if (await isOfBlob(subject, path)) continue;
    yield {
      problem: `The thumbnail ${path} doesn’t belong to any picture.`,
      advice: '--repair removes it.',
      repair: { done: 'Removed.', run: () => rm(path) },
    };
  }
}

async function isOfBlob(subject: Subject, path: string): Promise<boolean> {
  const ref = refOf(basename(dirname(path)));
  return ref !== undefined && NAMES.has(basename(path)) && isRecorded(subject, ref);
}

/** Checks that nothing is left of uploads that a crash has interrupted. */
export async function* checkTemporary({ dataDir }: Subject): AsyncGenerator<Finding> {
  const folder = join(dataDir, 'tmp');
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    yield {
      problem: `${path} is left over from an interrupted operation.`,
      advice: 'The service removes it when it starts, and so does --repair.',
      repair: { done: 'Removed.', run: () => rm(path, { recursive: true }) },
    };
  }
}
