import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Album, createAlbum } from '#api/albums/albums.ts';
import { allAlbums, findAlbum, isOfAnother, sharedAlbums } from '#api/albums/find-album.ts';
import { addToAlbum } from '#api/albums/pictures.ts';
import { getProfile } from '#api/auth/user.ts';
import { ApiError } from '#api/client.ts';
import { CONVERSIONS, IDEMPOTENCY_HEADER, MAX_BATCH, SLUG_CHOICES } from '#api/constants.ts';
import { getImage, type Image, listImages } from '#api/images/images.ts';
import { type UploadResult, uploadUrl } from '#api/images/upload.ts';
import { LINK_FORMATS, linkOf } from '#api/sharing/link-formats.ts';
import { AlbumFinder, type FoundAlbum } from '../albums.ts';
import { CommandError } from '../errors.ts';
import { findKey, keyOf, parseReference, requireOwnLinks } from '../picture-reference.ts';
import type { Run } from '../run.ts';
import { uploadImage } from '../upload-image.ts';
import type { ReadableFiles } from './readable-files.ts';

/** A tool of the Model Context Protocol. None deletes, or shows something to more people without an argument that says so. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  readOnly?: boolean;
  run(input: z.output<Input>): Promise<object>;
}

interface Parts {
  run: Run;
  files: ReadableFiles;
  signal: AbortSignal;
}

const tool = <Input extends z.ZodObject>(made: Tool<Input>) => made as unknown as Tool;

const picture = z.string().min(1).max(2000).describe('The key of a picture, its custom address, or one of its links');
const path = z.string().min(1).describe('The path of a file in a folder that `pixdock mcp` was given');

const openToOthers = z
  .boolean()
  .default(false)
  .describe('Say true only if the user has agreed that others see the picture: those who can open the album, or its links');

/** All tools on one server's pictures, with the rights of the token. */
export function createTools({ run, files, signal }: Parts): Tool[] {
  const { connection, timeout } = run;
  const { client } = connection;
  const send = <T>(attempt: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const idempotencyKey = randomUUID();
    return run.withRetries((newKey = idempotencyKey) => attempt(newKey), signal);
  };

  async function sendFile(file: string, fields: Parameters<typeof uploadImage>[2], replaces?: string): Promise<UploadResult> {
    await using image = await files.open(file);
    return await send((idempotencyKey) =>
      uploadImage(connection, image, fields, { timeout, signal, idempotencyKey, ...(replaces && { replaces }) }),
    );
  }

  const keyFor = (named: string) => findKey(client, parseReference(named), signal);

  const everyAlbum = async () => [...(await allAlbums(client, { signal })), ...(await sharedAlbums(client, { signal }))];

  /** @throws CommandError if others can open one of the albums and that wasn't agreed to */
  const albumIds = async (names: readonly string[], isAgreed: boolean) => {
    const finder = new AlbumFinder(client);
    const ids: string[] = [];
    for (const name of names) {
      const found = await finder.find(name);
      if (!isAgreed) requirePrivate(found);
      ids.push(found.id);
    }
    return ids;
  };

  /** Whether a picture without an album might go into one that others can open: the user's usual one. */
  const isUsualAlbumOpen = async () => {
    try {
      const { preferences } = await client.call(getProfile, { signal });
      if (preferences.album_id === null) return false;
      const album = findAlbum(await everyAlbum(), preferences.album_id);
      return !album || audienceOf(album) !== undefined;
    } catch (error) {
      // A token that can only upload isn't told.
      if (error instanceof ApiError && error.code === 'forbidden') return true;
      throw error;
    }
  };

  /** @throws CommandError if others can open the picture */
  const requirePrivateImage = async (wanted: string) => {
    const image = await client.call(getImage, { params: { key: wanted }, signal });
    if (image.visibility === 'public') throw notAgreed('Others can open the links of this picture.');
    if (image.albums.length === 0) return;
    for (const album of await everyAlbum()) if (image.albums.includes(album.id)) requirePrivate({ id: album.id, album });
  };

  return [
    tool({
      name: 'upload_picture',
      title: 'Upload a picture',
      description:
        'Uploads a picture or a video from a file, or from an address on the web, and returns its links. Only its owner can open it unless visibility is public. Without albums, it goes into the user’s usual one, unless others can open that.',
      input: z.object({
        path: path.optional(),
        url: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe('The address of a picture on the public internet, instead of a path'),
        title: z.string().max(200).optional(),
        alt: z.string().max(1000).optional().describe('What the picture shows, for those who can’t see it'),
        visibility: z.enum(['private', 'public']).default('private'),
        albums: z.array(z.string()).max(20).default([]).describe(ALBUM),
        open_to_others: openToOthers,
        slug: z.string().max(63).optional().describe('A custom address in the links, of lower-case letters, digits and hyphens'),
        slug_or: z.enum(SLUG_CHOICES).optional().describe('If the address is taken, add a number or random characters instead of failing'),
        convert: z.enum(CONVERSIONS).optional().describe('Format to store the picture in, if the user’s group allows it'),
      }),
      async run({ path: file, url, title, alt, visibility, albums, open_to_others, slug, slug_or, convert }) {
        if ((file === undefined) === (url === undefined)) throw new CommandError('Give either path or url.');
        const ids = await albumIds(albums, open_to_others);
        // An empty list says that the picture goes into no album.
        const isChosen = ids.length > 0 || (!open_to_others && (await isUsualAlbumOpen()));
        const chosen = { ...(slug && { slug }), ...(slug_or && { slug_or }), ...(convert && { convert }) };
        if (file !== undefined) {
          const texts = { ...(title && { title }), ...(alt && { alt }) };
          return present(await sendFile(file, { visibility, ...texts, ...chosen, ...(isChosen && { albums: ids.join() }) }));
        }
        if (title || alt) throw new CommandError('A picture from an address gets its title and alt once it is uploaded. Leave them out.');
        const body = { url: url ?? '', visibility, ...chosen, ...(isChosen && { albums: ids }) };
        const call = (id: string) => client.call(uploadUrl, { query: {}, body, headers: { [IDEMPOTENCY_HEADER]: id }, signal });
        return present(await send(call));
      },
    }),
    tool({
      name: 'search_pictures',
      title: 'Search pictures',
      description:
        'Finds the user’s pictures by name, title, description, tags, and by the text in them if the server recognises it; the newest first. Without a query, the newest.',
      input: z.object({ query: z.string().max(200).default(''), limit: z.int().min(1).max(50).default(20) }),
      readOnly: true,
      async run({ query, limit }) {
        const { items } = await client.call(listImages, { query: { limit, ...(query.trim() && { q: query }) }, signal });
        return { pictures: items.map(summarise) };
      },
    }),
    tool({
      name: 'get_links',
      title: 'Get the links of a picture',
      description: 'Returns a picture’s links in every format: address, Markdown, HTML, BBCode, thumbnail and share page.',
      input: z.object({ picture }),
      readOnly: true,
      run: async ({ picture: wanted }) => present(await client.call(getImage, { params: { key: await keyFor(wanted) }, signal })),
    }),
    tool({
      name: 'replace_picture',
      title: 'Replace a picture',
      description:
        'Puts another file behind the links of a picture. Whoever can open them sees the new file. The earlier version moves to the trash.',
      input: z.object({ picture, path, open_to_others: openToOthers }),
      async run({ picture: named, path: file, open_to_others }) {
        const replaced = await keyFor(named);
        if (!open_to_others) await requirePrivateImage(replaced);
        return present(await sendFile(file, {}, replaced));
      },
    }),
    tool({
      name: 'list_albums',
      title: 'List albums',
      description:
        'Lists the user’s albums, and those that others share with them: whose each is, what the user may do in it, and who else can open it.',
      input: z.object({}),
      readOnly: true,
      async run() {
        return { albums: (await everyAlbum()).map(summariseAlbum) };
      },
    }),
    tool({
      name: 'create_album',
      title: 'Create an album',
      description: 'Creates an album that only the user can open.',
      input: z.object({ name: z.string().trim().min(1).max(100) }),
      async run({ name }) {
        const { id } = await client.call(createAlbum, { body: { name }, signal });
        return { id, name };
      },
    }),
    tool({
      name: 'add_to_album',
      title: 'Add pictures to an album',
      description:
        'Adds pictures to an album. Those who can open the album may see them, private pictures included if they are its members.',
      input: z.object({
        album: z.string().min(1).describe(ALBUM),
        pictures: z.array(picture).min(1).max(MAX_BATCH),
        open_to_others: openToOthers,
      }),
      async run({ album, pictures, open_to_others }) {
        const references = pictures.map(parseReference);
        await requireOwnLinks(client, references, signal);
        const [id = ''] = await albumIds([album], open_to_others);
        const keys: string[] = [];
        for (const reference of references) keys.push(await keyOf(client, reference, signal));
        return { ...(await client.call(addToAlbum, { params: { id }, body: { keys }, signal })) };
      },
    }),
  ];
}

