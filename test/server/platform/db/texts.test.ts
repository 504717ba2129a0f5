import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { updateSearch } from '#server/core/images/text/search.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { contains, findMatches, matchesSearch, yearOf } from '#server/platform/db/dialect.ts';
import { searchExpression, textTerms } from '#server/platform/db/search-text.ts';
import { newDatabase, onPostgres } from '#test/helpers/service/data/database.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';

/** A database with images of one owner that have these names. */
async function withImages(names: readonly string[], at = Date.now()) {
  const db = await openDatabase(await newDatabase());
  onTestFinished(() => db.close());
  const owner = await db.as('job').write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false, groupId };
    return (await insertUser(queries, { username: 'ann', ...rest }, 1)).id;
  });
  await addImageRows(db, owner, names.length, (index) => ({ name: names[index] as string, created_at: at }));
  await updateSearch(db.as('job'));
  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);
  return {
    db,
    sorted: async () => namesOf(await db.read.selectFrom('images').select('name').orderBy('name').execute()),
    found: async (typed: string) => {
      const ids = await findMatches(db.read, { terms: textTerms(typed), owner, limit: 100 });
      return namesOf(
        await db.read
          .selectFrom('images')
          .select('name')
          .where('id', 'in', [0, ...ids])
          .orderBy('id')
          .execute(),
      );
    },
  };
}

it('sorts texts by their bytes', async () => {
  const names = ['Zebra', 'ant', 'Ärger', 'a b', 'ab', '_', '北京'];
  const { sorted } = await withImages(names);
  expect(await sorted()).toEqual(names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
});

const LONG = 'ab'.repeat(900);
const NAMES = [
  '100%_sure.jpg',
  'C:\\pictures\\sea.png',
  'Crème brûlée',
  'the banks merge',
  '北京风景',
  `${LONG}c`,
  "it's & | ! :* ()",
  'aXb',
];

it.each([
  ['100%', ['100%_sure.jpg']],
  ['%_s', ['100%_sure.jpg']],
  ['0_', []],
  ['s\\s', ['C:\\pictures\\sea.png']],
  ['BRULEE creme', ['Crème brûlée']],
  ['ban erg', ['the banks merge']],
  ['banksmerge', []],
  ['京风', ['北京风景']],
  ['景', ['北京风景']],
  [`${'ab'.repeat(300)}c`, [`${LONG}c`]],
  ['abc', [`${LONG}c`]],
  ['bb', []],
  ["t's & | :*", ["it's & | ! :* ()"]],
  [' ', []],
  ['b\0a', ['the banks merge', `${LONG}c`, 'aXb']],
])('finds %j in names as on any other engine', async (typed, expected) => {
  const { found } = await withImages(NAMES);
  expect(await found(typed)).toEqual(expected);
});

it('compares parts of texts literally, and reads years in UTC', async () => {
  const { db } = await withImages(NAMES, Date.parse('2024-12-31T23:59:59.999Z'));
  const names = (text: string) => db.read.selectFrom('images').select('name').where(contains('name', text)).orderBy('id').execute();
  expect([await names('%_s'), await names('\\s')]).toEqual([[{ name: '100%_sure.jpg' }], [{ name: 'C:\\pictures\\sea.png' }]]);
  const years = db.read.selectFrom('images').select(yearOf(db.read, 'created_at').as('year')).groupBy('year').execute();
  expect(await years).toEqual([{ year: '2024' }]);
});

it('treats empty lists as lists without the value', async () => {
  const { db } = await withImages(['a']);
  const count = async (operator: 'in' | 'not in') =>
    (await db.read.selectFrom('images').select('id').where('id', operator, []).execute()).length;
  expect([await count('in'), await count('not in')]).toEqual([0, 1]);
});

/** A database in which ann has 400 images with a word, bob 3, and eve none. */
async function open() {
  const path = await newDatabase();
  const db = await openDatabase(path);
  onTestFinished(() => db.close());
  const [ann = 0, bob = 0, eve = 0] = await db.as('job').write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false, groupId };
    const ids: number[] = [];
    for (const username of ['ann', 'bob', 'eve']) ids.push((await insertUser(queries, { username, ...rest }, 1)).id);
    return ids;
  });
  await addImageRows(db, ann, 400, () => ({ name: 'merger of the banks.jpg' }));
  await addImageRows(db, bob, 3, () => ({ name: 'merger.jpg' }));
  await updateSearch(db.as('job'));
  return { path, db, ann, bob, eve };
}

/** The words of the index, with the number of images that have each. */
async function indexed(db: Database, path: string): Promise<Map<string, number>> {
  const rows = onPostgres ? await indexedByServer(db) : indexedInFile(path);
  return new Map(rows.map(({ term, doc }) => [term, doc]));
}

async function indexedByServer(db: Database) {
  const words = sql<{ term: string; doc: number }>`select word as term, ndoc as doc from ts_stat('select tokens from image_search')`;
  return (await words.execute(db.read)).rows;
}

function indexedInFile(path: string) {
  const connection = new Sqlite(path);
  connection.exec("create virtual table temp.words using fts5vocab('main', 'image_search', 'row')");
  const rows = connection.prepare('select term, doc from temp.words').all() as { term: string; doc: number }[];
  connection.close();
  return rows;
}

const termsOf = (typed: string, owner: number | null) => searchExpression(textTerms(typed), [owner])?.match(/u\d+x[0-9a-f]+/g) ?? [];

it('looks up nothing of other users, so that the time of a search says nothing about their words', async () => {
  const { path, db, ann, bob, eve } = await open();
  const words = await indexed(db, path);
  const found = (typed: string, owner: number | null) => termsOf(typed, owner).map((term) => words.get(term) ?? 0);
  expect(found('merger', ann)).toEqual(Array(5).fill(400));
  expect(found('merger', bob)).toEqual(Array(5).fill(3));
  // None of the words that are looked up is in the index, whether or not others have the typed one.
  for (const owner of [eve, null]) for (const typed of ['merger', 'absent']) expect(new Set(found(typed, owner))).toEqual(new Set([0]));
});

it('finds the words of one owner or of several, including guests and many owners at once', async () => {
  const { db, ann, bob, eve } = await open();
  const matches = async (typed: string, owner: number | null) =>
    (await findMatches(db.read, { terms: textTerms(typed), owner, limit: 1_000 })).length;
  expect([await matches('merger', ann), await matches('m', bob), await matches('merger', eve)]).toEqual([400, 3, 0]);
  await db.as('job').write((queries) => queries.updateTable('images').set({ owner_id: null }).where('owner_id', '=', bob).execute());
  await updateSearch(db.as('job'));
  expect([await matches('merger', null), await matches('merger', bob)]).toEqual([3, 0]);
  const count = async (owners: (number | null)[]) =>
    (
      await db.read
        .selectFrom('images')
        .select('id')
        .where(matchesSearch(db.read, textTerms('merger'), owners))
        .execute()
    ).length;
  const others = Array.from({ length: 1_000 }, (_, index) => 1_000 + index);
  expect([await count([]), await count([ann, eve]), await count([...others, null, ...others, ann])]).toEqual([0, 400, 403]);
});
