import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const root = join(import.meta.dirname, '../..');

it('reads text with the files of a package', { timeout: 120_000 }, async () => {
  const folder = join(temporaryFolder(), 'service');
  execFileSync(process.execPath, [join(root, 'scripts/service-folder.mjs'), folder]);
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'] as const;
  const child = fork(join(folder, 'dist/server/decoder.js'), [], { serialization: 'advanced', stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const piece = new Uint8Array(await readFile(join(root, 'test/fixtures/text/english.png')));
  const options = { languages: ['eng', 'chi_sim'], limits: { seconds: 40, pixels: 1_000_000 } };
  child.send({ kind: 'recognize', options, size: piece.length, piece });
  const [reply] = await once(child, 'message');
  expect(reply).toMatchObject({ result: { lines: [{ text: 'The upload failed after three attempts' }, {}] } });
});
