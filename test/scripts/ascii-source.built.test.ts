import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+\.js)["']/g;

/** Everything that files load, at once or later, with themselves. The command line's own chunks contain other characters. */
function loadedBy(files: readonly string[]): Set<string> {
  const found = new Set(files);
  for (const file of found)
    for (const [, path = ''] of readFileSync(join(DIST, file), 'latin1').matchAll(IMPORT)) {
      const loaded = join(file, '..', path);
      if (existsSync(join(DIST, loaded))) found.add(loaded);
    }
  return found;
}

it('is what all files that the service loads consist of', () => {
  const files = [...loadedBy(globSync('server/*.js', { cwd: DIST }))];
  expect(files).toContain(join('server', 'bin.js'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => readFileSync(join(DIST, file)).some((byte) => byte > 127))).toEqual([]);
});
