import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const WORKFLOWS = join(import.meta.dirname, '../../.github/workflows');

interface Job {
  env?: Record<string, string>;
  steps: { uses?: string; with?: Record<string, unknown> }[];
}

/** The jobs that use secrets. */
const signing = readdirSync(WORKFLOWS)
  .flatMap((name) => Object.values((parse(readFileSync(join(WORKFLOWS, name), 'utf8')) as { jobs: Record<string, Job> }).jobs))
  .filter((job) => JSON.stringify(job).includes('secrets.'));

it('a job that signs shares no cache with others, and runs no scripts of the packages that it installs', () => {
  expect(signing).toHaveLength(1);
  for (const { env, steps } of signing) {
    expect(env).toMatchObject({ npm_config_ignore_scripts: 'true' });
    for (const { uses = '', with: inputs = {} } of steps) {
      expect(uses).not.toContain('cache');
      expect(inputs).not.toHaveProperty('cache');
      if (uses.startsWith('actions/setup-node@')) expect(inputs).toMatchObject({ 'package-manager-cache': false });
    }
  }
});
