import { MAX_PAGE } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { listImages } from '#api/images/images.ts';
import { several } from '#server/platform/base/several.ts';
import { formatBytes } from '../printable.ts';
import type { AnyJob } from './job.ts';
import type { Picture } from './picture.ts';

/**
 * Compares what the source has with what the server has: the number of pictures, the bytes that the source names with those that were downloaded, and size and SHA-256
 * of what the server has now with those that it confirmed. Prints each difference.
 * @returns how many pictures differ
 */
export async function compareResult({ run, journal }: AnyJob, listed: readonly Picture[], stop: AbortSignal): Promise<number> {
  const { terminal, connection } = run;
  const images = new Map<string, Pick<Image, 'size' | 'sha256'>>();
  for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
    const query = { limit: MAX_PAGE, ...(cursor && { cursor }) };
    const { items, next_cursor } = await run.withRetries(() => connection.client.call(listImages, { query }), stop);
    for (const { key, size, sha256 } of items) images.set(key, { size, sha256 });
    cursor = next_cursor ?? undefined;
  }
  let same = 0;
  let bytes = 0;
  for (const { file } of listed) {
    const problem = differenceOf(file, images.get(journal.keyOf(file) ?? ''), journal.broughtOf(file));
    if (problem !== undefined) terminal.problem(file.relative, problem);
    else same++;
    bytes += journal.broughtOf(file)?.source.size ?? 0;
  }
  const differ = listed.length - same;
  terminal.note(
    `Compared ${several(listed.length, 'picture')} (${formatBytes(bytes)} at the source): ${differ ? `${differ} differ` : 'all are here, unchanged'}.`,
  );
  return differ;
}

function differenceOf(
  { size }: Picture['file'],
  image: Pick<Image, 'size' | 'sha256'> | undefined,
  brought: ReturnType<AnyJob['journal']['broughtOf']>,
): string | undefined {
  if (!brought) return 'it isn’t here';
  if (!image) return 'it was imported, and has been deleted since';
  if (size > 0 && size !== brought.source.size) return `the source has ${size} bytes, and sent ${brought.source.size}`;
  if (!brought.result || brought.result.sha256 !== image.sha256 || brought.result.size !== image.size)
    return 'it has other bytes than those that were stored at the import';
  return undefined;
}
