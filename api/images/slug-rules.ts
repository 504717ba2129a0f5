/** Custom addresses of images. Without schemas, so that the web application can check them while its user types. */

export const MAX_SLUG_LENGTH = 63;
const SLUG = /^[a-z0-9][a-z0-9-]{1,62}$/;
/** Such a word might be the key of another image. */
const LIKE_KEY = /^[0-9a-z]{12}$/;

/** Words kept for pages and files of the service. */
const RESERVED = new Set(
  'about account admin album albums api app assets auth config delete docs download edit embed favicon help index latest login logout me new oembed pixdock public qr random register robots search settings setup share sitemap static status system trash unlock upload uploads user users'.split(
    ' ',
  ),
);

/** Why a word can't be a custom address. */
export type SlugProblem = 'malformed' | 'like_key' | 'reserved';

/** A custom address as it is stored: case doesn't matter. */
export const toSlug = (typed: string) => typed.trim().toLowerCase();

/** The problem with a custom address, as {@link toSlug} returns it; undefined when it may be used unless it is taken. */
export function slugProblem(slug: string): SlugProblem | undefined {
  if (!SLUG.test(slug)) return 'malformed';
  if (LIKE_KEY.test(slug)) return 'like_key';
  return RESERVED.has(slug) ? 'reserved' : undefined;
}
