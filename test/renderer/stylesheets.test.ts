import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build, createLogger } from 'vite';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('compiles every stylesheet without a warning', async () => {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const input = globSync('renderer/**/*.css', { cwd: ROOT });
  expect(input.length).toBeGreaterThan(50);
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'warn',
    customLogger: { ...createLogger('silent'), warn, warnOnce: warn },
    build: { write: false, rolldownOptions: { input, checks: { bundlerTimings: false } } },
  });
  expect(warnings).toEqual([]);
});
