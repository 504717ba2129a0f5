import type { ImageLinks } from '#api/images.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { escapeHtml } from '#server/platform/http/html.ts';

type Linked = Pick<ImageRow, 'key' | 'ext' | 'name' | 'max_views'>;

/** Makes absolute links. They start with the link address, never with a request's `Host`. */
export interface Links {
  /** What links start with: an origin without a slash at its end. */
  address(): string;
  /** The base URL that somebody has configured, if any. */
  configuredBaseUrl(): string | undefined;
  of(image: Linked): ImageLinks;
  /** @param width one of the allowed widths; the default one where absent */
  thumbnailOf(image: Pick<ImageRow, 'key'>, width?: number): string;
  albumOf(album: { id: string }): string;
  /** A page that asks before it deletes; only for the uploader's own eyes. */
  deletionOf(image: Pick<ImageRow, 'key'>): string;
}

interface LinkSources {
  configuredBaseUrl(): string | undefined;
  /** The address on the network or on this machine, once the port is known. */
  ownAddress(): string;
  secrets: Secrets;
}

export function createLinks({ configuredBaseUrl, ownAddress, secrets }: LinkSources): Links {
  const address = () => configuredBaseUrl() ?? ownAddress();
  return {
    address,
    configuredBaseUrl,
    of: (image) => linksOf(address(), image),
    thumbnailOf: ({ key }, width) => `${address()}/t/${key}.jpg${width === undefined ? '' : `?w=${width}`}`,
    albumOf: ({ id }) => `${address()}/a/${id}`,
    deletionOf: ({ key }) => `${address()}/delete/${key}/${deletionSecret(secrets, key)}`,
  };
}

/** What proves that somebody has uploaded the image `key`, for deleting without an account. */
export function deletionSecret(secrets: Secrets, key: string): string {
  return secrets.sign('delete', key).slice(0, 22);
}

function linksOf(address: string, { key, ext, name, max_views }: Linked): ImageLinks {
  const direct = `${address}/i/${key}.${ext}`;
  const share = `${address}/s/${key}`;
  // Embedding a view-limited picture would spend its views on previews, so what is copied leads to its share page.
  const shown = max_views > 0 ? share : direct;
  return {
    url: direct,
    markdown: max_views > 0 ? `[${escapeMarkdown(name)}](${shown})` : `![${escapeMarkdown(name)}](${shown})`,
    html: max_views > 0 ? `<a href="${shown}">${escapeHtml(name)}</a>` : `<img src="${shown}" alt="${escapeHtml(name)}">`,
    bbcode: max_views > 0 ? `[url]${shown}[/url]` : `[img]${shown}[/img]`,
    thumbnail_url: `${address}/t/${key}.jpg`,
    share_url: share,
  };
}

/** A name is somebody's text: it may not end the brackets it stands in, nor start a line. */
function escapeMarkdown(text: string) {
  return text.replace(/[\\[\]`<>!*_]/g, '\\$&').replace(/\s+/g, ' ');
}
