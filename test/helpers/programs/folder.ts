import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty folder that is removed when the running test ends, or after all of a file: `temporaryFolder(afterAll)`. */
export function temporaryFolder(until: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-test-'));
  until(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
