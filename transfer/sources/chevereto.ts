import { z } from 'zod';
import { CredentialsError, type SourceClient } from './client.ts';
import { albumPaths, decodeEntities, instantOf, type SourceItem, type SourceKind } from './item.ts';

const list = z.object({ html: z.string().nullish(), seekEnd: z.string().nullish() });

const HTML = { headers: { accept: 'text/html' } };

/** What the pages know about a picture, beside the attributes of its element. */
const data = z.object({
  url: z.string(),
  name: z.string().nullish(),
  filename: z.string().nullish(),
  extension: z.string().nullish(),
  url_viewer: z.string().nullish(),
  path_viewer: z.string().nullish(),
  url_short: z.string().nullish(),
  type: z.string().nullish(),
  tags: z.array(z.object({ name: z.string() })).nullish(),
});

/**
 * Chevereto 4: github.com/chevereto/chevereto, `app/legacy/routes/json.php`. Its API, documented in v4-docs.chevereto.com, can only upload, and its export of a user contains no
 * pictures. This reads the lists that its own pages read, as the user who is signed in there: a cookie shows who that is.
 */
export const chevereto: SourceKind = {
  title: 'Chevereto',
  secret: 'cookie KEEP_LOGIN (in the browser in which you are signed in: developer tools, Storage or Application, Cookies)',
  credentials: (cookie) => ({ cookie: /^KEEP_LOGIN\w*=/.test(cookie) ? cookie : `KEEP_LOGIN=${cookie}` }),
  never: ['likes', 'followers', 'categories'],
  async *items(client) {
    const session = await signIn(client);
    const albums = await albumsOf(session);
    for await (const attributes of elements(session, { list: 'images', from: 'user' })) {
      const item = itemOf(attributes, albums, client);
      if (item) yield item;
    }
  },
};

interface Session {
  client: SourceClient;
  user: string;
  token: string;
}

/** Lists are for requests with a token, which is in every page and belongs to the session that the response opens. */
async function signIn(client: SourceClient): Promise<Session> {
  const page = await client.text('/', HTML);
  const [, token] = /auth_token\s*=\s*"([^"]{40,})"/.exec(page) ?? [];
  const [, user] = /logged_user\s*=\s*\{[^}]*"id":\s*"([^"]+)"/.exec(page) ?? [];
  if (!token) throw new CredentialsError(`${client.address} isn’t a page of Chevereto.`);
  if (!user)
    throw new CredentialsError(`Chevereto at ${client.address} doesn’t accept this cookie. Sign in there again, and copy the new one.`);
  return { client, user, token };
}

/** The attributes of the elements of a list, page by page, the oldest first. */
async function* elements({ client, user, token }: Session, query: Record<string, string>): AsyncGenerator<Record<string, string>> {
  const seen = new Set<string>();
  for (let page = 1, seek = ''; ; page++) {
    const position: Record<string, string> = seek ? { seek } : { page: String(page) };
    const form = { action: 'list', userid: user, sort: 'date_asc', auth_token: token, ...query, ...position };
    const found = await client.json('/json', list, { method: 'POST', form });
    let fresh = 0;
    for (const [element] of (found.html ?? '').matchAll(/<div class="list-item\s[^>]*>/g)) {
      const attributes = Object.fromEntries(
        [...element.matchAll(/\sdata-([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, name, one, other]) => [
          name,
          decodeEntities(one ?? other ?? ''),
        ]),
      );
      if (!attributes.id || seen.has(attributes.id)) continue;
      seen.add(attributes.id);
      fresh++;
      yield attributes;
    }
    if (fresh === 0) return;
    seek = found.seekEnd ?? '';
    if (!seek) return;
  }
}

async function albumsOf(session: Session): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { id = '', name = '' } of elements(session, { list: 'albums', from: 'user' })) names.set(id, name);
  const parents = new Map<string, string>();
  for (const parent of names.keys())
    for await (const { id = '', name = '' } of elements(session, { list: 'albums', from: 'album', albumid: parent })) {
      parents.set(id, parent);
      names.set(id, name);
    }
  return albumPaths([...names].map(([id, name]) => ({ id, name, parent: parents.get(id) })));
}

function itemOf(attributes: Record<string, string>, albums: Map<string, string>, client: SourceClient): SourceItem | undefined {
  const { id = '', privacy = '' } = attributes;
  const parsed = data.safeParse(JSON.parse(decodeURIComponent(attributes.object ?? 'null')));
  if (!parsed.success) return undefined;
  const { url, name, filename, extension, url_viewer, path_viewer, url_short, type, tags } = parsed.data;
  const album = albums.get(attributes['album-id'] ?? '');
  const viewer = path_viewer ?? url_viewer;
  const original = decodeEntities(filename || `${name}.${extension}`);
  return {
    id,
    // Its own name is the title; the file's was cut and made unique.
    name: attributes.title ? `${attributes.title}.${extension}` : original,
    size: attributes.size ? Number(attributes.size) : undefined,
    type: type === 'video' ? 'video/mp4' : undefined,
    url,
    caption: attributes.description,
    tags: tags?.map((tag) => decodeEntities(tag.name)),
    albums: album ? [album] : [],
    visibility: privacy === '' || privacy === 'public' || privacy === 'private_but_link' ? 'public' : 'private',
    oldAddresses: [url, ...(viewer ? [viewer] : []), ...(url_short ? [url_short] : [])],
    lost: [...(privacy === 'password' ? ['passwords of albums'] : []), ...(attributes.liked === '1' ? ['likes'] : [])],
    // Only a picture's own page says when it was uploaded, in the time zone of the account, and when it expires.
    details: viewer
      ? async () => {
          const page = await client.text(client.resolve(viewer).pathname, { ...HTML, isItem: true });
          const [, uploaded] = /<span title="(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)">/.exec(page) ?? [];
          const [, expires] = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC"/.exec(page) ?? [];
          return { uploadedAt: instantOf(uploaded?.replace(' ', 'T')), expiresAt: instantOf(expires && `${expires.replace(' ', 'T')}Z`) };
        }
      : undefined,
  };
}
