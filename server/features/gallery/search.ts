import { foldText } from '#api/images/fold-text.ts';
import { parseSearch, type SearchPart, type SizeRange } from '#api/images/search-terms.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { findMatches } from '#server/platform/db/dialect.ts';
import { albumMark, type DateKind, foldedWords, partMarks, type SearchTerm, type SearchTerms } from '#server/platform/db/search-text.ts';
import { similarWords } from '#server/platform/db/search-words.ts';

/** Fewer matches lead to their images by their ids. */
const FEW_MATCHES = 1_000;

/** Names that programs give to screenshots; each finds the others. */
const SCREENSHOTS = [['screenshot'], ['screen', 'shot'], ['截图'], ['截屏'], ['屏幕快照']];

/** What a search text selects of a user's images: those that meet all terms, or have one of the ids where only a few do. */
export interface Search extends SizeRange {
  terms?: SearchTerms;
  ids?: number[];
  /** Of each group, an image has one tag. */
  tags?: string[][];
  /** Words that were searched for as well, as nothing contains the typed ones. */
  similar: string[];
}

interface Within {
  /** What the dates of the text mean. */
  dates: DateKind;
  /** Leaves out later uploads, by id. */
  upTo?: number | undefined;
}

/** Finds out what a search text selects; undefined when nothing can match. */
export async function resolveSearch({ read }: Database, owner: number, text: string, { dates, upTo }: Within): Promise<Search | undefined> {
  const { parts, ...sizes } = parseSearch(text);
  const tagged = await tagsOf(read, owner, parts);
  const others = parts.filter((part) => !tagged.has(part));
  const besides = { ...sizes, ...(tagged.size > 0 && { tags: [...tagged.values()] }) };
  const terms = { all: await toTerms(read, owner, others, dates), inPictures: await hasTexts(read, owner) };
  if (terms.all.length === 0) return Object.keys(besides).length > 0 ? { ...besides, similar: [] } : undefined;
  const found = await findFew(read, owner, terms);
  if (!found.ids || (await hasImages(read, found.ids, upTo))) return { ...found, ...besides, similar: [] };
  const similar = await Promise.all(terms.all.map(({ texts }) => similarTo(read, owner, texts, upTo)));
  if (similar.every((words) => words.length === 0)) return { ...found, ...besides, similar: [] };
  const all = terms.all.map(({ texts, marks }, index) => ({ marks, texts: [...texts, ...(similar[index] ?? []).map((word) => [word])] }));
  return { ...(await findFew(read, owner, { ...terms, all })), ...besides, similar: similar.flat() };
}

/** The user's tags that parts such as `#work` name. A part that names none is text, as in “Figure #1”. */
async function tagsOf(read: Queries, owner: number, parts: readonly SearchPart[]): Promise<Map<SearchPart, string[]>> {
  const tagged = new Map<SearchPart, string[]>();
  if (!parts.some(({ tag }) => tag)) return tagged;
  const tags = await read.selectFrom('image_tags').select('tag').where('owner_id', '=', owner).distinct().execute();
  for (const part of parts) {
    const named = part.tag && foldText(part.tag);
    const same = tags.map(({ tag }) => tag).filter((tag) => foldText(tag) === named);
    if (same.length > 0) tagged.set(part, same);
  }
  return tagged;
}

/** Whether searches of a user look into the text in their images. */
async function hasTexts(read: Queries, owner: number): Promise<boolean> {
  const user = await read.selectFrom('users').select('recognize_text').where('id', '=', owner).executeTakeFirst();
  return user?.recognize_text === 1;
}

async function toTerms(read: Queries, owner: number, parts: readonly SearchPart[], kind: DateKind): Promise<SearchTerm[]> {
  const albums = await read.selectFrom('albums').select(['id', 'name']).where('owner_id', '=', owner).execute();
  const named = albums.map(({ id, name }) => ({ id, name: foldedWords(name).join(' ') }));
  return parts.flatMap((part) => {
    const words = foldedWords(...part.words);
    if (words.length === 0) return [];
    const inAlbums = named.filter(({ name }) => words.every((word) => name.includes(word))).map(({ id }) => albumMark(id));
    const texts = SCREENSHOTS.some(([name]) => name === words[0]) ? SCREENSHOTS : [words];
    return [{ texts, marks: [...partMarks(part, kind), ...inAlbums] }];
  });
}

/** The ids of all matches if they are few. Where names and the like are many already, recognised text isn't read. */
async function findFew(read: Queries, owner: number, terms: SearchTerms): Promise<Pick<Search, 'terms' | 'ids'>> {
  if (terms.inPictures && !(await findFew(read, owner, { ...terms, inPictures: false })).ids) return { terms };
  const ids = await findMatches(read, { terms, owner, limit: FEW_MATCHES });
  return ids.length < FEW_MATCHES ? { ids } : { terms };
}

/** Whether some of these images aren't in the trash. */
async function hasImages(read: Queries, ids: readonly number[], upTo = Number.MAX_SAFE_INTEGER): Promise<boolean> {
  const row = await read
    .selectFrom('images')
    .select('id')
    .where(
      'id',
      'in',
      ids.filter((id) => id <= upTo),
    )
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The words of the user's images outside the trash that a mistyped word can mean. */
async function similarTo(read: Queries, owner: number, [words, ...others]: readonly string[][], upTo?: number): Promise<string[]> {
  const [typed] = words ?? [];
  if (typed === undefined || words?.length !== 1 || others.length > 0) return [];
  const found: string[] = [];
  for (const word of await similarWords(read, owner, typed)) {
    const { ids } = await findFew(read, owner, { all: [{ texts: [[word]], marks: [] }], inPictures: false });
    if (!ids || (await hasImages(read, ids, upTo))) found.push(word);
  }
  return found;
}

/** The ids of the images within a size range if they are few; undefined if they are many. */
export async function findBySize({ read }: Database, owner: number, { min_size, max_size }: SizeRange): Promise<number[] | undefined> {
  const rows = await read
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', owner)
    .where('deleted_at', 'is', null)
    .$if(min_size !== undefined, (query) => query.where('size', '>=', min_size as number))
    .$if(max_size !== undefined, (query) => query.where('size', '<=', max_size as number))
    .orderBy('size', 'desc')
    .limit(FEW_MATCHES)
    .execute();
  return rows.length < FEW_MATCHES ? rows.map(({ id }) => id) : undefined;
}
