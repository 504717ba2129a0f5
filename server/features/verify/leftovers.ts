import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { filesBelow } from '#server/platform/storage/local.ts';
import { endsOf, type Finding, type Subject } from './finding.ts';

const WIDTHS = new Set<string>(THUMBNAIL_WIDTHS.map((width) => `${width}.jpg`));

/** Checks that every thumbnail is complete and belongs to a blob. The service regenerates those that are needed. */
export async function* checkThumbnails(subject: Subject): AsyncGenerator<Finding> {
  const root = join(subject.dataDir, 'thumbs');
  if (!existsSync(root)) return;
  for await (const path of filesBelow(root)) {
    const fault = (await isOfBlob(subject, path)) ? ((await isJpeg(path)) ? undefined : 'is damaged') : 'doesn’t belong to any picture';
    if (!fault) continue;
    yield {
      problem: `The thumbnail ${path} ${fault}.`,
      advice: '--repair removes it; the service regenerates thumbnails when they’re needed.',
      repair: { done: 'Removed.', run: () => rm(path) },
    };
  }
}

async function isOfBlob({ read }: Subject, path: string): Promise<boolean> {
  const [, policyId, sha256] = /^(\d+)-([0-9a-f]{64})$/.exec(basename(dirname(path))) ?? [];
  if (!policyId || !sha256 || !WIDTHS.has(basename(path))) return false;
  const row = await read
    .selectFrom('blobs')
    .select('sha256')
    .where('policy_id', '=', Number(policyId))
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** Begins and ends as a JPEG does: what a crash cuts off doesn't. */
async function isJpeg(path: string): Promise<boolean> {
  const [head, tail] = await endsOf(path, 2);
  return head.toString('hex') === 'ffd8' && tail.toString('hex') === 'ffd9';
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
