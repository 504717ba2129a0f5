import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');

it('is what all files that the service loads consist of', () => {
  const files = globSync('{server,chunks}/*.js', { cwd: DIST });
  expect(files).toContain(join('server', 'bin.js'));
  expect(files.filter((file) => readFileSync(join(DIST, file)).some((byte) => byte > 127))).toEqual([]);
});
