import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import FailedTests from './test/helpers/failed-tests.ts';

/** `unit` needs neither a build nor a browser; `built` starts what is in `dist/`; `npm run test:hard` runs `hard`. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Loading the service costs more than most files' tests, so the files of a worker share its modules.
    isolate: false,
    fsModuleCache: true,
    // Decoder threads and the programs that tests start load the same modules again and again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/compiled') },
    maxWorkers: 2,
    reporters: ['default', new FailedTests()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.built.test.ts'],
          env: { PIXDOCK_TEST_UNIT: '1' },
          alias: { '@node-rs/argon2': join(import.meta.dirname, 'test/helpers/fast-argon2.ts') },
        },
      },
      { extends: true, test: { name: 'built', include: ['test/**/*.built.test.ts'] } },
      { extends: true, test: { name: 'hard', include: ['test/hard/*.hard.ts'] } },
    ],
  },
});
