import type { TextLine } from '#api/images/text.ts';
import { storeRecognition } from '#server/core/images/text/recognized.ts';
import type { Database } from '#server/platform/db/database.ts';

/** Lines of text as they are recognised, with a box for every word. */
export const linesOf = (text: string): TextLine[] =>
  text.split('\n').map((line, row) => ({
    text: line,
    box: [10, 10 + row * 20, line.length * 8, 16],
    words: line.split(' ').map((word, at) => ({ text: word, box: [10 + at * 60, 10 + row * 20, 50, 16] })),
  }));

/** Stores text as if it had been recognised in a picture. Returns whether the picture was waiting for it. */
export async function giveText(db: Database, key: string, text: string): Promise<boolean> {
  const image = await db.read.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  return db.as('job').write((queries) => storeRecognition(queries, image, { state: 'done', lines: linesOf(text) }, Date.now()));
}
