import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import FailedTests from './test/helpers/failed-tests.ts';

const FAST_ARGON2 = { '@node-rs/argon2': join(import.meta.dirname, 'test/helpers/fast-argon2.ts') };

/** Tests of the database's file, or on one that was prepared. */
const ON_FILES = [
  'test/server/platform/db/sqlite/*',
  'test/server/platform/db/migrate.test.ts',
  'test/server/core/albums/open-images.test.ts',
  'test/server/core/deletion/deletion.test.ts',
  'test/server/features/backup/**',
  'test/server/features/verify/**',
  'test/server/features/migrate/**',
  'test/server/features/**/*-plan.test.ts',
];

/** What `npm test` runs on PostgreSQL: the database itself, and features whose queries are special. */
const ESSENTIAL_ON_POSTGRES = [
  'test/server/platform/db/**/*.test.ts',
  'test/server/core/accounts/resolve-session.test.ts',
  'test/server/features/admin/users/users.test.ts',
  'test/server/features/albums/*.test.ts',
  'test/server/features/gallery/expiry.test.ts',
  'test/server/features/upload/replace.test.ts',
];

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
          exclude: ['test/**/*.built.test.ts', 'test/server/platform/db/postgres/*'],
          env: { PIXDOCK_TEST_UNIT: '1' },
          alias: FAST_ARGON2,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: process.env.PIXDOCK_TEST_POSTGRES === 'all' ? ['test/server/**/*.test.ts'] : ESSENTIAL_ON_POSTGRES,
          exclude: ['test/**/*.built.test.ts', ...ON_FILES],
          globalSetup: ['test/helpers/postgres-server.ts'],
          env: { PIXDOCK_TEST_UNIT: '1', PIXDOCK_TEST_POSTGRES: '1' },
          alias: FAST_ARGON2,
        },
      },
      { extends: true, test: { name: 'built', include: ['test/**/*.built.test.ts'] } },
      { extends: true, test: { name: 'hard', include: ['test/hard/*.hard.ts'] } },
    ],
  },
});
