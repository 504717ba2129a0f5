import { join } from 'node:path';

/**
 * The path of a built file, below `dist/`. Only tests named `*.built.test.ts`, and those in a browser, run after a build.
 * @throws in a unit test
 */
export function built(path: string): string {
  if (process.env.PIXDOCK_TEST_UNIT) throw new Error(`A test that needs dist/${path} must be named *.built.test.ts.`);
  return join(import.meta.dirname, '../../../dist', path);
}
