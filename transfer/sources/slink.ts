import { z } from 'zod';
import { CredentialsError, type SourceClient } from './client.ts';
import { decodeEntities, instantOf, type SourceItem, type SourceKind } from './item.ts';

const PAGE = 100;

const picture = z.object({
  id: z.string(),
  url: z.string().nullish(),
  attributes: z.object({
    fileName: z.string(),
    description: z.string().nullish(),
    isPublic: z.boolean().nullish(),
    createdAt: z.union([z.string(), z.object({ timestamp: z.number() })]).nullish(),
    views: z.number().nullish(),
  }),
  metadata: z.object({ mimeType: z.string().nullish() }).nullish(),
  collections: z.array(z.object({ name: z.string() })).nullish(),
  tags: z.array(z.object({ name: z.string(), path: z.string().nullish() })).nullish(),
});
const history = z.object({ meta: z.object({ nextCursor: z.string().nullish() }), data: z.array(picture) });
const tokens = z.object({ access_token: z.string() });

/** Before its access token ends, which is after an hour. */
const RENEW_AFTER_MS = 30 * 60_000;

/**
 * Slink: github.com/andrii-kryvoviaz/slink, `services/api/src/UI/Http/Rest/Controller`. Its API keys can only upload, so this signs in as its own pages do: with a name and a
 * password, or with an access token, which ends after an hour.
 */
export const slink: SourceKind = {
  title: 'Slink',
  secret: 'user name and password with a colon between them, or an access token',
  credentials: (secret): Record<string, string> => (secret.includes(':') ? {} : { authorization: `Bearer ${secret}` }),
  never: ['comments', 'bookmarks', 'licences', 'sharing links'],
  async *items(client, secret) {
    if (secret.startsWith('sk_'))
      throw new CredentialsError('API keys of Slink can only upload. Give your user name and password instead: name:password.');
    let signedInAt = Number.NEGATIVE_INFINITY;
    const signIn = async () => {
      if (!secret.includes(':') || Date.now() < signedInAt + RENEW_AFTER_MS) return;
      signedInAt = Date.now();
      client.use(await credentialsOf(client, secret));
    };
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      await signIn();
      const query = new URLSearchParams({ limit: String(PAGE), order: 'asc', ...(cursor && { cursor }) });
      const { data, meta } = await client.json(`/api/images/history?${query}`, history);
      const fresh = data.filter(({ id }) => !seen.has(id));
      for (const one of fresh) {
        seen.add(one.id);
        yield { ...itemOf(one), details: () => signIn().then(() => ({})) };
      }
      if (!meta.nextCursor || meta.nextCursor === cursor || fresh.length === 0) return;
      cursor = meta.nextCursor;
    }
  },
};

async function credentialsOf(client: SourceClient, secret: string): Promise<Record<string, string>> {
  const colon = secret.indexOf(':');
  const body = { username: secret.slice(0, colon), password: secret.slice(colon + 1) };
  const { access_token } = await client.json('/api/auth/login', tokens, { method: 'POST', body });
  return { authorization: `Bearer ${access_token}` };
}

function itemOf({ id, url, attributes, metadata, collections, tags }: z.infer<typeof picture>): SourceItem {
  const { fileName, description, isPublic, createdAt, views } = attributes;
  const path = `/image/${encodeURIComponent(fileName)}`;
  return {
    id,
    // The name that the file had isn't stored.
    name: fileName,
    type: metadata?.mimeType ?? undefined,
    // With its own extension: with another one, Slink converts.
    url: `api${path}`,
    uploadedAt: instantOf(typeof createdAt === 'object' && createdAt ? createdAt.timestamp * 1000 : createdAt),
    // Stored as HTML.
    caption: decodeEntities(description ?? ''),
    // `#work/clients`.
    tags: tags?.map((tag) => tag.path?.replace(/^#/, '') || tag.name),
    albums: [...new Set(collections?.map(({ name }) => name))],
    // Others open both by the link; public ones are listed for everyone as well.
    visibility: isPublic === false ? 'private' : 'public',
    oldAddresses: [...(url ? [url] : []), path],
    lost: views ? ['numbers of views'] : [],
  };
}
