import { rename } from 'node:fs/promises';
import { settleRestore } from '#server/features/backup/swap.ts';

// Carries out a restore and is killed in the middle: `node killed-swap.ts <data folder> <moves before that>`.

const [, , dataDir = '', moves = '0'] = process.argv;
let left = Number(moves);
await settleRestore(dataDir, async (from, to) => {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
});
