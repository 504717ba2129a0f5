import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { writeEmptyDatabase } from './empty-database.ts';
import { temporaryFolder } from './folder.ts';

/**
 * Two services' views of one database, each with a connection of its own, as if the engine were shared. Messages arrive with the commit.
 */
export async function twoNodes(): Promise<[Database, Database]> {
  const folder = temporaryFolder();
  await writeEmptyDatabase(folder);
  const listeners = new Map<number, (message: string | undefined) => void>();
  const open = async (id: number): Promise<Database> => {
    const db = await openDatabase(join(folder, 'pixdock.db'));
    onTestFinished(() => db.close());
    let announced: string[] = [];
    return {
      ...db,
      isShared: true,
      announce: (_queries, message) => void announced.push(message),
      onAnnouncement: (listener) => void listeners.set(listeners.size * 2 + id, listener),
      async write(work) {
        const result = await db.write(work);
        const messages = announced;
        announced = [];
        for (const message of messages) for (const [of, listener] of listeners) if (of % 2 !== id) listener(message);
        return result;
      },
    };
  };
  return [await open(0), await open(1)];
}