const ALBUM = 'Id or name of an album of the user’s own, or id or owner/name of one that is shared with them';

/** Who else can open an album; undefined: nobody. */
function audienceOf({ name, owner, role, visibility, member_count }: Album): string | undefined {
  if (isOfAnother({ role })) return `The album “${name}” belongs to ${owner.username}, who can see what is added to it.`;
  if (visibility === 'public') return `Anyone with its link can open the album “${name}”.`;
  return member_count > 0 ? `The album “${name}” is shared with other users.` : undefined;
}

/** @throws CommandError if others can open the album, or if that isn't known */
function requirePrivate({ id, album }: FoundAlbum) {
  const audience = album ? audienceOf(album) : `It isn’t known who can open the album ${id}.`;
  if (audience) throw notAgreed(audience);
}

const notAgreed = (reason: string) => new CommandError(`${reason} Ask the user. If they agree, repeat this with open_to_others: true.`);

const summariseAlbum = ({ id, name, image_count, visibility, owner, role, member_count }: Album) => ({
  id,
  name,
  owner: owner.username,
  role,
  image_count,
  visibility,
  member_count,
});

const present = (image: UploadResult | Image) => ({
  key: image.key,
  links: {
    ...Object.fromEntries(LINK_FORMATS.map((format) => [format, linkOf(image, format)])),
    thumbnail: image.links.thumbnail_url,
    share_page: image.links.share_url,
  },
});

const summarise = (image: Image) => ({
  key: image.key,
  name: image.name,
  title: image.title,
  alt: image.alt,
  width: image.width,
  height: image.height,
  visibility: image.visibility,
  created_at: image.created_at,
  url: linkOf(image, 'url'),
});
