import { pino } from 'pino';
import { continueDeletions } from '#server/core/deletion/steps.ts';
import { openDatabase } from '#server/platform/db/database.ts';

// Continues the deletion of accounts and is killed between two commits: `node killed-deletion.ts <database> <steps before that>`.

const [, , path = '', steps = '0'] = process.argv;
const db = (await openDatabase(path)).as('job');
let left = Number(steps);
const killed = { ...db, write: (work: Parameters<typeof db.write>[0]) => (left-- > 0 ? db.write(work) : stop(work)) };

/** The unit has done its work, but isn't committed yet. */
function stop(work: Parameters<typeof db.write>[0]): Promise<never> {
  return db.write(async (queries) => {
    await work(queries);
    process.kill(process.pid, 'SIGKILL');
    throw new Error('killed');
  });
}

const context = { db: killed as typeof db, log: pino({ level: 'silent' }) };
while (await continueDeletions(context, Date.now()));
