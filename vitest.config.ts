import { defineConfig } from 'vitest/config';

/** `unit` needs neither a build nor a browser; `built` starts what is in `dist/`. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
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
        },
      },
      { extends: true, test: { name: 'built', include: ['test/**/*.built.test.ts'] } },
    ],
  },
});
