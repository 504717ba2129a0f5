import { expect, it } from 'vitest';
import { runCli } from '#test/cli/run-cli.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

// Without a database in the folder, an accepted target leads to the next refusal.
const run = (to: string) => runCli(temporaryFolder(), ['migrate', '--data-dir', temporaryFolder(), '--to', to]);

it.each([
  'postgres://pixdock:hunter2@db.example.org/pixdock',
  'POSTGRESQL://pixdock:hunter2@db.example.org:5432/pixdock?sslmode=require',
  'postgres://:hunter2@db.example.org/pixdock',
  'postgres://pixdock:hunter2@/pixdock?host=/run/postgresql',
  'postgres://pixdock@db.example.org/pixdock?sslmode=require&password=hunter2',
])('refuses a target with a password in the process list: %s', async (to) => {
  const { stderr, code } = await run(to);
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('PGPASSWORD'), code: 2 });
  expect(stderr).not.toContain('hunter2');
});

it.each([
  'postgres://pixdock@db.example.org:5432/pixdock',
  'postgres://db.example.org:5432/pixdock?user=a@b',
  'postgres://pixdock@/pixdock?host=/run/postgresql',
])('accepts a target without one: %s', async (to) => {
  expect(await run(to)).toMatchObject({ stderr: expect.stringContaining('isn’t a Pixdock data folder'), code: 1 });
});
