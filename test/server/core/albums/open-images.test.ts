import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { countOpenImages, findOpenCover, listOpenImages, type Visitor } from '#server/core/albums/open-images.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { encodeCursor } from '#server/platform/db/page.ts';
import { newDatabase } from '#test/helpers/service/data/database.ts';

const STRANGER: Visitor = { trusted: false, unlocked: [] };
const ADMIN: Visitor = { trusted: true, unlocked: [] };
const MEMBER: Visitor = { trusted: false, memberId: 7, unlocked: [] };

/** The plan of every query that `work` runs, as far as it reads pictures: the owners whose pictures belong into an album are few. */
async function plansOf(work: (queries: Parameters<typeof listOpenImages>[0]) => Promise<unknown>): Promise<string[]> {
  const db = await openDatabase(await newDatabase());
  const queries: { sql: string; parameters: readonly unknown[] }[] = [];
  const recording = db.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = recording.getExecutor();
  const compile = executor.compileQuery.bind(executor);
  executor.compileQuery = (node, id) => {
    const compiled = compile(node, id);
    queries.push(compiled);
    return compiled as never;
  };
  await work(recording);
  const plans = [];
  for (const { sql, parameters } of queries) {
    const { rows } = await db.read.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]));
    const steps = (rows as { detail: string }[]).map(({ detail }) => detail);
    plans.push(steps.filter((step) => / (images|album_images) |TEMP B-TREE/.test(step)).join('; '));
  }
  await db.close();
  return plans;
}

it("finds a stranger's page in the index of open pictures, without sorting and without passing hidden ones", async () => {
  const plans = await plansOf(async (queries) => {
    await listOpenImages(queries, 'AAAAAAAAAA', STRANGER, { limit: 50 });
    await listOpenImages(queries, 'AAAAAAAAAA', STRANGER, { limit: 50, cursor: encodeCursor([1_700_000_000_000, 'AAAAAAAAAAAA']) });
  });
  expect(plans).toHaveLength(2);
  for (const plan of plans)
    expect(plan).toMatch(
      /^SEARCH album_images USING COVERING INDEX album_images_open \(album_id=\?.*\); SEARCH images USING INTEGER PRIMARY KEY \(rowid=\?\)$/,
    );
  expect(plans[1]).toContain('position');
});

it('counts them without reading them', async () => {
  const album = { id: 'AAAAAAAAAA', open_count: 5, trusted_count: 6, limited_open_count: 0, limited_count: 1 };
  const plans = await plansOf(async (queries) => {
    expect(await countOpenImages(queries, album, STRANGER)).toEqual({ open: 5, limited: 0 });
    expect(await countOpenImages(queries, album, ADMIN)).toEqual({ open: 6, limited: 1 });
  });
  for (const plan of plans) expect(plan).toMatch(/^SEARCH images USING INDEX images_to_expire \(expires_at>\? AND expires_at<\?\)/);
  const [expired, closed] = await plansOf((queries) => countOpenImages(queries, album, MEMBER));
  expect(expired).toMatch(/^SEARCH images USING INDEX images_to_expire/);
  expect(closed).toMatch(/^SEARCH images USING INDEX images_with_conditions \(owner_id=\?\)/);
});

it.each([
  ['an admin', ADMIN],
  ['a member', MEMBER],
])('finds the page of %s without sorting either', async (_who, visitor) => {
  const plans = await plansOf((queries) =>
    listOpenImages(queries, 'AAAAAAAAAA', visitor, { limit: 50, cursor: encodeCursor([1, 'AAAAAAAAAAAA']) }),
  );
  expect(plans).toEqual([
    expect.stringMatching(
      /^SEARCH album_images USING COVERING INDEX album_images_in_order \(album_id=\? AND .*\); SEARCH images USING INTEGER PRIMARY KEY \(rowid=\?\)$/,
    ),
  ]);
});

it('looks up a chosen cover by its key', async () => {
  const [chosen] = await plansOf((queries) => findOpenCover(queries, { id: 'AAAAAAAAAA', cover_key: 'AAAAAAAAAAAA' }, STRANGER));
  expect(chosen).toMatch(/^SEARCH images USING INDEX .*\(key=\?\); SEARCH album_images USING INDEX .*\(image_id=\? AND album_id=\?\)$/);
});
