import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';

/**
 * Two services' views of one database, each with a connection of its own, as if the engine were shared: units of writing run one after
 * the other, and messages arrive with the commit.
 */
export async function twoNodes(): Promise<[Database, Database]> {
  const folder = temporaryFolder();
  await writeEmptyDatabase(folder);
  const listeners: { id: number; listener: (message: string | undefined) => void }[] = [];
  const inTurn = createKeyedLock();
  const open = async (id: number): Promise<Database> => {
    const db = await openDatabase(join(folder, 'pixdock.db'));
    onTestFinished(() => db.close());
    db.onAnnouncement((message) => {
      for (const one of listeners) if (one.id !== id) one.listener(message);
    }, 'durable');
    const node: Database = {
      ...db,
      isShared: true,
      onAnnouncement(listener, own) {
        db.onAnnouncement(listener, own);
        listeners.push({ id, listener });
      },
      as: (author) => ({ ...node, write: (work) => inTurn('', () => db.as(author).write(work)) }),
    };
    return node;
  };
  return [await open(0), await open(1)];
}
