import { expect, it, onTestFinished } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { updateSearch } from '#server/core/images/text/search.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { contains, findMatches, yearOf } from '#server/platform/db/dialect.ts';
import { textTerms } from '#server/platform/db/search-text.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';
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
