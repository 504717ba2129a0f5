import { type SlugProblem, slugProblem, toSlug } from '#api/images/slug-rules.ts';
import { findImageBySlug } from '#server/core/images/images.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';

const SENTENCES: Record<SlugProblem, string> = {
  malformed: 'The address must have 2 to 63 letters (a to z), digits and hyphens, and can’t start with a hyphen.',
  like_key: 'Addresses of exactly 12 letters and digits are reserved. Make yours longer or shorter, or add a hyphen.',
  reserved: 'This address is reserved. Choose another one.',
};

/**
 * A custom address as it is stored; null removes it.
 * @throws InvalidRequestError for one that can't be used
 */
export function readSlug(sent: string | null): string | null {
  const slug = toSlug(sent ?? '');
  if (slug === '') return null;
  const problem = slugProblem(slug);
  if (problem) throw new InvalidRequestError(SENTENCES[problem], { field: 'slug' });
  return slug;
}

/** Whether another image has this address, even one in the trash, which may be restored. */
export async function isTaken(queries: Queries, slug: string, key: string | undefined): Promise<boolean> {
  const image = await findImageBySlug(queries, slug);
  return image !== undefined && image.key !== key;
}

/** Call it in the unit that sets the address. @throws RequestError `slug_taken` */
export async function requireFree(queries: Queries, slug: string, key: string): Promise<void> {
  if (await isTaken(queries, slug, key))
    throw new RequestError('slug_taken', `Another picture uses the address “${slug}”. Choose a different one.`, { field: 'slug' });
}
