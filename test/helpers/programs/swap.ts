import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, symlink } from 'node:fs/promises';
import { onTestFinished } from 'vitest';

/** Has a process of its own replace a path by a link to elsewhere and back, as fast as it can, until the test ends. */
export async function swap(path: string, elsewhere: string) {
  const [own, link] = [`${path}.own`, `${path}.link`];
  await rename(path, own);
  await symlink(elsewhere, link, 'junction');
  const script = `
    const { renameSync } = require('node:fs');
    const [path, ...others] = process.argv.slice(1);
    process.on('disconnect', () => process.exit());
    process.send('started');
    (function turn() {
      for (let i = 0; i < 100; i++) for (const other of others) { renameSync(other, path); renameSync(path, other); }
      setImmediate(turn);
    })();`;
  const program = spawn(process.execPath, ['-e', script, path, own, link], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  onTestFinished(async () => {
    program.disconnect();
    await once(program, 'exit');
  });
  await once(program, 'message');
}
