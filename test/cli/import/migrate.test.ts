import { Command } from 'commander';
import { expect, it } from 'vitest';
import { migrateCommand } from '#cli/commands/migrate.ts';
import { UsageError } from '#cli/errors.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

function run(to: string) {
  const program = new Command();
  migrateCommand(program, () => undefined);
  // Without a database in it, an accepted target leads to the next refusal.
  return program.parseAsync(['migrate', '--data-dir', temporaryFolder(), '--to', to], { from: 'user' });
}

it.each([
  'postgres://pixdock:hunter2@db.example.org/pixdock',
  'POSTGRESQL://pixdock:hunter2@db.example.org:5432/pixdock?sslmode=require',
  'postgres://:hunter2@db.example.org/pixdock',
  'postgres://pixdock:hunter2@/pixdock?host=/run/postgresql',
  'postgres://pixdock@db.example.org/pixdock?sslmode=require&password=hunter2',
])('refuses a target with a password in the process list: %s', async (to) => {
  const error = await run(to).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toMatch(/PGPASSWORD/);
  expect((error as Error).message).not.toContain('hunter2');
});

it.each([
  'postgres://pixdock@db.example.org:5432/pixdock',
  'postgres://db.example.org:5432/pixdock?user=a@b',
  'postgres://pixdock@/pixdock?host=/run/postgresql',
])('accepts a target without one: %s', async (to) => {
  await expect(run(to)).rejects.toThrow('isn’t a Pixdock data folder');
});
