import { type SlugChoice, TRASH_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { MAX_SLUG_LENGTH, type SlugProblem, slugProblem, toSlug } from '#api/images/slug-rules.ts';
import { ForbiddenError, InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import { randomText } from '#server/platform/base/secret-text.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { findImageBySlug } from './images.ts';

const SENTENCES: Record<SlugProblem, string> = {
  malformed: 'The address must have 2 to 63 letters (a to z), digits and hyphens, and can’t start with a hyphen.',
  like_key: 'Addresses of exactly 12 letters and digits are reserved. Make yours longer or shorter, or add a hyphen.',
  reserved: 'This address is reserved. Choose another one.',
};

/** @throws ForbiddenError where an admin has turned custom addresses off */
export function requireSlugsEnabled({ custom_addresses_enabled }: { custom_addresses_enabled: boolean }): void {
  if (!custom_addresses_enabled) throw new ForbiddenError('Custom addresses are turned off on this server.');
}

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

/** Who wants an address, and the image that may have it already. */
interface Claim {
  ownerId: number | undefined;
  key?: string | undefined;
}

/**
 * Whether an address isn't available: another image has it, even one in the trash, which may be restored, or another user has given it up
 * lately, whose links to it may be anywhere.
 */
export async function isTaken(queries: Queries, slug: string, { ownerId, key }: Claim): Promise<boolean> {
  const image = await findImageBySlug(queries, slug);
  if (image) return image.key !== key;
  return (await keptForOthers(queries, [slug], ownerId)).length > 0;
}

/** @throws RequestError `slug_taken` */
export async function requireFree(queries: Queries, slug: string, claim: Claim): Promise<void> {
  if (await isTaken(queries, slug, claim))
    throw new RequestError('slug_taken', `Another picture uses the address “${slug}”, or did until recently. Choose a different one.`, {
      field: 'slug',
    });
}

async function keptForOthers(queries: Queries, slugs: readonly string[], ownerId: number | undefined): Promise<string[]> {
  const kept = await queries
    .selectFrom('former_slugs')
    .select(['slug', 'owner_id'])
    .where('slug', 'in', slugs)
    .where('until', '>', Date.now())
    .execute();
  return kept.filter(({ owner_id }) => owner_id !== ownerId).map(({ slug }) => slug);
}

/**
 * Keeps the addresses that images are about to lose for their owners, in the unit that takes them away: as long as the trash would have kept
 * the images.
 */
export async function keepSlugs(
  queries: Queries,
  images: readonly Pick<ImageRow, 'slug' | 'owner_id' | 'deleted_at'>[],
  now: number,
): Promise<void> {
  const rows = images.flatMap(({ slug, owner_id, deleted_at }) => {
    const until = (deleted_at ?? now) + TRASH_DAYS * DAY_MS;
    return slug === null || until <= now ? [] : { slug, owner_id, until };
  });
  if (rows.length === 0) return;
  await queries.deleteFrom('former_slugs').where('until', '<=', now).execute();
  for (const row of rows)
    await queries
      .insertInto('former_slugs')
      .values(row)
      .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
      .execute();
}

/** The custom address that an upload asks for. */
export interface WantedSlug {
  slug: string;
  /** What it gets if that is taken; undefined: an error. */
  otherwise: SlugChoice | undefined;
}

const LAST_NUMBER = 99;
const RANDOM_LENGTH = 8;
const LETTERS_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The address for a new image. Call it in the unit that inserts the image. @throws RequestError `slug_taken` */
export async function chooseSlug(queries: Queries, { slug, otherwise }: WantedSlug, claim: Claim): Promise<string> {
  if (!otherwise) await requireFree(queries, slug, claim);
  if (!otherwise || !(await isTaken(queries, slug, claim))) return slug;
  return (otherwise === 'number' && (await numbered(queries, slug, claim))) || withEnding(slug, randomEnding());
}

async function numbered(queries: Queries, slug: string, { ownerId }: Claim): Promise<string | undefined> {
  const candidates = Array.from({ length: LAST_NUMBER - 1 }, (_, index) => withEnding(slug, String(index + 2)));
  const rows = await queries.selectFrom('images').select('slug').where('slug', 'in', candidates).execute();
  const taken = new Set([...rows.map((row) => row.slug), ...(await keptForOthers(queries, candidates, ownerId))]);
  return candidates.find((candidate) => !taken.has(candidate));
}

/** A long address is cut off, or it couldn't be used with an ending. */
const withEnding = (slug: string, ending: string) => `${slug.slice(0, MAX_SLUG_LENGTH - 1 - ending.length)}-${ending}`;

/** 41 bits, never tried twice: a collision fails the upload as any other fault does. */
const randomEnding = () => randomText(RANDOM_LENGTH, LETTERS_AND_DIGITS);
